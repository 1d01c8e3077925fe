# %% wrong: normal_instead_of_uniform | xavier_normal_ draws from a normal distribution; the matrices are to be drawn evenly from -b to b (xavier_uniform_), so numbers beyond b appear.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_normal_(parameter)
    return model
# %% wrong: draws_into_a_new_tensor | The random numbers go into a new tensor, and only the loop's name parameter is bound to it. The model's own matrices stay as PyTorch started them.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))
    return model
# %% wrong: own_linear_layers_only | Only the weights of nn.Linear modules are drawn. The embedding tables (and learned positions) are matrices, too, and keep PyTorch's normal start with a deviation of 1 (unless they are tied to the projection).
def make_model(src_vocab, tgt_vocab, **sizes):
    def draw(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    model.apply(draw)
    return model
# %% wrong: own_biases_set_to_zero | The biases are set to 0 besides. They are vectors and have to stay as they are, as PyTorch started them.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, weights in model.named_parameters():
        if weights.ndim >= 2:
            nn.init.xavier_uniform_(weights)
        elif name.endswith("bias"):
            nn.init.zeros_(weights)
    return model
