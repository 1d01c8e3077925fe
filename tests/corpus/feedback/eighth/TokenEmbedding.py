# %% wrong: divides_by_root | TRUE CAUSE: the vectors are divided by the root of d_model instead of multiplied (mixed up with the scaling of the scores in attention).
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors / math.sqrt(self.d_model)
        return scaled


# %% wrong: table_scaled_once_at_start | TRUE CAUSE: the table itself is multiplied by the root of d_model in __init__ and forward applies no factor, so the factor is a starting value and is gone when weights are set, trained or loaded.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(d_model ** 0.5)
        self.d_model = d_model

    def forward(self, ids):
        return self.embedding(ids)


# %% wrong: factor_without_root_and_pad_zero | TRUE CAUSE: two mistakes: the factor is d_model and not its root, and padding_idx is always 0 instead of pad_id, so that a real token's row 0 is zeroed and not trained when padding is another id.
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * self.d_model
        return scaled
