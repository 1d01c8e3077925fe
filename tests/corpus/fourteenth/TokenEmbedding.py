# %% wrong: divided_by_the_root | The vectors are divided by the root of d_model, as the scores of attention are, instead of multiplied: words become smaller still beside the positions.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors / math.sqrt(self.d_model)
        return scaled
# %% wrong: root_of_the_sentence_length | The factor is the root of vectors.size(1), which is the number of words T and not the number of features D (the last axis), so it changes with the length of the sentence.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(vectors.size(1))
        return scaled
# %% wrong: own_one_hot_without_the_vocabulary_size | F.one_hot(ids) without num_classes makes only max(ids) + 1 columns, so the product with the table has fitting sizes only if the batch happens to hold the last id.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.factor = d_model**0.5
    def forward(self, ids):
        table = self.embedding.weight
        chosen = F.one_hot(ids).to(table.dtype)  # a 1 at the token's row
        return self.factor * (chosen @ table)
# %% wrong: own_table_scaled_once_at_the_start | The factor is multiplied into the table once in __init__ instead of into the vectors at each call: what comes out is the bare row of the table, and any weights that are loaded, initialized anew or trained are not scaled.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))
    def forward(self, ids):
        return self.embedding(ids)
