# %% wrong: every_parameter | TRUE CAUSE: the condition lets every trainable parameter through, so biases and norm scales, which are vectors and have only one size, are to be drawn, too
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.requires_grad:  # blank: which
            nn.init.xavier_uniform_(parameter)  # blank: draw
    return model

# %% wrong: normal_not_uniform | TRUE CAUSE: draws from Xavier's normal distribution instead of evenly between -b and b
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # blank: which
            nn.init.xavier_normal_(parameter)  # blank: draw
    return model

# %% wrong: looks_for_linear | TRUE CAUSE: asks whether a parameter is an nn.Linear; parameters are tensors and never are, so nothing is drawn
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if isinstance(parameter, nn.Linear):  # blank: which
            nn.init.xavier_uniform_(parameter)  # blank: draw
    return model

# %% wrong: same_bound_for_all | TRUE CAUSE: draws every matrix between -0.077 and 0.077, the bound of the text's example for 512 and 512, instead of a bound from each matrix's own sizes
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 2:  # blank: which
            nn.init.uniform_(parameter, -0.077, 0.077)  # blank: draw
    return model

# %% wrong: positive_half_only | TRUE CAUSE: draws with torch.rand between 0 and b instead of between -b and b: half of the range is missing
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                n_out, n_in = parameter.shape
                b = math.sqrt(6 / (n_in + n_out))
                parameter.copy_(torch.rand(n_out, n_in) * b)
    return model

# %% wrong: name_bound_again | TRUE CAUSE: the drawn matrix is only given to the loop variable, not written into the model's parameter, so the model stays as it was
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter = nn.Parameter(nn.init.xavier_uniform_(torch.empty(parameter.shape)))
    return model

# %% wrong: linear_layers_only_and_biases_zeroed | TRUE CAUSE: two mistakes: only the matrices of nn.Linear are drawn and the embedding tables are left out, and the biases, which should stay as they are, are set to 0
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
    return model
