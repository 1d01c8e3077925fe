# %% wrong: post_norm | The Encoder is built without norm_first=True, so its layers are post-norm, the paper's default. The notebook wants pre-norm, as in GPT-2.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% wrong: hides_padding_too | The mask hides padding as well as the future. The notebook says that padding gets no mask of its own: what padding finds becomes different, and a text that begins with pad_id would see nothing.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        placed = self.positions(vectors, start)
        real = (ids != self.pad_id)[:, None, None, :]
        mask = causal_mask(ids.size(1), ids.device) & real
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% wrong: own_returns_log_probabilities | The result is log_softmax of the logits, as in the Generator of lesson 08. The notebook wants the logits themselves; the loss and the sampling take the softmax.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, mean=0.0, std=0.02)
        self.embed.embedding.weight = self.project.weight
    def place(self, vectors, start):
        empty = vectors.new_zeros(vectors.size(0), start, vectors.size(2))
        return self.positions(torch.cat([empty, vectors], dim=1))[:, start:]
    def forward(self, ids, start=0):
        x = self.place(self.embed(ids), start)
        x = self.encoder(x, causal_mask(ids.size(1), ids.device))
        return F.log_softmax(self.project(x), dim=-1)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% wrong: own_default_dropout_in_the_stack | dropout is passed to the positions, but not to the Encoder, which keeps its default of 0.1. The argument should reach every part that it concerns.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        sizes = {"d_model": d_model, "num_heads": num_heads, "d_ff": d_ff}
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, **sizes, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        shared = self.embed.embedding.weight
        nn.init.normal_(shared, std=0.02)
        self.project.weight = shared
    def forward(self, ids, start=0):
        length = ids.size(1)
        vectors = F.pad(self.embed(ids), (0, 0, start, 0))
        placed = self.positions(vectors).narrow(1, start, length)
        sees = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        return self.project(self.encoder(placed, sees[None, None]))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
