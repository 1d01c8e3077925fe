# %% wrong: newest_key_in_front | TRUE CAUSE: the blank longer puts the new key before the earlier ones while the values are put behind, so keys and values of a position no longer stand at the same index
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
        if not self.of_memory or self.keys is None:
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([new_keys, self.keys], dim=2)  # one position longer
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
            found = found[self.alive]  # out of the table, (R, D)
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: first_places_of_the_table | TRUE CAUSE: the blank back_to_rows flattens the table and takes its first R places instead of those where alive is True, so rows get the results of other or empty places as soon as there are gaps
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
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or a table, (N, B, D)
        if self.alive is not None:
            found = found.flatten(0, 1)[: query.size(0)]  # out of the table, (R, D)
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: own_rows_down_the_columns | TRUE CAUSE: the table is filled and read with alive transposed, place by place, whereas rows are numbered sentence by sentence: rows ask the memory of another sentence
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.keys, self.values, self.alive, self.of_memory = None, None, None, False

    def forward(self, query, key, value, mask=None):
        self.of_memory = query is not key
        if self.keys is None:
            self.keys = split_heads(self.w_k(key), self.num_heads)
            self.values = split_heads(self.w_v(value), self.num_heads)
        elif not self.of_memory:
            k = split_heads(self.w_k(key), self.num_heads)
            v = split_heads(self.w_v(value), self.num_heads)
            self.keys = torch.cat((self.keys, k), dim=-2)
            self.values = torch.cat((self.values, v), dim=-2)

        q = self.w_q(query)
        if self.alive is not None:
            where = self.alive.T  # (B, N)
            beam = q.new_zeros(*where.shape, q.size(-1))  # (B, N, D)
            beam[where] = q[:, 0]
            q = beam.transpose(0, 1)
        out = F.scaled_dot_product_attention(
            split_heads(q, self.num_heads), self.keys, self.values, attn_mask=mask
        )
        out = merge_heads(out)
        if self.alive is not None:
            out = out.transpose(0, 1)[where][:, None]
        return self.w_o(out)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% wrong: own_projects_memory_each_step | TRUE CAUSE: the branch for a memory has no test of whether its keys are there already, so w_k and w_v are applied to the whole memory at every step instead of at the first call only
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

    def project(self, key, value):
        h = self.num_heads
        return split_heads(self.w_k(key), h), split_heads(self.w_v(value), h)

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        k, v = self.project(key, value)
        if self.of_memory or self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys = torch.cat([self.keys, k], 2)
            self.values = torch.cat([self.values, v], 2)

        q = self.w_q(query)
        if self.of_memory and self.alive is not None:
            places = self.alive.unsqueeze(-1)
            empty = q.new_zeros(*self.alive.shape, q.size(-1))
            q = empty.masked_scatter(places, q)
        z = merge_heads(
            F.scaled_dot_product_attention(split_heads(q, self.num_heads), self.keys, self.values, mask)
        )
        if self.of_memory and self.alive is not None:
            z = z[self.alive].unsqueeze(1)
        return self.w_o(z)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]
