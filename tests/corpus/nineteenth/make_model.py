# %% wrong: embeddings-left-to-xavier | In the manner of The Annotated Transformer: every matrix is drawn by Xavier, the embeddings too. The text has these drawn from a normal distribution with deviation 1/sqrt(d_model).
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return model

# %% wrong: root-instead-of-its-inverse | The deviation of the embeddings is the root of d_model instead of 1 over it: scaled by the root, the numbers get a deviation of d_model instead of 1.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=math.sqrt(table.size(1)))
    return model

# %% wrong: bound-from-the-inputs-alone | The bound of the uniform distribution is sqrt(6 / n_in), as in Kaiming's rule; Xavier's has both sizes, sqrt(6 / (n_in + n_out)).
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                bound = math.sqrt(6 / parameter.size(1))
                parameter.uniform_(-bound, bound)
        for embed in (model.src_embed, model.tgt_embed):
            table = embed[0].embedding.weight
            table.normal_(std=table.size(1) ** -0.5)
    return model

# %% wrong: biases-to-zero | In the manner of fairseq's Linear and Embedding: the biases of all linear layers are set to 0 too, while the text says that vectors are left as they are.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for m in model.modules():
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
            if m.bias is not None:
                nn.init.constant_(m.bias, 0.0)
    for embed in (model.src_embed, model.tgt_embed):
        weight = embed[0].embedding.weight
        nn.init.normal_(weight, mean=0, std=weight.size(1) ** -0.5)
    return model

# %% wrong: tied-matrix-drawn-again | The embeddings are drawn first and the linear layers after them. With tie_weights the generator's projection is the embedding, so Xavier overwrites it; it has to start like the embedding.
def make_model(src_vocab, tgt_vocab, **sizes):
    def init_weights(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for table in (model.src_embed[0].embedding, model.tgt_embed[0].embedding):
        nn.init.normal_(table.weight, std=1 / math.sqrt(table.embedding_dim))
    model.apply(init_weights)
    return model

# %% right: drawn-by-hand
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    tables = [part[0].embedding.weight for part in (model.src_embed, model.tgt_embed)]
    with torch.no_grad():
        for matrix in model.parameters():
            if matrix.dim() < 2:
                continue
            if any(matrix is table for table in tables):
                matrix.normal_(0.0, matrix.shape[1] ** -0.5)
            else:
                bound = (6 / sum(matrix.shape)) ** 0.5
                matrix.uniform_(-bound, bound)
    return model

# %% right: apply-then-tables
def make_model(src_vocab, tgt_vocab, **sizes):
    def draw(module):
        for parameter in module.parameters(recurse=False):
            if parameter.dim() == 2:
                nn.init.xavier_uniform_(parameter)
    model = Transformer(src_vocab, tgt_vocab, **sizes).apply(draw)
    for part in [model.src_embed, model.tgt_embed]:
        rows = part[0].embedding.weight
        nn.init.normal_(rows, std=1 / math.sqrt(rows.size(-1)))
    return model
