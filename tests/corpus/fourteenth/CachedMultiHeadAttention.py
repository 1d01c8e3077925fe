# %% wrong: computes_at_the_first_call_only | The blank `compute` is `self.keys is None` for both kinds of attention. That is right for a memory, but self-attention has to add the newest key and value at every call; here it always sees the first position alone.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None  # (R, H, T_k, d_k), or (N, H, S, d_k) of a memory
        self.alive = None  # (N, B): where each row of a memory stands in its sentence's beam
        self.of_memory = False
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values
        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # After keep, the rows of a sentence ask its memory together, as a table.
            table = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            table[self.alive] = asked.squeeze(1)  # R places get R vectors, (R, D)
            asked = table
        asked = split_heads(asked, self.num_heads)
        if mask is not None:  # a GPU needs a column for each key
            mask = mask.expand(*mask.shape[:-1], self.keys.size(2)).contiguous()
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or a table, (N, B, D)
        if self.alive is not None:
            found = found[self.alive]  # out of the table, (R, D)
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output
    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]
# %% wrong: first_places_of_the_table | The answers are taken from the first R places of the flattened table, as if the rows stood there without gaps. They stand where `alive` is True, so dead places in between shift them.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None  # (R, H, T_k, d_k), or (N, H, S, d_k) of a memory
        self.alive = None  # (N, B): where each row of a memory stands in its sentence's beam
        self.of_memory = False
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if not self.of_memory or self.keys is None:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values
        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # After keep, the rows of a sentence ask its memory together, as a table.
            table = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            table[self.alive] = asked.squeeze(1)  # R places get R vectors, (R, D)
            asked = table
        asked = split_heads(asked, self.num_heads)
        if mask is not None:  # a GPU needs a column for each key
            mask = mask.expand(*mask.shape[:-1], self.keys.size(2)).contiguous()
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or a table, (N, B, D)
        if self.alive is not None:
            found = found.flatten(0, 1)[: query.size(0)]  # out of the table, (R, D)
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output
    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]
# %% wrong: own_numbers_down_the_columns | The places of the rows are found in alive.T, so the rows are numbered down the columns of the table. They are numbered along the lines: with more than one place a row asks the memory of another sentence.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.keys = None
        self.values = None
        self.alive = None
        self.of_memory = False
    def remember(self, key, value):
        if self.of_memory and self.keys is not None:
            return
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        self.keys = k if self.keys is None else torch.cat((self.keys, k), dim=2)
        self.values = v if self.values is None else torch.cat((self.values, v), dim=2)
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        self.remember(key, value)
        q = self.w_q(query)
        if self.alive is not None:
            place, sentence = self.alive.T.nonzero(as_tuple=True)  # R of each
            table = q.new_zeros(*self.alive.shape, q.size(-1))
            table[sentence, place] = q[:, 0]
            q = table
        if mask is not None:
            mask = mask.expand(*mask.shape[:-1], self.keys.size(2)).contiguous()
        heads = split_heads(q, self.num_heads)
        found = merge_heads(F.scaled_dot_product_attention(heads, self.keys, self.values, mask))
        if self.alive is not None:
            found = found[sentence, place][:, None]
        return self.w_o(found)
    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]
# %% wrong: own_softmax_over_the_queries | The softmax goes over axis -2, the queries, and not over the keys. With one query each weight is 1, so the values are added up instead of averaged; in a table the places of a beam share the weights.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.cache = {}
        self.of_memory = False
        self.alive = None
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if not self.of_memory or not self.cache:
            new = {
                "keys": split_heads(self.w_k(key), self.num_heads),
                "values": split_heads(self.w_v(value), self.num_heads),
            }
            for name, old in self.cache.items():
                new[name] = torch.cat([old, new[name]], dim=2)
            self.cache = new
        keys, values = self.cache["keys"], self.cache["values"]
        asked = self.w_q(query)
        if self.alive is not None:
            table = torch.zeros(
                *self.alive.shape, asked.size(2), dtype=asked.dtype, device=asked.device
            )
            table[self.alive] = asked[:, 0]
            asked = table
        asked = split_heads(asked, self.num_heads)
        scores = torch.einsum("nhqd,nhkd->nhqk", asked, keys) / math.sqrt(keys.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-2)
        found = merge_heads(torch.einsum("nhqk,nhkd->nhqd", weights, values))
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)
    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.cache = {name: kept[rows] for name, kept in self.cache.items()}
