# %% wrong: newest_key_in_front | TRUE CAUSE: the newest key is put before the earlier keys while the newest value goes behind the earlier values, so that keys and values of different positions are paired (and the mask is shifted)
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
        if self.keys is None or not self.of_memory:
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

# %% wrong: first_places_of_the_table | TRUE CAUSE: out of the table come its first R places in order, and not the places where alive is True, so rows get the vectors of dead places as soon as a place before them has ended
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
        if not (self.of_memory and self.keys is not None):
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

# %% wrong: own_row_over_beam | TRUE CAUSE: the sentence of row r is taken as r // B, as if every place of the beam were alive, so after some places have ended rows ask the memory of a wrong sentence
class CachedMultiHeadAttention(nn.Module):
    """Attention for one new position, with a cache."""

    def __init__(self, attention):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o", "num_heads"):
            setattr(self, name, getattr(attention, name))
        self.keys = None
        self.values = None
        self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = query is not key
        if not self.of_memory or self.keys is None:
            k = split_heads(self.w_k(key), self.num_heads)
            v = split_heads(self.w_v(value), self.num_heads)
            if self.keys is None:
                self.keys, self.values = k, v
            else:
                self.keys = torch.cat((self.keys, k), dim=-2)
                self.values = torch.cat((self.values, v), dim=-2)

        q = split_heads(self.w_q(query), self.num_heads)
        k, v = self.keys, self.values
        if self.of_memory and self.alive is not None:
            sentence = torch.arange(query.size(0), device=query.device) // self.alive.size(1)
            k, v = k[sentence], v[sentence]
            if mask is not None:
                mask = mask[sentence]
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.w_o(merge_heads(out))

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys = self.keys[rows]
            self.values = self.values[rows]

# %% wrong: own_caches_the_inputs | TRUE CAUSE: the cache of self-attention keeps the inputs of all positions and puts them all through w_k and w_v again at each step, so vectors are projected more than once
class CachedMultiHeadAttention(nn.Module):
    """Attention for one new position, with a cache."""

    def __init__(self, attention):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o", "num_heads"):
            setattr(self, name, getattr(attention, name))
        self.keys = None
        self.values = None
        self.alive = None
        self.of_memory = False
        self.inputs = None

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.of_memory:
            if self.keys is None:
                self.keys = split_heads(self.w_k(key), self.num_heads)
                self.values = split_heads(self.w_v(value), self.num_heads)
        else:
            if self.inputs is None:
                self.inputs = key
            else:
                self.inputs = torch.cat([self.inputs, key], dim=1)
            self.keys = split_heads(self.w_k(self.inputs), self.num_heads)
            self.values = split_heads(self.w_v(self.inputs), self.num_heads)

        asked = self.w_q(query)
        if self.alive is not None:
            places = self.alive.nonzero(as_tuple=True)
            table = asked.new_zeros(self.alive.size(0), self.alive.size(1), asked.size(-1))
            table[places] = asked[:, 0]
            asked = table
        heads = F.scaled_dot_product_attention(
            split_heads(asked, self.num_heads), self.keys, self.values, mask
        )
        found = merge_heads(heads)
        if self.alive is not None:
            found = found[places].unsqueeze(1)
        return self.w_o(found)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.inputs = self.inputs[rows]
