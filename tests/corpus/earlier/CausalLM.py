# %% wrong: own_mask_for_what_was_read_before | The mask gets a column for each of the `start` tokens read earlier, (1, 1, T, start + T), though without a cache the keys are those of the T ids alone: with start above 0 the mask does not fit the scores.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = self.project.weight
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        end = start + ids.size(1)
        x = F.pad(self.embed(ids), (0, 0, start, 0))  # (N, start + T, D)
        x = self.positions(x)[:, start:end]
        visible = causal_mask(end, ids.device)[:, :, start:]  # a row for each of the ids
        hidden = self.encoder(x, visible)
        return self.project(hidden)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits

# %% wrong: second_parameter_over_same_numbers | nn.Parameter(...) around the embedding's weight makes a second parameter over the same numbers, so embedding and projection are not one and the same parameter: each has its own gradient and the matrix counts twice
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight)
        nn.init.normal_(self.project.weight, std=0.02)
    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        placed = self.positions(vectors, start)
        mask = causal_mask(ids.size(1)).to(ids.device)
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
