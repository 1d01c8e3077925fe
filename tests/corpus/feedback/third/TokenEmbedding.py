# %% wrong: divided_by_root | TRUE CAUSE: divides by the root of d_model instead of multiplying, mixed up with the scale of the attention scores
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors / math.sqrt(self.d_model)
        return scaled

# %% wrong: table_sizes_swapped | TRUE CAUSE: the table is made as nn.Embedding(d_model, vocab_size): number of rows and length of a row are swapped
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(d_model, vocab_size, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors * self.d_model**0.5
        return scaled

# %% wrong: padding_row_fixed_at_zero | TRUE CAUSE: padding_idx=0 is written down instead of pad_id, so with another pad_id the ordinary token 0 is kept at zero and never trained
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

# %% wrong: root_of_wrong_axis | TRUE CAUSE: scales by the root of vectors.size(1), which is the sentence length T, not d_model
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)

    def forward(self, ids):
        vectors = self.embedding(ids)
        return vectors * math.sqrt(vectors.size(1))

# %% wrong: scaled_once_when_made | TRUE CAUSE: multiplies the table itself once in __init__ and not the vectors in forward, so the factor is lost as soon as other weights are loaded, drawn or trained
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            # do it once here, so forward is faster
            self.embedding.weight *= math.sqrt(d_model)
        self.d_model = d_model

    def forward(self, ids):
        scaled = self.embedding(ids)
        return scaled

# %% wrong: one_hot_linear | TRUE CAUSE: uses nn.Linear on one-hot vectors as the table, which adds a bias to every token and stores the weight as (d_model, vocab_size)
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Linear(vocab_size, d_model)
        self.d_model = d_model

    def forward(self, ids):
        one_hot = F.one_hot(ids, self.vocab_size).float()
        vectors = self.embedding(one_hot)
        return vectors * self.d_model**0.5

# %% wrong: extra_row_and_no_root | TRUE CAUSE: two mistakes: the table has one row too many (vocab_size + 1, a row for padding on top), and the vectors are multiplied by d_model, not by its root
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size + 1, d_model, padding_idx=pad_id)  # + padding
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors * self.d_model
        return scaled
