# %% wrong: memory_told_by_length | TRUE CAUSE: cross-attention is recognized by a key of another length than the query, so a memory of a single position is taken for self-attention and grows at every call
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
        if self.keys is None or not self.of_memory:  # blank: compute
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

# %% wrong: new_key_in_front | TRUE CAUSE: the new key is put in front of the earlier ones, while the new value is put behind them: keys and values no longer belong together
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
        if self.keys is None or not self.of_memory:  # blank: compute
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

# %% wrong: first_places_filled | TRUE CAUSE: the rows are put into the first R places of the flattened table and taken from there, instead of at the places that alive names, so rows ask the memory of another sentence
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
                new_keys = torch.cat([self.keys, new_keys], dim=2)
                new_values = torch.cat([self.values, new_values], dim=2)
            self.keys, self.values = new_keys, new_values

        asked = self.w_q(query)  # (R, 1, D)
        rows, width = asked.size(0), asked.size(2)
        if self.alive is not None:
            table = asked.new_zeros(self.alive.numel(), width)
            table[:rows] = asked.squeeze(1)
            asked = table.view(*self.alive.shape, width)
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, mask)
        found = merge_heads(heads)
        if self.alive is not None:
            found = found.flatten(0, 1)[:rows].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: inputs_kept_and_projected_again | TRUE CAUSE: the inputs are kept instead of their keys and values, and all of them are projected again at every call: the results are equal, but every vector is projected many times
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None
        self.inputs = None
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
            self.inputs = self.inputs[rows]

