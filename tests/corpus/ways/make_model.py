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


# %% right: own_list_of_matrices
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    matrices = [p for p in model.parameters() if p.ndim == 2]
    for m in matrices:
        nn.init.xavier_uniform_(m)
    return model
# %% right: own_bound_by_hand
def xavier_bound(matrix):
    n_out, n_in = matrix.shape
    return math.sqrt(6 / (n_in + n_out))


@torch.no_grad()
def fill_matrices(net):
    for _, weights in net.named_parameters():
        if len(weights.shape) < 2:
            continue
        b = xavier_bound(weights)
        weights.uniform_(-b, b)


def make_model(src_vocab, tgt_vocab, **sizes):
    net = Transformer(src_vocab, tgt_vocab, **sizes)
    fill_matrices(net)
    return net
