# %% wrong: root_of_time_axis | TRUE CAUSE: the factor is the root of vectors.size(1), the number of tokens T, not of d_model: axis 1 was taken for the features
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)
        scaled = vectors * vectors.size(1) ** 0.5
        return scaled


# %% wrong: table_scaled_once_at_the_start | TRUE CAUSE: the table is multiplied by the root of d_model once in __init__ and forward does not scale, so a table that is set, loaded or started small later is looked up without the factor
class TokenEmbedding(nn.Module):

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
        # scale the table now, then it need not be done for each sentence
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))

    def forward(self, ids):
        return self.embedding(ids)


# %% wrong: rows_of_weight_data | TRUE CAUSE: rows are taken from embedding.weight.data, which is outside of autograd, so the values are right but no gradient reaches the table and it never learns
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        table = self.embedding.weight.data  # (vocab_size, D)
        return table[ids] * math.sqrt(self.d_model)
