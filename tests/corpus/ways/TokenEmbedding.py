# %% right: tenth_own_index_select
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.width, self.factor = d_model, math.sqrt(d_model)
    def forward(self, ids):
        N, T = ids.shape
        rows = torch.index_select(self.embedding.weight, 0, ids.flatten())
        return rows.view(N, T, self.width).mul(self.factor)
# %% right: thirteenth_own_index_select
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
    def forward(self, ids):
        table = self.embedding.weight
        rows = table.index_select(0, ids.flatten()).reshape(*ids.shape, table.size(1))
        return rows * math.sqrt(table.size(1))
# %% right: field_tutorial
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super(TokenEmbedding, self).__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)
        self.emb_size = d_model
    def forward(self, tokens):
        return self.embedding(tokens.long()) * math.sqrt(self.emb_size)
