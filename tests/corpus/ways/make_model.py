# %% right: skip_the_vectors
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, parameter in model.named_parameters():
        if parameter.ndim < 2:
            continue
        torch.nn.init.xavier_uniform_(parameter, gain=1.0)
    return model

# %% right: bound_by_hand
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    matrices = [parameter for parameter in model.parameters() if parameter.dim() == 2]
    with torch.no_grad():
        for matrix in matrices:
            bound = math.sqrt(6.0 / (matrix.size(0) + matrix.size(1)))
            matrix.uniform_(-bound, bound)
    return model
