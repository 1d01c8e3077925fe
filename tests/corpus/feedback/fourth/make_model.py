# %% wrong: normal_not_uniform | TRUE CAUSE: draws from a normal distribution (xavier_normal_) where an even one is asked for
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # blank: which
            nn.init.xavier_normal_(parameter)  # blank: draw
    return model

# %% wrong: all_that_learn | TRUE CAUSE: the condition is on requires_grad and not on the number of axes, so vectors are to be drawn, too, which xavier refuses
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.requires_grad:  # blank: which
            nn.init.xavier_uniform_(parameter)  # blank: draw
    return model

# %% wrong: name_bound_again | TRUE CAUSE: draws into a new tensor and binds the loop's name to it: the model itself stays as it was
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # blank: which
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))  # blank: draw
    return model

# %% wrong: linear_layers_only | TRUE CAUSE: goes through the nn.Linear modules and leaves out the embeddings, which are matrices too
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    return model

# %% wrong: biases_and_scales_zeroed | TRUE CAUSE: sets all vectors to zero besides, the scales of the norms among them, though vectors stay as they are
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        else:
            nn.init.zeros_(parameter)
    return model

# %% wrong: root_forgotten | TRUE CAUSE: computes the bound by hand and forgets the square root
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # blank: which
            nn.init.uniform_(parameter, -6 / sum(parameter.shape), 6 / sum(parameter.shape))  # blank: draw
    return model

# %% wrong: sizes_lost_and_normal | TRUE CAUSE: two mistakes: the sizes are not passed on, so the model has the paper's sizes and options, and the numbers are drawn by xavier_normal_
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab)
    for parameter in model.parameters():
        if parameter.ndim == 2:
            nn.init.xavier_normal_(parameter)
    return model
