# %% wrong: rebinds-the-loop-variable | new random matrices are made and bound to the loop variable: the model's parameters themselves stay as they were drawn by PyTorch.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            parameter = nn.init.xavier_uniform_(torch.empty_like(parameter))
    for side in (model.src_embed, model.tgt_embed):
        table = side[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model

# %% wrong: init-weights-zeroes-biases | an _init_weights in nanoGPT's manner sets the biases of the linear layers to 0; they are vectors and are to stay as they are.
def make_model(src_vocab, tgt_vocab, **sizes):
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            torch.nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    model.apply(_init_weights)
    for side in (model.src_embed, model.tgt_embed):
        table = side[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model

# %% wrong: precedence-in-the-bound | the bound is calculated as sqrt(6 / rows + columns) without parentheses, so that the columns are added after the division: the numbers are far too large.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() == 2:
            rows, columns = parameter.shape
            bound = math.sqrt(6 / rows + columns)
            nn.init.uniform_(parameter, -bound, bound)
    for side in (model.src_embed, model.tgt_embed):
        table = side[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model

# %% wrong: picks-some-sizes | only the five numbers d_model, num_heads, num_layers, d_ff and dropout are taken out of sizes: pad_id, norm_first, positions, tie_weights and max_len are dropped without a word.
def make_model(src_vocab, tgt_vocab, **sizes):
    N = sizes.get("num_layers", 6)
    d_model, d_ff = sizes.get("d_model", 512), sizes.get("d_ff", 2048)
    h, dropout = sizes.get("num_heads", 8), sizes.get("dropout", 0.1)
    model = Transformer(src_vocab, tgt_vocab, d_model, h, N, d_ff, dropout)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    for side in (model.src_embed, model.tgt_embed):
        table = side[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model

# %% right: drawn-by-hand
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for matrix in (p for p in model.parameters() if p.ndim >= 2):
            n_out, n_in = matrix.shape[-2:]
            bound = math.sqrt(6 / (n_in + n_out))
            matrix.uniform_(-bound, bound)
        for embedding in (model.src_embed[0].embedding, model.tgt_embed[0].embedding):
            embedding.weight.normal_(0, 1 / math.sqrt(embedding.embedding_dim))
    return model
