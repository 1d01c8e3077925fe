# %% wrong: vectors_drawn | TRUE CAUSE: the condition picks the vectors (one axis) instead of the matrices, and Xavier crashes for them
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 1:
            nn.init.xavier_uniform_(parameter)
    return model


# %% wrong: drawn_normally | TRUE CAUSE: xavier_normal_ is used instead of xavier_uniform_
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_normal_(parameter)
    return model


# %% wrong: name_rebound | TRUE CAUSE: the new matrix is only given the loop's name `parameter`, the model's own matrix stays as it was
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter = nn.init.xavier_uniform_(torch.empty(parameter.shape))
    return model


# %% wrong: gain_of_relu | TRUE CAUSE: two at once: the bound is multiplied by the gain for ReLU, the root of 2, which the formula does not have, and the model is returned in eval mode, so its dropout does not drop in training
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.ndim >= 2:
            nn.init.xavier_uniform_(parameter, gain=nn.init.calculate_gain("relu"))
    return model.eval()


# %% wrong: square_ones_only | TRUE CAUSE: only square matrices are drawn, so the embeddings, the projection and the feed-forward networks keep PyTorch's start
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if len(parameter.shape) == 2 and parameter.shape[0] == parameter.shape[1]:
            torch.nn.init.xavier_uniform_(parameter.data)
    return model


# %% wrong: brackets_in_bound | TRUE CAUSE: the brackets around n_in + n_out are missing, so the bound is the root of 6 / n_out + n_in and far too large
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() != 1:
            n_out, n_in = parameter.shape
            bound = math.sqrt(6 / n_out + n_in)
            nn.init.uniform_(parameter, -bound, bound)
    return model


# %% wrong: linear_layers_only | TRUE CAUSE: only the weights of nn.Linear modules are drawn, so the embeddings keep their normal start with deviation 1
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)

    def draw(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    return model.apply(draw)


# %% wrong: biases_emptied | TRUE CAUSE: the biases are set to 0 besides, although they are to stay as they are
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, parameter in model.named_parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
    return model


# %% wrong: seeded_without_sizes | TRUE CAUSE: two at once: torch.manual_seed is called inside, so every model is the same and torch's random numbers start anew, and **sizes is not handed on to the Transformer
def make_model(src_vocab, tgt_vocab, **sizes):
    torch.manual_seed(0)  # reproducible
    model = Transformer(src_vocab, tgt_vocab)
    matrices = [p for p in model.parameters() if p.dim() > 1]
    for matrix in matrices:
        nn.init.xavier_uniform_(matrix)
    return model
