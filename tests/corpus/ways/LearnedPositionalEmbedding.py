# %% right: twelfth_own_word_by_word
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
    def row(self, number, device):
        return self.embedding(torch.tensor(number, device=device))
    def forward(self, x, start=0):
        if start + x.size(1) > self.embedding.num_embeddings:
            raise ValueError("too many positions")
        summed = [word + self.row(t, x.device) for t, word in enumerate(x.unbind(dim=1), start)]
        return self.drop(torch.stack(summed, dim=1))
# %% right: thirteenth_own_first_rows_of_the_table
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.drop = nn.Dropout(p=dropout)
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
    def forward(self, x, start=0):
        table = self.embedding.weight  # (max_len, D)
        if start + x.size(1) > len(table):
            raise ValueError(f"{x.size(1)} positions, but the table has {len(table)} rows")
        return self.drop(x + table[start : start + x.size(1)])
