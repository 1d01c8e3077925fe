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
# %% right: field_parameter_with_a_batch_axis
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_emb = nn.Parameter(torch.zeros(1, max_len, d_model))
        self.drop = nn.Dropout(dropout)
    def forward(self, x, start=0):
        b, t, _ = x.size()
        if start + t > self.pos_emb.size(1):
            raise ValueError("Cannot forward, model block size is exhausted.")
        position_embeddings = self.pos_emb[:, start : start + t, :]
        return self.drop(x + position_embeddings)
# %% right: field_ids_repeated_for_each_sentence
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, src, start=0):
        batch_size, src_len = src.shape[0], src.shape[1]
        if start + src_len > self.pos_embedding.num_embeddings:
            raise ValueError("the sentence is too long")
        pos = torch.arange(start, start + src_len).unsqueeze(0).repeat(batch_size, 1).to(src.device)
        return self.dropout(src + self.pos_embedding(pos))
