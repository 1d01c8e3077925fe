# %% right: tied_the_other_way
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.encoder = Encoder(
            num_layers,
            d_model=d_model,
            num_heads=num_heads,
            d_ff=d_ff,
            dropout=dropout,
            norm_first=True,
        )
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.embed.embedding.weight = self.project.weight
        with torch.no_grad():
            self.project.weight.normal_(mean=0.0, std=0.02)

    def forward(self, ids, start=0):
        batch, length = ids.shape
        vectors = self.embed(ids)
        before = vectors.new_zeros(batch, start, vectors.size(-1))
        placed = self.positions(torch.cat([before, vectors], dim=1))[:, start:]
        hidden = self.encoder(placed, causal_mask(length, device=ids.device))
        return self.project(hidden)

# %% right: product_with_the_table
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)  # blank: stack
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight  # blank: tied
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(size=placed.size(1), device=placed.device)
        hidden = self.encoder(placed, mask)
        logits = hidden @ self.project.weight.T  # (N, T, V)
        return logits


# %% right: own_one_table
class CausalLM(nn.Module):
    """Token table -> positions -> masked pre-norm stack -> the same table."""

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
