# %% wrong: gpt2-everywhere | All matrices are drawn from a normal distribution with a standard deviation of 0.02, as GPT-2's are, instead of by Xavier.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, mean=0.0, std=0.02)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model

# %% wrong: deviation-is-the-root | The embeddings are drawn with a standard deviation of the root of d_model instead of 1 over it, so after the scaling their numbers have a deviation of d_model instead of 1.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=math.sqrt(table.size(1)))
    return model

# %% wrong: variance-for-deviation | std is given the variance, 1/d_model, instead of the standard deviation, 1 over the root of d_model, so the embeddings start far too small.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    matrices = [parameter for parameter in model.parameters() if parameter.ndim == 2]
    for matrix in matrices:
        bound = math.sqrt(6 / sum(matrix.shape))
        nn.init.uniform_(matrix, -bound, bound)
    for table in {model.src_embed[0].embedding.weight, model.tgt_embed[0].embedding.weight}:
        nn.init.normal_(table, mean=0.0, std=1 / table.shape[-1])
    return model

# %% wrong: bert-apply-zero-biases | An _init_weights in the manner of BERT and GPT also sets all biases of linear layers to 0, while biases stay as they are.
def make_model(src_vocab, tgt_vocab, **sizes):
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    model.apply(_init_weights)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=table.size(1) ** -0.5)
    return model

# %% wrong: embeddings-first | The embeddings are drawn first and all linear layers by Xavier after them, so with tie_weights the shared matrix, which is the projection's too, is drawn again by Xavier.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for module in model.modules():
        if isinstance(module, nn.Embedding):
            module.weight.data.normal_(0.0, module.embedding_dim**-0.5)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    return model

# %% wrong: stacks-only-and-rows | Two mistakes. Only the matrices of encoder and decoder are drawn by Xavier, so an untied projection keeps PyTorch's start; and the embeddings' deviation is 1 over the root of the vocabulary's size (axis 0 of the table) instead of d_model.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    for stack in (model.encoder, model.decoder):
        for parameter in stack.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
    for embed in (model.src_embed, model.tgt_embed):
        table = embed[0].embedding.weight
        nn.init.normal_(table, std=len(table) ** -0.5)
    return model

# %% wrong: xavier-normal | The matrices are drawn by xavier_normal_, a normal distribution, while the lesson's Xavier draws evenly from -b to b.
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    draw = {True: nn.init.xavier_normal_, False: lambda vector: vector}
    for parameter in model.parameters():
        draw[parameter.dim() > 1](parameter)
    for embed in (model.src_embed, model.tgt_embed):
        tokens = embed[0].embedding
        nn.init.normal_(tokens.weight, std=1 / math.sqrt(tokens.embedding_dim))
    return model

# %% right: bound-by-hand
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    tables = (model.src_embed[0].embedding.weight, model.tgt_embed[0].embedding.weight)
    with torch.no_grad():
        for parameter in model.parameters():
            if any(parameter is table for table in tables):
                parameter.normal_(0, parameter.size(1) ** -0.5)
            elif parameter.dim() >= 2:
                bound = (6 / (parameter.size(0) + parameter.size(1))) ** 0.5
                parameter.uniform_(-bound, bound)
    return model

# %% right: by-module
def make_model(src_vocab, tgt_vocab, **sizes):
    def draw(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
    model = Transformer(src_vocab, tgt_vocab, **sizes).apply(draw)
    d_model = model.src_embed[0].embedding.embedding_dim
    for embed in (model.src_embed, model.tgt_embed):
        if isinstance(embed[1], LearnedPositionalEmbedding):
            for table in embed[1].parameters():
                nn.init.normal_(table, std=0.02)
        nn.init.normal_(embed[0].embedding.weight, std=d_model**-0.5)
        if embed[0].embedding.padding_idx is not None:
            with torch.no_grad():
                embed[0].embedding.weight[model.pad_id].zero_()
    return model
