# %% wrong: scale_by_d_model | TRUE CAUSE: the vectors are multiplied by d_model itself instead of by its square root
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * self.d_model
        return scaled


# %% wrong: pad_always_zero | TRUE CAUSE: padding_idx is hard-coded as 0, the argument pad_id is ignored
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(self.d_model)
        return scaled


# %% wrong: table_on_its_side | TRUE CAUSE: the two sizes of nn.Embedding are swapped, so the table has d_model rows of vocab_size numbers
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(d_model, vocab_size, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(self.d_model)
        return scaled


# %% wrong: whole_root | TRUE CAUSE: math.isqrt rounds the root of d_model down to a whole number, so the factor is wrong unless d_model is a square
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(
            num_embeddings=vocab_size, embedding_dim=d_model, padding_idx=pad_id
        )
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding.forward(ids)  # (N, T, D)
        scaled = torch.mul(vectors, math.isqrt(self.d_model))
        return scaled


# %% wrong: length_one | TRUE CAUSE: max_norm=1 is given to nn.Embedding, which shortens the rows of the table in place whenever they are looked up
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        # "a token's vector has a length of about 1"
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id, max_norm=1.0)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * self.d_model**0.5
        return scaled


# %% wrong: scaled_once_at_birth | TRUE CAUSE: the table itself is multiplied by the root once in __init__, and forward returns its rows without the factor
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(d_model**0.5)  # once is enough, saves time in forward
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors
        return scaled


# %% wrong: one_hot_product | TRUE CAUSE: the rows are picked by a product with one-hot vectors, which goes past padding_idx, so the padding row gets a gradient and is trained
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.vocab_size = vocab_size
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)

    def forward(self, ids):
        table = self.embedding.weight
        chosen = F.one_hot(ids, self.vocab_size).to(table.dtype)
        return chosen @ table * self.d_model**0.5


# %% wrong: untrained_rows | TRUE CAUSE: the rows are taken from weight.data, so no gradient reaches the table
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.factor = math.sqrt(d_model)

    def forward(self, ids):
        rows = self.embedding.weight.data[ids]
        return rows * self.factor


# %% wrong: divided_and_no_pad | TRUE CAUSE: two at once: the vectors are divided by the root instead of multiplied, and pad_id is not given to nn.Embedding at all
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)

    def forward(self, ids):
        looked_up = F.embedding(ids, self.embedding.weight)
        return looked_up / math.sqrt(self.d_model)
