# %% wrong: one-over-d-model | The embeddings get a standard deviation of 1 / d_model instead of 1 / the root of d_model; scaled by the root they then have 1 / root instead of 1.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=1 / table.size(1))
    return model

# %% wrong: annotated-xavier-for-all | All matrices, embeddings among them, are drawn by Xavier, as in The Annotated Transformer; the embeddings are never drawn from a normal distribution with standard deviation 1 / root of d_model.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return model

# %% wrong: mingpt-biases-to-zero | The biases of the linear layers are set to 0, as minGPT's _init_weights does; here biases and scales are left as they are.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            torch.nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
    model.apply(_init_weights)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        torch.nn.init.normal_(table, mean=0.0, std=table.shape[-1] ** -0.5)
    return model

# %% wrong: gpt2-fixed-deviation | The embeddings are drawn with GPT-2's fixed standard deviation of 0.02 instead of 1 / root of d_model; so after scaling they have a standard deviation of 1 for no d_model but 2500.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, parameter in model.named_parameters():
        if name.endswith("bias") or parameter.ndim == 1:
            continue
        if "embed" in name and "embedding" in name:
            nn.init.normal_(parameter, mean=0.0, std=0.02)
        else:
            nn.init.xavier_uniform_(parameter)
    return model

# %% wrong: xavier-after-the-embeddings | The embeddings are drawn first and all linear layers by Xavier afterwards; with tie_weights the last projection is the embedding, which Xavier then overwrites.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    tables = [model.src_embed[0].embedding.weight, model.tgt_embed[0].embedding.weight]
    for table in tables:
        nn.init.normal_(table, std=1 / math.sqrt(table.size(1)))
    inside = {id(table) for table in tables}
    matrices = [p for p in model.parameters() if p.ndim == 2 and id(p) not in inside]
    matrices.append(model.generator.proj.weight)
    for matrix in matrices:
        nn.init.xavier_uniform_(matrix)
    return model

# %% wrong: projection-like-an-embedding | The generator's projection is drawn from the normal distribution like the embeddings even when it is not tied; untied it is one of the other matrices, which Xavier draws.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    of_words = (
        model.src_embed[0].embedding.weight,
        model.tgt_embed[0].embedding.weight,
        model.generator.proj.weight,
    )
    for parameter in model.parameters():
        if any(parameter is matrix for matrix in of_words):
            parameter.data.normal_(0, parameter.size(-1) ** -0.5)
        elif parameter.dim() >= 2:
            nn.init.xavier_uniform_(parameter)
    return model

# %% wrong: xavier-normal | The other matrices are drawn with xavier_normal_, a normal distribution of that width, although Xavier here draws evenly from -b to b with b = sqrt(6 / (n_in + n_out)).
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for parameter in filter(lambda p: p.dim() > 1, model.parameters()):
            n_out, n_in = parameter.shape
            parameter.normal_(std=math.sqrt(2 / (n_in + n_out)))
        for embed in (model.src_embed, model.tgt_embed):
            table = embed[0].embedding.weight
            table.normal_(std=table.size(1) ** -0.5)
    return model

# %% right: bound-by-hand
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    tables = {id(embed[0].embedding.weight) for embed in (model.src_embed, model.tgt_embed)}
    for parameter in model.parameters():
        if id(parameter) in tables:
            nn.init.normal_(parameter, mean=0.0, std=parameter.shape[1] ** -0.5)
        elif parameter.ndim == 2:
            bound = math.sqrt(6 / sum(parameter.shape))
            nn.init.uniform_(parameter, -bound, bound)
    return model

# %% right: embeddings-on-top
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    matrices = [p for p in model.parameters() if len(p.shape) > 1]
    for matrix in matrices:
        nn.init.xavier_uniform_(matrix)
    for tokens, _places in (model.src_embed, model.tgt_embed):
        table = tokens.embedding.weight
        with torch.no_grad():
            table.normal_().mul_(table.size(-1) ** -0.5)
    return model
