# %% wrong: xavier_normal | TRUE CAUSE: the matrices are drawn with xavier_normal_ instead of xavier_uniform_, so the numbers are normally distributed and exceed the bound b
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_normal_(parameter)
    return model
# %% wrong: loop_variable_rebound | TRUE CAUSE: a new tensor is drawn and assigned to the loop variable parameter, so nothing in the model changes and all matrices keep PyTorch's default start
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if len(parameter.shape) == 2:
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))
    return model
# %% wrong: own_half_the_width | TRUE CAUSE: (rand - 0.5) * b spans only -b/2 to b/2, so all matrices are drawn half as wide as Xavier's bound
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for p in model.parameters():
            if p.ndim != 2:
                continue
            n_out, n_in = p.shape
            b = math.sqrt(6 / (n_in + n_out))
            p.copy_((torch.rand_like(p) - 0.5) * b)
    return model
# %% wrong: own_linear_layers_only | TRUE CAUSE: only the weights of nn.Linear modules are drawn, so the embedding matrices keep PyTorch's normal start with deviation 1 (when not tied)
def make_model(src_vocab, tgt_vocab, **sizes):
    def draw(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    return Transformer(src_vocab, tgt_vocab, **sizes).apply(draw)
