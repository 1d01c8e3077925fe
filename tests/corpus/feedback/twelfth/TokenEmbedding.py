# %% wrong: root_of_the_sentence_length | TRUE CAUSE: the factor is the root of ids.size(-1), the number of tokens T, and not the root of d_model
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(ids.size(-1))
        return scaled

# %% wrong: table_with_max_norm | TRUE CAUSE: nn.Embedding is made with max_norm=1.0, so each lookup shortens the rows of the table in place to length 1, and the result is not the row times the root of d_model
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

# %% wrong: own_scaled_once_at_the_start | TRUE CAUSE: the table is multiplied by the root of d_model once in __init__ and not at each lookup in forward, so for any weights loaded or trained later the result is the bare row
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))

    def forward(self, ids):
        return F.embedding(ids, self.embedding.weight, padding_idx=self.embedding.padding_idx)

# %% wrong: own_transposed_before_flattening | TRUE CAUSE: ids.T is flattened, which lists the tokens time first, but the looked-up rows are laid out as (N, T, D), so the vectors land at the wrong sentences and places
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.factor = d_model**0.5

    def forward(self, ids):
        count, length = ids.shape
        rows = torch.index_select(self.embedding.weight, 0, ids.T.flatten())
        return self.factor * rows.reshape(count, length, -1)
