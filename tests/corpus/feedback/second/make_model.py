# %% wrong: xavier_normal | TRUE CAUSE: The matrices are drawn with xavier_normal_, from a normal distribution, instead of xavier_uniform_.
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_normal_(parameter)
    return model

# %% wrong: every_parameter | TRUE CAUSE: The condition lets vectors through as well (requires_grad is true of all), and xavier_uniform_ fails for a parameter with one axis (crash).
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.requires_grad:
            nn.init.xavier_uniform_(parameter.data)
    return model

# %% wrong: linear_layers_only | TRUE CAUSE: Only the weights of nn.Linear are drawn, so the embeddings keep PyTorch's normal start.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)

    def start(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    return model.apply(start)

# %% wrong: bound_of_n_in_and_zeroed_vectors | TRUE CAUSE: Two mistakes: the bound is the root of 6 / n_in, without n_out; and all vectors (biases and also the norms' scales) are set to 0 instead of left alone.
@torch.no_grad()
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer with a good start."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 2:
            n_out, n_in = parameter.shape
            b = math.sqrt(6 / n_in)
            parameter.uniform_(-b, b)
        else:
            parameter.zero_()
    return model
