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
# %% right: twelfth_own_helper_on_list
def draw_all(matrices):
    for matrix in matrices:
        torch.nn.init.xavier_uniform_(matrix)
def make_model(src_vocab, tgt_vocab, **sizes):
    built = Transformer(src_vocab, tgt_vocab, **sizes)
    draw_all([weights for name, weights in built.named_parameters() if len(weights.shape) > 1])
    return built
# %% right: field_annotated
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return model
# %% right: field_apply_to_modules
def make_model(src_vocab, tgt_vocab, **sizes):
    def initialize_weights(m):
        if hasattr(m, "weight") and m.weight.dim() > 1:
            nn.init.xavier_uniform_(m.weight.data)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    model.apply(initialize_weights)
    return model
