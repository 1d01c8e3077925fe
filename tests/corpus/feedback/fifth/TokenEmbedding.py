# %% wrong: padding_row_is_always_zero | TRUE CAUSE: padding_idx=0 is fixed instead of pad_id: if padding is another token, token 0 is kept at 0 and never trained
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

# %% wrong: rows_from_the_data | TRUE CAUSE: the rows are read from weight.data, which is cut off from the gradients: the values are right, but the table can never learn
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)  # blank: table
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding.weight.data[ids]  # (N, T, D); blank: lookup
        scaled = vectors * self.d_model**0.5
        return scaled

# %% wrong: table_scaled_once_at_the_start | TRUE CAUSE: the factor is multiplied into the table when the module is made, and not applied in forward: the result is the bare row, and a table that is set or loaded later is not scaled at all
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
        with torch.no_grad():
            self.embedding.weight *= math.sqrt(d_model)

    def forward(self, ids):
        return self.embedding(ids)  # (N, T, D)

# %% wrong: root_of_the_length | TRUE CAUSE: vectors.size(1) is the number of tokens T and not d_model: the factor is the root of the sentence's length
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)  # blank: table
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D); blank: lookup
        scaled = vectors * math.sqrt(vectors.size(1))
        return scaled
