# %% wrong: len_as_number_of_axes | TRUE CAUSE: len(parameter) > 1 asks for the number of rows, not for the number of axes, so biases and norms' scales (vectors) are taken for matrices and Xavier refuses them
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if len(parameter) > 1:  # blank: which
            nn.init.xavier_uniform_(parameter)  # blank: draw
    return model

# %% wrong: linear_layers_only_and_zero_biases | TRUE CAUSE: two mistakes: only the weights of nn.Linear are drawn, so the embeddings keep PyTorch's normal start, and the biases are set to 0 where they should stay as they are
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    return model

# %% wrong: root_of_six_only | TRUE CAUSE: the bound is sqrt(6) / (n_in + n_out): the root covers only the numerator of the fraction, so all matrices start much too small
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 2:
            n_out, n_in = parameter.shape
            b = math.sqrt(6) / (n_in + n_out)
            nn.init.uniform_(parameter, -b, b)
    return model
