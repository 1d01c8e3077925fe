# %% wrong: every_parameter_that_trains | TRUE CAUSE: the condition asks whether a parameter is trained instead of whether it is a matrix, so Xavier is called on biases and norm vectors too, which it cannot take (crash)
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.requires_grad:  # blank: which
            nn.init.xavier_uniform_(parameter)  # blank: draw
    return model


# %% wrong: only_linear_layers | TRUE CAUSE: only the matrices of nn.Linear modules are drawn; the embeddings (and learned positions) keep the deviation of 1 that PyTorch starts them with
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    return model


# %% wrong: vectors_set_to_zero | TRUE CAUSE: all vectors are set to zero instead of staying as they are, so the scales of the norms are 0 and the model says nothing
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        else:
            nn.init.zeros_(parameter)
    return model
