# %% wrong: first_call_only | TRUE CAUSE: keys and values are computed at the first call only, for self-attention too, so it never sees a position after the first
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others."""

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
            # All rows of a sentence ask its memory together: it is there once, not once a row.
            together = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            together[self.alive] = asked.squeeze(1)
            asked = together
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or (N, B, D)
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Go on with these rows, in this order; alive, (N, B), is True where they stand now."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: axis_lost | TRUE CAUSE: the rows taken out of the table are (R, D) and do not get their axis of length 1 back
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others."""

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
        if self.keys is None or not self.of_memory:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # All rows of a sentence ask its memory together: it is there once, not once a row.
            together = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            together[self.alive] = asked.squeeze(1)
            asked = together
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or (N, B, D)
        if self.alive is not None:
            found = found[self.alive]  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Go on with these rows, in this order; alive, (N, B), is True where they stand now."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: heads_joined | TRUE CAUSE: the new keys are joined along the axis of the heads instead of that of the positions, so the second step raises
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others."""

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
        if self.keys is None or not self.of_memory:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=1)  # one position longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # All rows of a sentence ask its memory together: it is there once, not once a row.
            together = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            together[self.alive] = asked.squeeze(1)
            asked = together
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or (N, B, D)
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Go on with these rows, in this order; alive, (N, B), is True where they stand now."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: memory_by_length | TRUE CAUSE: cross-attention is recognised by the key's length being other than the query's, so a memory of a single position is taken for self-attention and grows
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None  # (R, H, T_k, d_k), or (N, H, S, d_k) of a memory
        self.alive = None  # (N, B): where each row of a memory stands in its sentence's beam
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key.shape[1] != query.shape[1]
        if not (self.of_memory and self.keys is not None):
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # All rows of a sentence ask its memory together: it is there once, not once a row.
            together = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            together[self.alive] = asked[:, 0]
            asked = together
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or (N, B, D)
        if self.alive is not None:
            found = found[self.alive][:, None, :]  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Go on with these rows, in this order; alive, (N, B), is True where they stand now."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: newest_key_first | TRUE CAUSE: the new key is put before the old ones while the new value is put behind, so keys and values (and mask) do not belong together
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others."""

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
        if self.keys is None or key is query:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.concat((new_keys, self.keys), dim=-2)  # one position longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # All rows of a sentence ask its memory together: it is there once, not once a row.
            together = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            together[self.alive] = asked.flatten(0, 1)
            asked = together
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or (N, B, D)
        if self.alive is not None:
            found = found[self.alive][:, None]  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Go on with these rows, in this order; alive, (N, B), is True where they stand now."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: projects_again | TRUE CAUSE: the inputs are kept instead of their keys and values, and all of them are projected again at every call
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (
            attention.w_q, attention.w_k, attention.w_v, attention.w_o,
        )
        self.inputs = None
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.of_memory or self.inputs is None:
            self.inputs = key
        else:
            self.inputs = torch.cat([self.inputs, key], dim=1)
        self.keys = split_heads(self.w_k(self.inputs), self.num_heads)
        self.values = split_heads(self.w_v(self.inputs), self.num_heads)
        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(-1))
            table[self.alive] = asked.squeeze(1)
            asked = table
        heads = F.scaled_dot_product_attention(
            split_heads(asked, self.num_heads), self.keys, self.values, mask
        )
        found = merge_heads(heads)
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.inputs = self.inputs[rows]
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: one_cache_for_all | TRUE CAUSE: the cache is a mutable default argument, so all attentions made by this class share one cache, and it is still full at the next translation
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention, cache={}):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.cache = cache
        self.alive = None
        self.of_memory = False

    @property
    def keys(self):
        return self.cache.get("keys")

    @property
    def values(self):
        return self.cache.get("values")

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        kind = "memory" if self.of_memory else "self"
        if kind == "self" or self.keys is None:
            k = split_heads(self.w_k(key), self.num_heads)
            v = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                k = torch.cat([self.keys, k], dim=2)
                v = torch.cat([self.values, v], dim=2)
            self.cache["keys"], self.cache["values"] = k, v
        q = self.w_q(query)
        if self.alive is not None:
            table = q.new_zeros(*self.alive.shape, q.size(2))
            table[self.alive] = q.squeeze(1)
            q = table
        q = split_heads(q, self.num_heads)
        found = merge_heads(F.scaled_dot_product_attention(q, self.keys, self.values, mask))
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.cache["keys"] = self.keys[rows]
            self.cache["values"] = self.values[rows]

# %% wrong: unmasked_and_wrong_memory | TRUE CAUSE: two mistakes: the mask is not handed to the kernel, so padding is seen; and keep does not reorder the cached keys and values of self-attention, it takes as many rows as are needed from the front
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = self.alive = None
        self.of_memory = False

    def project(self, key, value):
        return split_heads(self.w_k(key), self.num_heads), split_heads(self.w_v(value), self.num_heads)

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None:
            self.keys, self.values = self.project(key, value)
        elif not self.of_memory:
            k, v = self.project(key, value)
            self.keys = torch.cat([self.keys, k], dim=2)
            self.values = torch.cat([self.values, v], dim=2)
        q = self.w_q(query)
        if self.of_memory and self.alive is not None:
            n, b = self.alive.shape
            table = q.new_zeros(n, b, q.size(-1))
            table[self.alive] = q[:, 0]
            found = F.scaled_dot_product_attention(split_heads(table, self.num_heads), self.keys, self.values)
            return self.w_o(merge_heads(found)[self.alive][:, None])
        found = F.scaled_dot_product_attention(split_heads(q, self.num_heads), self.keys, self.values)
        return self.w_o(merge_heads(found))

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            left = int(alive.sum())
            self.keys, self.values = self.keys[:left], self.values[:left]
