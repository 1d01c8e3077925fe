# %% wrong: first_call_only | TRUE CAUSE: keys and values are computed at the first call in self-attention, too: the newest position is never put behind the earlier ones
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells which rows continue.
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
        if self.keys is None:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
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
            found = found[self.alive]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: memory_by_length | TRUE CAUSE: takes a key for a memory where its length differs from the query's: a memory of one position (which is as long as the query) is taken for self-attention
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells which rows continue.
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
        self.of_memory = key.size(1) != query.size(1)
        if not self.of_memory or self.keys is None:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
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
            found = found[self.alive]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: newest_key_in_front | TRUE CAUSE: the new key is put in front of the earlier ones, while the new value goes behind the earlier values, so keys and values do not belong together
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells which rows continue.
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
        if not self.of_memory or self.keys is None:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([new_keys, self.keys], dim=2)  # one position longer; blank: longer
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
            found = found[self.alive]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: first_place_of_each_beam | TRUE CAUSE: takes the first place of each sentence's beam out of the table, (N, D), in place of the places that are alive; it fits by chance where one row a sentence is alive, and gives other rows then
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells which rows continue.
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
        if not self.of_memory or self.keys is None:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
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
            found = found[:, 0]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: values_not_kept | TRUE CAUSE: keep chooses rows of the keys, but not of the values: values of other rows, or of too many
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention for one new position, (R, 1, D); it keeps earlier keys and values.

    Where it attends to the query itself it puts that position's key and value behind those of
    the positions before it; where it attends to a memory, (N, S, D), it computes keys and
    values at the first call. No vector is projected twice. Each sentence has one row at first;
    `keep` tells which rows continue.
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
        if not self.of_memory or self.keys is None:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
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
            found = found[self.alive]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys = self.keys[rows]

# %% wrong: causal_kernel | TRUE CAUSE: is_causal=True, as for a decoder that reads all positions: the one new query counts as position 0 and sees the oldest key alone (and the padding mask is no longer handed on there)
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None or not self.of_memory:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat((self.keys, new_keys), dim=-2)
                new_values = torch.cat((self.values, new_values), dim=-2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(2))
            table[self.alive] = asked.squeeze(1)
            asked = table
        asked = split_heads(asked, self.num_heads)
        if self.of_memory:
            heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        else:
            heads = F.scaled_dot_product_attention(
                asked, self.keys, self.values, is_causal=True
            )
        found = merge_heads(heads)
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: memory_rows_chosen_too | TRUE CAUSE: has no table: keep chooses rows of the memory's keys and values as well, one copy for each row, so they do not fit the mask, which has one row a sentence, and the beam no longer asks one memory
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None
        self.alive = None
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
        asked = split_heads(self.w_q(query), self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        return self.w_o(merge_heads(heads))

    def keep(self, rows, alive):
        self.alive = alive
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% wrong: memory_again_and_mask_lost | TRUE CAUSE: two mistakes: the memory is projected again at every call (the cache is simply replaced), and the mask is not handed to the kernel
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        new_keys = split_heads(self.w_k(key), self.num_heads)
        new_values = split_heads(self.w_v(value), self.num_heads)
        if self.keys is not None and not self.of_memory:
            new_keys = torch.cat([self.keys, new_keys], dim=2)
            new_values = torch.cat([self.values, new_values], dim=2)
        self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(2))
            table[self.alive] = asked.squeeze(1)
            asked = table
        asked = split_heads(asked, self.num_heads)
        found = merge_heads(F.scaled_dot_product_attention(asked, self.keys, self.values))
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]
