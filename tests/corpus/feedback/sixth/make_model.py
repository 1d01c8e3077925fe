# %% wrong: new_tensor_not_the_parameter | TRUE CAUSE: the numbers are drawn into a new tensor, and only the loop's variable is set to it: the model's own matrices stay as PyTorch started them
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:  # blank: which
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))  # blank: draw
    return model

# %% wrong: from_zero_to_bound | TRUE CAUSE: draws by hand from 0 to b instead of from -b to b, so all numbers are positive
def make_model(src_vocab, tgt_vocab, **sizes):
    """Build a Transformer and draw every matrix in it Xavier-uniformly."""
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 2:  # blank: which
            bound = math.sqrt(6 / (parameter.size(0) + parameter.size(1)))
            parameter.data = torch.rand_like(parameter) * bound
    return model

# %% wrong: linear_layers_only_biases_zeroed | TRUE CAUSE: two mistakes: it goes through the nn.Linear layers only, so the embeddings keep PyTorch's start; and it sets the biases to 0, which are to stay as they are
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)

    def start(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    model.apply(start)
    return model

