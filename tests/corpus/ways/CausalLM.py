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


# %% right: tenth_own_shared_matrix_first
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        shared = self.embed.embedding.weight
        with torch.no_grad():
            shared.normal_(0.0, 0.02)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = shared

    def forward(self, ids, start=0):
        T = ids.shape[1]
        x = self.embed(ids)
        empty = x.new_zeros(x.shape[0], start, x.shape[2])
        x = self.positions(torch.cat([empty, x], dim=1))[:, start : start + T]
        return self.project(self.encoder(x, causal_mask(T).to(ids.device)))

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


# %% right: eleventh_own_tril_mask
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        table = self.embed.embedding.weight
        nn.init.normal_(table, mean=0.0, std=0.02)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = table

    def forward(self, ids, start=0):
        length = ids.shape[1]
        sees = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
        x = F.pad(self.embed(ids), (0, 0, start, 0))
        x = self.positions(x).narrow(1, start, length)
        return self.project(self.encoder(x, sees))
# %% right: eleventh_own_add_module
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        parts = {
            "embed": TokenEmbedding(vocab_size, d_model, pad_id),
            "positions": PositionalEncoding(d_model, dropout),
            "encoder": Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True),
            "project": nn.Linear(d_model, vocab_size, bias=False),
        }
        for name, part in parts.items():
            self.add_module(name, part)
        self.embed.embedding.weight = self.project.weight
        with torch.no_grad():
            self.project.weight.normal_(0.0, 0.02)

    def forward(self, ids, start=0):
        n, t = ids.shape
        x = self.embed(ids)
        empty = x.new_zeros(n, start, x.size(-1))
        x = self.positions(torch.cat([empty, x], dim=1))[:, -t:]
        h = self.encoder(x, causal_mask(t).to(ids.device))
        return h @ self.project.weight.T


# %% right: twelfth_own_comparison_mask
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        nn.init.normal_(self.embed.embedding.weight, mean=0.0, std=0.02)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        length = ids.size(1)
        row = torch.arange(length, device=ids.device)
        sees = row[None, :] <= row[:, None]
        x = F.pad(self.embed(ids), (0, 0, start, 0))
        x = self.positions(x).narrow(1, start, length)
        return self.project(self.encoder(x, sees))
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
