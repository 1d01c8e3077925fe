# %% wrong: parameter-of-the-same-numbers | A new nn.Parameter is made around the embedding's data: it shares the memory, but is a second parameter, so embedding and projection are not one and the same, each has a gradient of its own and is stepped for itself.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.data)
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

# %% wrong: generator-log-softmax | The result is log-probabilities, as those of the Generator of lesson 08, while this model returns logits.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        hidden = self.positions(self.embed(ids), start)
        hidden = self.encoder(hidden, mask=causal_mask(ids.size(1), ids.device))
        return F.log_softmax(self.project(hidden), dim=-1)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% wrong: nanogpt-last-position | Outside training, only the last position is projected (nanoGPT's short cut for writing), so in eval mode the result is (N, 1, V), while the contract is (N, T, V) in every mode.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        b, t = ids.size()
        x = self.positions(self.embed(ids), start)
        x = self.encoder(x, causal_mask(t, ids.device))
        if self.training:
            logits = self.project(x)
        else:
            logits = self.project(x[:, [-1], :])
        return logits
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% right: nanogpt
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = self.project.weight
        self.apply(self._init_weights)
    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        b, t = ids.size()
        x = self.positions(self.embed(ids), start)
        ahead = torch.tril(torch.ones(t, t, device=ids.device)).view(1, 1, t, t)
        x = self.encoder(x, ahead == 1)
        return self.project(x)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits

# %% right: layer-by-layer
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        stack = dict(d_model=d_model, num_heads=num_heads, d_ff=d_ff, dropout=dropout)
        self.encoder = Encoder(num_layers=num_layers, norm_first=True, **stack)
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id=pad_id)
        table = self.embed.embedding.weight
        nn.init.normal_(table, std=0.02)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = table
    def forward(self, ids, start=0):
        place = torch.arange(ids.size(1), device=ids.device)
        mask = (place[:, None] >= place)[None, None]
        x = self.positions(self.embed(ids), start)
        for layer in self.encoder.layers:
            x = layer(x, mask)
        return F.linear(self.encoder.norm(x), self.embed.embedding.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])
        logits = self.project(newest)
        return logits
