# %% wrong: keys_along_heads | TRUE CAUSE: The new key is put behind the old ones along axis 1, the heads, instead of along axis 2, the positions (crash at the second step).
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells what comes then.
    """

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

# %% wrong: memory_known_by_length | TRUE CAUSE: A memory is recognised by having more than one position instead of by not being the query, so a memory of one position is taken for self-attention: its keys are projected again at each step and pile up.
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only, (R, 1, D); it keeps the others.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells what comes then.
    """

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None  # (R, H, T_k, d_k), or (N, H, S, d_k) of a memory
        self.alive = None  # (N, B): where each row of a memory stands in its sentence's beam
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key.size(1) > 1
        if self.keys is None or not self.of_memory:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat((self.keys, new_keys), 2)  # one position longer
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
            found = found[self.alive][:, None]  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Go on with these rows, in this order; alive, (N, B), is True where they stand now."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: inputs_kept_not_keys | TRUE CAUSE: The inputs are kept instead of the keys and values, and all of them are projected again at each step, though no vector is to be projected twice.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.inputs = None  # (R, T_k, D)
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.of_memory:
            if self.keys is None:
                self.keys = split_heads(self.w_k(key), self.num_heads)
                self.values = split_heads(self.w_v(value), self.num_heads)
        else:
            self.inputs = key if self.inputs is None else torch.cat([self.inputs, key], dim=1)
            self.keys = split_heads(self.w_k(self.inputs), self.num_heads)
            self.values = split_heads(self.w_v(self.inputs), self.num_heads)

        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(-1))
            table[self.alive] = asked[:, 0]
            asked = table
        heads = F.scaled_dot_product_attention(
            split_heads(asked, self.num_heads), self.keys, self.values, attn_mask=mask
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

# %% wrong: rows_sorted_and_memory_unmasked | TRUE CAUSE: Two mistakes: keep sorts the rows first, so they do not come in the order asked for and a beginning goes on with another one's keys and values; and cross-attention ignores the mask, so it sees the source's padding.
class CachedMultiHeadAttention(nn.Module):
    """Keys and values of earlier positions are kept."""

    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = attention.w_q, attention.w_k, attention.w_v, attention.w_o
        self.keys = None
        self.values = None
        self.alive = None
        self.of_memory = False

    def heads_of(self, layer, x):
        return split_heads(layer(x), self.num_heads)

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None:
            self.keys, self.values = self.heads_of(self.w_k, key), self.heads_of(self.w_v, value)
        elif not self.of_memory:
            self.keys = torch.cat([self.keys, self.heads_of(self.w_k, key)], dim=2)
            self.values = torch.cat([self.values, self.heads_of(self.w_v, value)], dim=2)
        if self.of_memory and self.alive is not None:
            asked = query.new_zeros(*self.alive.shape, query.size(-1))
            asked[self.alive] = self.w_q(query).squeeze(1)
        else:
            asked = self.w_q(query)
        q = split_heads(asked, self.num_heads)
        found = merge_heads(
            F.scaled_dot_product_attention(q, self.keys, self.values, None if self.of_memory else mask)
        )
        if self.of_memory and self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        if rows.dtype == torch.bool:
            rows = rows.nonzero().flatten()
        rows = rows.sort().values
        self.keys, self.values = self.keys.index_select(0, rows), self.values.index_select(0, rows)
