# %% wrong: memory_known_by_its_shape | TRUE CAUSE: Takes it for cross-attention if query and key have different shapes, not if they are different tensors: a memory of the query's shape (one source position) is taken for self-attention.
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
        self.of_memory = query.shape != key.shape
        if self.keys is None or not self.of_memory:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # A sentence has one memory: its rows ask together, each at its place in a table.
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


# %% wrong: never_grows | TRUE CAUSE: Keys and values are computed at the first call only, in self-attention as well: later positions are never added.
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
        if self.keys is None:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # A sentence has one memory: its rows ask together, each at its place in a table.
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


# %% wrong: memory_again_and_again | TRUE CAUSE: Computes at each call, for the memory too: its keys and values are projected again and appended to themselves.
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
        if True:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # A sentence has one memory: its rows ask together, each at its place in a table.
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


# %% wrong: newest_key_in_front | TRUE CAUSE: The newest key is put before the earlier ones while the values are put behind: keys no longer belong to their values (and the mask to neither).
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
        if self.keys is None or not self.of_memory:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([new_keys, self.keys], dim=2)  # one position longer; blank: longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # A sentence has one memory: its rows ask together, each at its place in a table.
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


# %% wrong: whole_table_back | TRUE CAUSE: Flattens the whole table (N*B rows) instead of taking out the places that are alive: rows of what has ended come back too.
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
        if self.keys is None or not self.of_memory:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # A sentence has one memory: its rows ask together, each at its place in a table.
            table = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            table[self.alive] = asked.squeeze(1)  # R places get R vectors, (R, D)
            asked = table
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)  # (R, 1, D), or a table, (N, B, D)
        if self.alive is not None:
            found = found.flatten(0, 1)  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]


# %% wrong: keep_forgets_values | TRUE CAUSE: `keep` reorders the keys only; the values still stand in the old order and number of rows.
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
        self.of_memory = query is not key
        if not self.of_memory or self.keys is None:
            k = split_heads(self.w_k(key), self.num_heads)
            v = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                k = torch.cat((self.keys, k), dim=2)
                v = torch.cat((self.values, v), dim=2)
            self.keys, self.values = k, v

        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(2))
            table[self.alive] = asked.squeeze(1)
            asked = table
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys = self.keys[rows]


# %% wrong: memory_follows_the_rows | TRUE CAUSE: `keep` reorders the memory's keys and values by row as well, although rows count what is alive and the memory has one entry for each sentence (asked through the table).
class CachedMultiHeadAttention(nn.Module):
    """A MultiHeadAttention asked for the newest position only; it keeps the others."""

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
                new_keys = torch.cat([self.keys, new_keys], dim=2)
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(2))
            table[self.alive] = asked.squeeze(1)
            asked = table
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)
        if self.alive is not None:
            found = found[self.alive]
            found = found.unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        self.keys = self.keys[rows]
        self.values = self.values[rows]


# %% wrong: causal_in_the_kernel | TRUE CAUSE: Asks the kernel for is_causal in self-attention: with one query that stands for 'position 0', so only the first key is ever seen, and padding is not hidden.
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

        asked = self.w_q(query)
        if self.alive is not None:
            table = asked.new_zeros(*self.alive.shape, asked.size(2))
            table[self.alive] = asked.squeeze(1)
            asked = table
        asked = split_heads(asked, self.num_heads)
        if self.of_memory:
            heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        else:  # the decoder must not see the future
            heads = F.scaled_dot_product_attention(asked, self.keys, self.values, is_causal=True)
        found = merge_heads(heads)
        if self.alive is not None:
            found = found[self.alive].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]


# %% wrong: values_from_keys_no_mask | TRUE CAUSE: two mistakes: the values grow from the cached keys (self.keys, a name mixed up), and the mask is not passed to the kernel.
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
        if self.keys is None or not self.of_memory:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat([self.keys, new_keys], dim=2)  # one position longer; blank: longer
                new_values = torch.cat([self.keys, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is not None:
            # A sentence has one memory: its rows ask together, each at its place in a table.
            table = asked.new_zeros(*self.alive.shape, asked.size(2))  # (N, B, D)
            table[self.alive] = asked.squeeze(1)  # R places get R vectors, (R, D)
            asked = table
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values)
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
