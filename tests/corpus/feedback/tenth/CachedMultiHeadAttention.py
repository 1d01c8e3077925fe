# %% wrong: newest_key_first | TRUE CAUSE: the newest key is put before the earlier keys, while its value is put behind the earlier values, so from the second position on keys weigh the values of other positions
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values."""

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
                new_keys = torch.cat([new_keys, self.keys], dim=2)
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # After keep, the rows of a sentence ask its memory together, as a table.
            table = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            table[self.alive] = asked.squeeze(1)  # R places get R vectors, (R, D)
            asked = table
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or a table, (N, B, D)
        if self.alive is not None:
            found = found[self.alive]
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: first_places_of_the_table | TRUE CAUSE: the answers are taken from the first R places of the flattened table instead of from those where alive is True, so rows behind an ended place get another place's answer
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values."""

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
                new_keys = torch.cat([self.keys, new_keys], dim=2)
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # After keep, the rows of a sentence ask its memory together, as a table.
            table = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            table[self.alive] = asked.squeeze(1)  # R places get R vectors, (R, D)
            asked = table
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or a table, (N, B, D)
        if self.alive is not None:
            found = found.flatten(0, 1)[: query.size(0)]
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: own_inputs_cached | TRUE CAUSE: the cache holds the vectors before projection and w_k and w_v are applied to all of them at every call, so each position and the memory are projected again at every step
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.h = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.seen, self.places, self.cross = None, None, False

    def forward(self, query, key, value, mask=None):
        self.cross = key is not query
        if self.seen is None:
            self.seen = key
        elif not self.cross:
            self.seen = torch.cat((self.seen, key), dim=1)
        k, v = split_heads(self.w_k(self.seen), self.h), split_heads(self.w_v(self.seen), self.h)
        q = self.w_q(query)
        if self.places is not None:
            n, b = self.places.shape
            grid = torch.zeros(n, b, q.size(-1), dtype=q.dtype, device=q.device)
            grid[self.places] = q[:, 0]
            q = grid
        out = merge_heads(F.scaled_dot_product_attention(split_heads(q, self.h), k, v, attn_mask=mask))
        if self.places is not None:
            out = out[self.places][:, None]
        return self.w_o(out)

    def keep(self, rows, alive):
        if self.cross:
            self.places = alive
        else:
            self.seen = self.seen[rows]

# %% wrong: own_row_divided_by_beam | TRUE CAUSE: each row's sentence is computed as row number // B, as if all places of each beam were alive, so once a place has ended later rows ask another sentence's memory
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (
            attention.w_q, attention.w_k, attention.w_v, attention.w_o
        )
        self.keys = self.values = self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None or not self.of_memory:
            k = split_heads(self.w_k(key), self.num_heads)
            v = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                k, v = torch.cat([self.keys, k], dim=2), torch.cat([self.values, v], dim=2)
            self.keys, self.values = k, v
        keys, values = self.keys, self.values
        if self.alive is not None:
            sentence = torch.arange(query.size(0), device=query.device) // self.alive.size(1)
            keys, values = keys[sentence], values[sentence]
            if mask is not None:
                mask = mask[sentence]
        q = split_heads(self.w_q(query), self.num_heads)
        out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        return self.w_o(merge_heads(out))

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys = self.keys[rows]
            self.values = self.values[rows]
