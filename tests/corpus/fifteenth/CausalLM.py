# %% wrong: clone-in-place-of-tie | The projection gets a copy of the embedding's matrix (clone in a new Parameter), not the same parameter: there are two matrices that learn apart, and only the projection's is drawn with a deviation of 0.02.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.clone())
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: tied-after-the-draw | As in some GPT code the tie comes last: the projection is drawn with 0.02 and then replaced by the embedding's matrix, which still has nn.Embedding's deviation of 1, so a new model's logits are large and some tokens are strongly preferred.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(
            num_layers, d_model, num_heads, d_ff, dropout=dropout, norm_first=True
        )
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, mean=0.0, std=0.02)
        self.project.weight = self.embed.embedding.weight
    def forward(self, ids, start=0):
        x = self.positions(self.embed(ids), start)
        x = self.encoder(x, causal_mask(ids.shape[1], device=ids.device))
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: post-norm-and-no-pad-id | Two mistakes: norm_first is not passed, so the layers are post-norm and there is no last norm; and pad_id is not passed to the embedding, which takes 0 as padding whatever was asked for.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: padding-masked-too | The causal mask is joined with a mask that hides padding, as in the translator's decoder: padding gets no mask of its own here, so what padding positions find is different (and a text that begins with padding sees nothing).
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def make_mask(self, ids):
        real = (ids != self.pad_id).unsqueeze(1).unsqueeze(2)
        return real & causal_mask(ids.size(1), ids.device)
    def forward(self, ids, start=0):
        placed = self.positions(self.embed(ids), start)
        hidden = self.encoder(placed, self.make_mask(ids))
        return self.project(hidden)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: probabilities-returned | The model returns a log-softmax, as the Generator of the translator does, and not logits (in read_on, too).
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def generator(self, x):
        return F.log_softmax(self.project(x), dim=-1)
    def forward(self, ids, start=0):
        placed = self.positions(self.embed(ids), start)
        mask = causal_mask(ids.size(1), ids.device)
        return self.generator(self.encoder(placed, mask))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        return self.generator(self.encoder.norm(x[:, -1]))

# %% wrong: start-and-dropout-lost | Two mistakes: forward does not pass start to the positions, so every text begins at position 0; and dropout is not passed to the encoder, whose layers keep their default 0.1 (dropout=0.0 still drops in training).
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        B, T = ids.size()
        x = self.positions(self.embed(ids))
        x = self.encoder(x, causal_mask(T, ids.device))
        logits = self.project(x)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% right: tied-the-other-way
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, mean=0.0, std=0.02)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.embed.embedding.weight = self.project.weight
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(
            num_layers=num_layers,
            d_model=d_model,
            num_heads=num_heads,
            d_ff=d_ff,
            dropout=dropout,
            norm_first=True,
        )
    def forward(self, ids, start=0):
        b, t = ids.size()
        x = self.positions(self.embed(ids), start)
        x = self.encoder(x, causal_mask(t, ids.device))
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% right: tril-and-matmul
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        with torch.no_grad():
            self.project.weight.normal_(0.0, 0.02)
    def forward(self, ids, start=0):
        T = ids.shape[-1]
        tril = torch.tril(torch.ones(1, 1, T, T, dtype=torch.bool, device=ids.device))
        hidden = self.encoder(self.positions(self.embed(ids), start), tril)
        return hidden @ self.embed.embedding.weight.T
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits
