# %% wrong: divided_by_the_root | TRUE CAUSE: the vectors are divided by the root of d_model, as the scores in attention are, instead of multiplied by it
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)  # blank: table
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors / math.sqrt(self.d_model)
        return scaled


# %% wrong: table_scaled_once | TRUE CAUSE: the table's starting numbers are multiplied by the root of d_model once in __init__, and the vectors that are looked up are not scaled: with other weights loaded or shared the factor is missing
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))

    def forward(self, ids):
        return self.embedding(ids)  # (N, T, D)


# %% wrong: power_one_half_precedence | TRUE CAUSE: d_model ** 1 / 2 is d_model divided by 2, since ** binds tighter than /; it equals the root only for d_model = 4
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)  # blank: table
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors * self.d_model ** 1 / 2
        return scaled
