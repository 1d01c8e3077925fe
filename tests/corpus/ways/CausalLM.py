# %% right: own_one_table
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.embed.embedding.weight = self.project.weight
        with torch.no_grad():
            self.project.weight.normal_(0.0, 0.02)
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.encoder = Encoder(
            num_layers=num_layers,
            d_model=d_model,
            num_heads=num_heads,
            d_ff=d_ff,
            dropout=dropout,
            norm_first=True,
        )
    def _place(self, emb, start):
        empty = emb.new_zeros(emb.shape[0], start, emb.shape[2])
        return self.positions(torch.cat((empty, emb), dim=1))[:, start:]
    def forward(self, ids, start=0):
        x = self._place(self.embed(ids), start)
        return self.project(self.encoder(x, causal_mask(ids.shape[1], ids.device)))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% right: tenth_own_helper_and_einsum
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.positions = PositionalEncoding(d_model, dropout)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.embed.embedding.weight = self.project.weight  # the same object, the other way round
        nn.init.normal_(self.embed.embedding.weight, 0.0, 0.02)
    def place(self, ids, start):
        vectors = self.embed(ids)
        n, t, d = vectors.shape
        room = torch.zeros(n, start + t, d, dtype=vectors.dtype, device=vectors.device)
        room = room.index_copy(1, torch.arange(start, start + t, device=ids.device), vectors)
        return self.positions(room).narrow(1, start, t)
    def forward(self, ids, start=0):
        mask = causal_mask(ids.size(-1)).to(ids.device)
        hidden = self.encoder(self.place(ids, start), mask)
        return torch.einsum("ntd,vd->ntv", hidden, self.project.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% right: twelfth_own_embedding_takes_projection
def no_future(n, device):
    return ~torch.ones(n, n, dtype=torch.bool, device=device).triu(diagonal=1)
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        with torch.no_grad():
            self.project.weight.normal_(0.0, 0.02)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.embed.embedding.weight = self.project.weight
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
    def forward(self, ids, start=0):
        n, t = ids.shape
        x = self.embed(ids)
        empty = x.new_zeros(n, start, x.size(2))
        x = self.positions(torch.cat([empty, x], dim=1))[:, start:]
        return torch.matmul(self.encoder(x, no_future(t, ids.device)), self.project.weight.T)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% right: own_mask_by_hand
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        shared = nn.Parameter(0.02 * torch.randn(vocab_size, d_model))
        for layer in (self.embed.embedding, self.project):
            layer.weight = shared
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
    def forward(self, ids, start=0):
        T = ids.shape[-1]
        h = self.positions(F.pad(self.embed(ids), (0, 0, start, 0)))[:, -T:]
        t = torch.arange(T, device=ids.device)
        may_see = (t.view(1, 1, T, 1) >= t.view(1, 1, 1, T))
        h = self.encoder(h, may_see)
        return torch.einsum("ntd,vd->ntv", h, self.project.weight)
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, start + T)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        hidden = self.encoder.norm(x[:, -1])
        logits = self.project(hidden)
        return logits
# %% right: field_dict_of_parts_and_tied_head
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
        if isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, idx, start=0):
        b, t = idx.size()
        x = self.positions(self.embed(idx), start)
        x = self.encoder(x, torch.ones(t, t, dtype=torch.bool, device=idx.device).tril())
        return self.project(x)
    def read_on(self, ids, start, caches):
        """Read the next tokens, (N, T), and return the logits after the last one, (N, V).

        The `start` tokens before them were read with the same caches, one for each layer.
        """
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits
# %% right: field_init_by_apply_for_all_matrices
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
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
    def forward(self, ids, start=0):
        b, t = ids.size()
        bias = torch.tril(torch.ones(t, t, device=ids.device)).view(1, 1, t, t)
        x = self.positions(self.embed(ids), start=start)
        return self.project(self.encoder(x, bias == 1))
    def read_on(self, ids, start, caches):
        x = self.positions(self.embed(ids), start)
        mask = causal_mask(start + ids.size(1), ids.device)[:, :, start:]  # (1, 1, T, T_k)
        for layer, cache in zip(self.encoder.layers, caches, strict=True):
            x = cached_layer(layer, x, cache, mask)
        newest = self.encoder.norm(x[:, -1])  # (N, D): the others predict nothing new
        logits = self.project(newest)
        return logits
