# %% wrong: drawn_into_a_copy | TRUE CAUSE: the numbers are drawn into a new tensor and the loop's name is bound to it, so the model's own matrices stay as PyTorch started them
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # blank: which
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))  # blank: draw
    return model


# %% wrong: parameter_taken_for_a_layer | TRUE CAUSE: the condition asks whether a parameter is an nn.Linear; parameters are tensors and never are, so nothing is drawn at all
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if isinstance(parameter, (nn.Linear, nn.Embedding)):  # blank: which
            nn.init.xavier_uniform_(parameter.weight)  # blank: draw
    return model


# %% wrong: linear_layers_only_and_biases_zero | TRUE CAUSE: two mistakes: only the weights of nn.Linear are drawn, so the embeddings stay normally distributed, and the biases are set to 0, which should stay as they are
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
    return model


# %% wrong: bound_without_brackets | TRUE CAUSE: the bound is written out by hand without brackets, 6 / n_in + n_out, so the matrices are drawn from a range that is far too wide
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                n_out, n_in = parameter.shape
                b = math.sqrt(6 / n_in + n_out)
                parameter.uniform_(-b, b)
    return model
