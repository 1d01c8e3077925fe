# %% wrong: own_new_parameter_for_each_module | every module's matrix is replaced by a freshly drawn nn.Parameter of its own instead of being filled in place, so with tie_weights=True the three shared matrices become three different ones and the tying is lost
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
    for side in (net.src_embed, net.tgt_embed):
        table = side[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return net

# %% wrong: draws_into_a_new_tensor | The random numbers go into a new tensor, and only the loop's name parameter is bound to it. The model's own matrices stay as PyTorch started them.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))
    for side in (model.src_embed, model.tgt_embed):
        table = side[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model
