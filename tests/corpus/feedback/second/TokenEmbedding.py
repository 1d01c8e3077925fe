# %% wrong: no_padding_idx | TRUE CAUSE: the table is made without padding_idx, so the row of the padding is not 0 and is trained
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(self.d_model)
        return scaled


# %% wrong: divided | TRUE CAUSE: the vectors are divided by the root of d_model (exponent -0.5, as in attention) instead of multiplied by it
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = F.embedding(ids, self.embedding.weight, padding_idx=self.embedding.padding_idx)
        scaled = vectors * self.d_model**-0.5
        return scaled


# %% wrong: scaled_once | TRUE CAUSE: the table itself is multiplied by the root of d_model once in __init__ instead of the vectors in each forward, so a table that is loaded or drawn anew is not scaled
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(d_model**0.5)  # once is cheaper than in each call

    def forward(self, ids):
        return self.embedding(ids)


# %% wrong: vocab_root_and_pad_0 | TRUE CAUSE: two mistakes: the factor is the root of vocab_size instead of d_model, and the padding row is always 0 whatever pad_id says
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.factor = math.sqrt(self.embedding.weight.shape[0])

    def forward(self, ids):
        return self.factor * self.embedding(ids)


# %% wrong: lookup_in_data | TRUE CAUSE: the rows are taken from weight.data, which is cut off from autograd, so the table gets no gradient
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding.weight.data[ids]  # (N, T, D)
        scaled = vectors * math.sqrt(self.d_model)
        return scaled
