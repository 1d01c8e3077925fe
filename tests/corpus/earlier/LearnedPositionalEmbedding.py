# %% wrong: own_enumerates_the_batch | enumerate(x) counts the sentences, the first axis, and not the words, so all words of a sentence get the row of the sentence's number in the batch
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        if start + x.shape[1] > self.max_len:
            raise ValueError(f"{x.shape[1]} is more than max_len={self.max_len}")
        table = self.embedding.weight
        return self.dropout(torch.stack([words + table[pos] for pos, words in enumerate(x, start)]))
# %% wrong: own_batch_taken_for_time | axis 0 of x is taken for time, as in (T, N, D), so every word of a sentence gets the vector of the sentence's number in the batch, and the length check counts sentences
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
    def forward(self, x, start=0):
        steps = x.shape[0]
        if start + steps > self.embedding.num_embeddings:
            raise ValueError(f"no row for position {steps - 1}")
        ids = torch.arange(start, start + steps, device=x.device)
        where = self.embedding(ids)[:, None, :]
        return self.drop(x + where)

# %% wrong: tensor-with-requires-grad | the table is a plain tensor with requires_grad=True and no nn.Parameter: parameters() does not have it, so no optimizer trains it, and it is neither saved nor moved.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.table = torch.randn(max_len, d_model, requires_grad=True)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        stop = start + x.size(1)
        if stop > self.max_len:
            raise ValueError(f"{stop} positions, but the table has {self.max_len}")
        return self.dropout(x + self.table[start:stop])

# %% wrong: buffer-and-dropout | Two mistakes. The table is a buffer, so it is saved but never learned; and dropout acts on the positions' vectors alone instead of on the sum.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.register_buffer("table", torch.randn(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(f"got {end} positions, but there are {self.max_len}")
        return x + self.dropout(self.table[start:end])
