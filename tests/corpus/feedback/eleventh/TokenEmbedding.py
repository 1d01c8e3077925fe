# %% wrong: scale_by_number_of_tokens | TRUE CAUSE: forward scales by the root of vectors.size(1), which is the number of tokens T, instead of the root of d_model, so results depend on the sentence length and differ whenever T != d_model
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(vectors.size(1))
        return scaled

# %% wrong: table_with_max_norm | TRUE CAUSE: the student takes "each vector has a length of about 1" as a rule for the table and gives nn.Embedding max_norm=1.0, so each lookup overwrites longer rows of the table by rows of length 1 (in place) and returns these scaled instead of the rows themselves
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id, max_norm=1.0)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * self.d_model**0.5
        return scaled

# %% wrong: own_scaled_table_made_once | TRUE CAUSE: __init__ stores a detached scaled copy of the table and forward looks up in this copy, so weights that are loaded or trained later do not change the result and embedding.weight gets no gradient
class TokenEmbedding(nn.Module):
    """Token ids -> vectors times sqrt(d_model)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        table = self.embedding.weight.detach() * math.sqrt(d_model)
        self.register_buffer("table", table, persistent=False)

    def forward(self, ids):
        return torch.stack([self.table[sentence] for sentence in ids])

# %% wrong: own_scales_the_weights_in_place | TRUE CAUSE: forward multiplies the table itself in place through .data (*=) instead of the looked-up vectors, so every call makes the weights sqrt(d_model) times larger and no gradient reaches them
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)
        self.root = d_model**0.5

    def forward(self, ids):
        rows = self.embedding.weight.data
        rows *= self.root
        n, t = ids.shape
        return rows[ids.reshape(-1)].reshape(n, t, -1)
