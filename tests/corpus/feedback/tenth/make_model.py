# %% wrong: relu_gain | TRUE CAUSE: xavier_uniform_ is called with the ReLU gain, so the bound is sqrt(2) times the asked sqrt(6 / (n_in + n_out)) and all matrices start too large.
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter, gain=nn.init.calculate_gain("relu"))
    return model

# %% wrong: draws_into_a_copy | TRUE CAUSE: The draw goes into parameter.clone(), a new tensor that is thrown away, so no weight of the model changes and PyTorch's default start stays.
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.ndim == 2:
            parameter = nn.init.xavier_uniform_(parameter.detach().clone())
    return model

# %% wrong: own_half_the_range | TRUE CAUSE: rand * b - b / 2 covers only -b/2 to b/2 instead of -b to b, so every matrix has half the deviation that Xavier asks for.
def make_model(src_vocab, tgt_vocab, **sizes):
    net = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for p in net.parameters():
            if len(p.shape) < 2:
                continue
            n_out, n_in = p.shape
            b = math.sqrt(6 / (n_in + n_out))
            p.copy_(torch.rand_like(p) * b - b / 2)
    return net

# %% wrong: own_biases_set_to_zero | TRUE CAUSE: The elif branch also sets every bias to 0, although biases are vectors and have to stay as PyTorch started them.
def make_model(src_vocab, tgt_vocab, **sizes):
    def start(name, weight):
        if weight.dim() >= 2:
            nn.init.xavier_uniform_(weight)
        elif name.split(".")[-1] == "bias":
            nn.init.zeros_(weight)

    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, weight in model.named_parameters():
        start(name, weight)
    return model
