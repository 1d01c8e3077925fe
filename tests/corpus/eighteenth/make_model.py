# %% wrong: annotated-xavier-for-all | All matrices are drawn by Xavier, both embeddings too, as in the Annotated Transformer; they are never drawn from a normal distribution with the standard deviation 1/sqrt(d_model). Their numbers get the smaller the larger the vocabulary is.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return model

# %% wrong: axis-of-the-vocabulary | The standard deviation of the embeddings is 1 over the root of the number of rows, the vocabulary's size, where it is 1 over the root of d_model, the number of columns: table.size(1), not table.size(0).
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    matrices = [parameter for parameter in model.parameters() if parameter.ndim >= 2]
    for matrix in matrices:
        nn.init.xavier_uniform_(matrix)
    for table in (model.src_embed[0].embedding.weight, model.tgt_embed[0].embedding.weight):
        nn.init.normal_(table, mean=0.0, std=1 / math.sqrt(table.size(0)))
    return model

# %% wrong: mingpt-init | Everything is drawn as in GPT-2, normally with the fixed standard deviation 0.02: linear layers have to be drawn by Xavier, and embeddings with 1/sqrt(d_model).
def make_model(src_vocab, tgt_vocab, **sizes):
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    model.apply(_init_weights)
    return model

# %% wrong: linear-layers-last | The embeddings are drawn first and all nn.Linear weights by Xavier after them. With tie_weights the projection is the embedding's matrix, so Xavier overwrites it: the tied matrix has to start like the embedding (untied models come out right).
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    return model

# %% wrong: variance-and-biases | Two mistakes. The standard deviation of the embeddings is 1/d_model, the variance taken for the deviation (it is the root, 1/sqrt(d_model)); and the biases of all linear layers are set to 0, where biases have to stay as they are.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2:
            nn.init.xavier_uniform_(parameter)
        elif name.endswith("bias"):
            nn.init.constant_(parameter, 0.0)
    for side in ("src_embed", "tgt_embed"):
        tokens = getattr(model, side)[0]
        vocab, d_model = tokens.embedding.weight.shape
        nn.init.normal_(tokens.embedding.weight, 0.0, 1.0 / d_model)
    return model

# %% right: bound-by-hand
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    tables = [model.src_embed[0].embedding.weight, model.tgt_embed[0].embedding.weight]
    with torch.no_grad():
        for weight in model.parameters():
            if any(weight is table for table in tables):
                weight.normal_(0.0, 1.0 / math.sqrt(weight.shape[1]))
            elif weight.dim() > 1:
                bound = math.sqrt(6.0 / sum(weight.shape))
                weight.uniform_(-bound, bound)
    return model
