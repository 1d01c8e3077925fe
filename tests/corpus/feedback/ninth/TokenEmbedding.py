# %% wrong: rows_of_weight_data | TRUE CAUSE: the lookup reads self.embedding.weight.data, which is cut off from autograd, so the values are right but no gradient ever reaches the table
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

# %% wrong: root_of_the_sentence_length | TRUE CAUSE: the factor is the root of vectors.size(1), which is the number of tokens T, instead of the root of d_model
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * vectors.size(1) ** 0.5
        return scaled

# %% wrong: own_whole_numbered_root | TRUE CAUSE: the factor is math.isqrt(d_model), the root rounded down to a whole number, so it is too small for every d_model that is no square number (2 instead of 2.83 for 8)
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.factor = math.isqrt(d_model)
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)

    def forward(self, ids):
        return torch.stack([self.embedding(row) for row in ids]) * self.factor

# %% wrong: own_scales_the_table_itself | TRUE CAUSE: table is the same memory as embedding.weight and is multiplied in place in each forward, so the table itself grows by the root of d_model in every call
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.root = d_model**0.5

    def forward(self, ids):
        table = self.embedding.weight.detach()
        table *= self.root
        return self.embedding(ids)
