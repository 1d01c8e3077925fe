# %% wrong: padding_idx_in_the_position_table | TRUE CAUSE: the table is made with padding_idx=0 as in TokenEmbedding, so the row of position 0 is zero and is never trained
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=0)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: positions_scaled_like_tokens | TRUE CAUSE: the looked-up positions are multiplied by the root of d_model as in TokenEmbedding, where the table's rows should be added as they are
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position) * math.sqrt(x.shape[-1]))
        return output

# %% wrong: own_new_dropout_in_each_call | TRUE CAUSE: forward makes a new nn.Dropout in each call, which always starts in train mode, so numbers are dropped in eval mode, too
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.p = dropout

    def forward(self, x):
        places = torch.arange(x.shape[1], device=x.device)
        if len(places) > self.embedding.num_embeddings:
            raise ValueError("x is longer than max_len")
        return nn.Dropout(self.p)(x + self.embedding(places)[None, :, :])

# %% wrong: own_enumerates_the_batch | TRUE CAUSE: enumerate(x) counts the sentences, the first axis, and not the words, so all words of a sentence get the row of the sentence's number in the batch
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        if x.shape[1] > self.max_len:
            raise ValueError(f"{x.shape[1]} is more than max_len={self.max_len}")
        table = self.embedding.weight
        return self.dropout(torch.stack([words + table[pos] for pos, words in enumerate(x)]))
