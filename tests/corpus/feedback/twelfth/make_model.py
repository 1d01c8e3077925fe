# %% wrong: vectors_set_to_zero | TRUE CAUSE: an else branch sets all vectors to 0, biases and also the norms' scales, although they should stay as they are; with scales of 0 the norms return 0 and the model ignores its input
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        else:
            nn.init.zeros_(parameter)
    return model
# %% wrong: loop_variable_rebound | TRUE CAUSE: the Xavier numbers are drawn into a new tensor that is assigned to the loop's variable, so the model's own parameters keep PyTorch's start
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() >= 2:
            parameter = nn.Parameter(nn.init.xavier_uniform_(torch.empty_like(parameter)))
    return model
# %% wrong: own_half_the_width | TRUE CAUSE: rand - 0.5 lies between -0.5 and 0.5 and is multiplied by b instead of 2b, so the matrices are drawn from -b/2 to b/2
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for matrix in [p for p in model.parameters() if p.ndim == 2]:
            n_out, n_in = matrix.shape
            b = math.sqrt(6 / (n_in + n_out))
            matrix.copy_((torch.rand_like(matrix) - 0.5) * b)
    return model
# %% wrong: own_linear_layers_only | TRUE CAUSE: only the weights of nn.Linear modules are drawn, so the matrices of the embeddings (when untied), which are nn.Embedding, keep their normal start with deviation 1
def start_well(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)


def make_model(src_vocab, tgt_vocab, **sizes):
    return Transformer(src_vocab, tgt_vocab, **sizes).apply(start_well)
