# %% wrong: own_rows_numbered_down_the_columns | The table is filled and read with alive.T.nonzero(), place by place, but rows are numbered along the lines, sentence by sentence: with several places a row asks the memory of another sentence.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False
    def heads_of(self, project, x):
        return split_heads(project(x), self.num_heads)
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None:
            self.keys, self.values = self.heads_of(self.w_k, key), self.heads_of(self.w_v, value)
        elif not self.of_memory:
            self.keys = torch.cat([self.keys, self.heads_of(self.w_k, key)], dim=2)
            self.values = torch.cat([self.values, self.heads_of(self.w_v, value)], dim=2)
        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            place, sentence = self.alive.T.nonzero(as_tuple=True)  # (R,) each
            table = asked.new_zeros(*self.alive.shape, asked.size(-1))  # (N, B, D)
            table[sentence, place] = asked[:, 0]
            asked = table
        if mask is not None:
            mask = mask.expand(*mask.shape[:-1], self.keys.size(2)).contiguous()
        asked = split_heads(asked, self.num_heads)
        found = merge_heads(
            F.scaled_dot_product_attention(asked, self.keys, self.values, attn_mask=mask)
        )
        if self.alive is not None:
            found = found[sentence, place].unsqueeze(1)  # (R, 1, D)
        return self.w_o(found)
    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys = self.keys[rows]
            self.values = self.values[rows]
