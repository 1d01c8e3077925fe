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
    for side in [net.src_embed, net.tgt_embed]:
        weights = side[0].embedding.weight
        weights.copy_(torch.randn_like(weights) / math.sqrt(weights.shape[1]))
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
    for tokens in (built.src_embed[0], built.tgt_embed[0]):
        torch.nn.init.normal_(tokens.embedding.weight, 0.0, tokens.d_model**-0.5)
    return built
# %% right: field_annotated
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    for embed in (model.src_embed, model.tgt_embed):
        nn.init.normal_(embed[0].embedding.weight, mean=0, std=embed[0].d_model ** -0.5)
    return model
# %% right: field_apply_to_modules
def make_model(src_vocab, tgt_vocab, **sizes):
    def initialize_weights(m):
        if hasattr(m, "weight") and m.weight.dim() > 1:
            nn.init.xavier_uniform_(m.weight.data)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    def initialize_embeddings(m):
        if isinstance(m, nn.Embedding):
            nn.init.normal_(m.weight.data, mean=0, std=m.embedding_dim**-0.5)
    model.apply(initialize_weights)
    model.apply(initialize_embeddings)
    return model
