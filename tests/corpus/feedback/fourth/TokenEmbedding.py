# %% wrong: divided_by_the_root | TRUE CAUSE: the vectors are divided by the root of d_model, as scores are in attention, instead of multiplied
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


# %% wrong: root_by_power_of_one_half | TRUE CAUSE: d_model ** 1 / 2 is half of d_model, since the power comes before the division; it should be ** 0.5 (the two agree for d_model = 4)
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


# %% wrong: table_sizes_swapped | TRUE CAUSE: the sizes of the table are swapped: d_model rows of vocab_size numbers
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(d_model, vocab_size)  # blank: table
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors * math.sqrt(self.d_model)
        return scaled


# %% wrong: padding_is_always_row_0 | TRUE CAUSE: the padding row is fixed at 0 instead of pad_id, so with another pad_id the row of a real token is 0 and is never trained
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)  # blank: table
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors * math.sqrt(self.d_model)
        return scaled


# %% wrong: table_scaled_once | TRUE CAUSE: the factor is multiplied into the table in __init__ instead of into what is looked up, so it is gone as soon as the table is set or trained, and embedding.weight is not the table of the text
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.embedding.weight.data *= math.sqrt(d_model)

    def forward(self, ids):
        return self.embedding(ids)


# %% wrong: frozen_table | TRUE CAUSE: nn.Embedding.from_pretrained freezes the table unless freeze=False is given, so it is not trained
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        table = torch.randn(vocab_size, d_model)
        table[pad_id] = 0.0
        self.embedding = nn.Embedding.from_pretrained(table, padding_idx=pad_id)
        self.scale = d_model**0.5

    def forward(self, ids):
        return self.embedding(ids) * self.scale


# %% wrong: scaled_by_the_sentence | TRUE CAUSE: two mistakes: the factor is the root of the sentence's length instead of d_model, and the table is called `table` and not `embedding`
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)

    def forward(self, ids):
        vectors = self.table(ids)
        return vectors * math.sqrt(vectors.size(1))
