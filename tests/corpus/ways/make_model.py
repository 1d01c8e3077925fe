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


# %% right: tenth_own_bound_by_hand
def make_model(src_vocab, tgt_vocab, **sizes):
    net = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for p in net.parameters():
            if p.ndim < 2:
                continue
            rows, columns = p.shape
            bound = (6 / (rows + columns)) ** 0.5
            p.uniform_(-bound, bound)
    return net

# %% right: tenth_own_list_of_matrices
def make_model(n_source, n_target, **options):
    model = Transformer(n_source, n_target, **options)
    matrices = [w for _, w in model.named_parameters() if len(w.size()) == 2]
    for matrix in matrices:
        nn.init.xavier_uniform_(matrix)
    return model


# %% right: eleventh_own_bound_by_hand
def make_model(src_vocab, tgt_vocab, **sizes):
    net = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for p in net.parameters():
            if p.ndim != 2:
                continue
            n_out, n_in = p.shape
            b = math.sqrt(6 / (n_in + n_out))
            p.uniform_(-b, b)
    return net
# %% right: eleventh_own_list_of_matrices
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    matrices = [weight for _, weight in model.named_parameters() if len(weight.shape) > 1]
    for weight in matrices:
        nn.init.xavier_uniform_(weight.data)
    return model


# %% right: twelfth_own_by_formula
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for matrix in (p for p in model.parameters() if p.ndim == 2):
            b = (6 / sum(matrix.shape)) ** 0.5
            matrix.uniform_(-b, b)
    return model
# %% right: twelfth_own_helper_on_list
def draw_all(matrices):
    for matrix in matrices:
        torch.nn.init.xavier_uniform_(matrix)


def make_model(src_vocab, tgt_vocab, **sizes):
    built = Transformer(src_vocab, tgt_vocab, **sizes)
    draw_all([weights for name, weights in built.named_parameters() if len(weights.shape) > 1])
    return built
