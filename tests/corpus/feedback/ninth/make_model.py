# %% wrong: draws_into_a_new_tensor | TRUE CAUSE: the blank draw fills a new tensor and binds the loop variable parameter to it, which changes nothing in the model, so all matrices keep PyTorch's own start
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter = nn.Parameter(nn.init.xavier_uniform_(torch.empty_like(parameter)))
    return model
# %% wrong: draws_from_zero_to_b | TRUE CAUSE: the blank draw calls nn.init.uniform_ from 0 to b instead of from -b to b, so every matrix has only positive numbers with mean b / 2 and half the spread
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 2:
            nn.init.uniform_(parameter, 0, math.sqrt(6 / sum(parameter.shape)))
    return model
# %% wrong: own_apply_zeroes_biases | TRUE CAUSE: the function given to model.apply also fills the biases of the linear layers with zeros, although the text says that biases stay as they are
def make_model(src_vocab, tgt_vocab, **sizes):
    def start(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.xavier_uniform_(module.weight)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    return Transformer(src_vocab, tgt_vocab, **sizes).apply(start)
# %% wrong: own_new_parameter_for_each_module | TRUE CAUSE: every module's matrix is replaced by a freshly drawn nn.Parameter of its own instead of being filled in place, so with tie_weights=True the three shared matrices become three different ones and the tying is lost
def make_model(src_vocab, tgt_vocab, **sizes):
    net = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in net.modules():
        for name, old in list(module.named_parameters(recurse=False)):
            if old.dim() < 2:
                continue
            n_out, n_in = old.shape
            b = (6 / (n_in + n_out)) ** 0.5
            new = torch.rand(n_out, n_in, device=old.device) * 2 * b - b
            setattr(module, name, nn.Parameter(new))
    return net
