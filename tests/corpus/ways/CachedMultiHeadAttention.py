# %% right: two_branches
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = None
        self.values = None
        self.alive = None
        self.of_memory = False

    def project(self, key, value):
        return split_heads(self.w_k(key), self.num_heads), split_heads(self.w_v(value), self.num_heads)

    def forward(self, query, key, value, mask=None):
        self.of_memory = query is not key
        if self.keys is None:
            self.keys, self.values = self.project(key, value)
        elif not self.of_memory:
            k, v = self.project(key, value)
            self.keys = torch.cat([self.keys, k], dim=-2)
            self.values = torch.cat([self.values, v], dim=-2)

        asked = self.w_q(query)
        if self.alive is None:
            heads = F.scaled_dot_product_attention(
                split_heads(asked, self.num_heads), self.keys, self.values, attn_mask=mask
            )
            return self.w_o(merge_heads(heads))

        sentence, place = self.alive.nonzero(as_tuple=True)
        table = torch.zeros(*self.alive.shape, asked.size(-1), dtype=asked.dtype, device=asked.device)
        table[sentence, place] = asked[:, 0]
        heads = F.scaled_dot_product_attention(
            split_heads(table, self.num_heads), self.keys, self.values, attn_mask=mask
        )
        rows = merge_heads(heads)[sentence, place]
        return self.w_o(rows[:, None])

    def keep(self, rows, alive):
        if not self.of_memory:
            self.keys = self.keys[rows]
            self.values = self.values[rows]
            return
        self.alive = alive

# %% right: flat_table
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
        self.of_memory = query is not key
        if self.keys is None or not self.of_memory:  # blank: compute
            new_keys = split_heads(self.w_k(key), self.num_heads)
            new_values = split_heads(self.w_v(value), self.num_heads)
            if self.keys is not None:
                new_keys = torch.cat((self.keys, new_keys), -2)  # one position longer; blank: longer
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
            found = found.flatten(0, 1)[self.alive.flatten()]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]


# %% right: own_flat_places
class CachedMultiHeadAttention(nn.Module):
    """Attention for the newest position of each row, with everything older remembered."""

    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.keys = None
        self.values = None
        self.alive = None
        self.of_memory = False

    def _remember(self, key, value):
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        if self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys = torch.cat((self.keys, k), dim=2)
            self.values = torch.cat((self.values, v), dim=2)

    def _attend(self, vectors, mask):
        q = split_heads(vectors, self.num_heads)
        return merge_heads(F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask))

    def forward(self, query, key, value, mask=None):
        self.of_memory = not (key is query)
        if self.keys is None or not self.of_memory:
            self._remember(key, value)
        asked = self.w_q(query)  # (R, 1, D)
        if self.alive is None:
            return self.w_o(self._attend(asked, mask))

        sentences, beam = self.alive.shape
        places = self.alive.flatten().nonzero().squeeze(1)  # (R,), in the order of the rows
        flat = asked.new_zeros(sentences * beam, asked.size(-1))
        flat = flat.index_copy(0, places, asked.squeeze(1))
        found = self._attend(flat.view(sentences, beam, -1), mask)
        return self.w_o(found.flatten(0, 1)[places].unsqueeze(1))

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% right: own_two_branches_with_einsum
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        a = attention
        self.num_heads, self.w_q, self.w_k, self.w_v, self.w_o = (
            a.num_heads, a.w_q, a.w_k, a.w_v, a.w_o
        )
        self.keys = self.values = self.alive = None
        self.of_memory = False

    def cut(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def look(self, q, mask):
        q = self.cut(q)
        scores = torch.einsum("nhqd,nhkd->nhqk", q, self.keys) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask  # a row that sees nothing finds nothing
        return torch.einsum("nhqk,nhkd->nqhd", weights, self.values).flatten(2)

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        return self.from_memory(query, key, value, mask) if self.of_memory else self.from_self(query, mask)

    def from_self(self, x, mask):
        k, v = self.cut(self.w_k(x)), self.cut(self.w_v(x))
        if self.keys is not None:
            k, v = torch.cat([self.keys, k], 2), torch.cat([self.values, v], 2)
        self.keys, self.values = k, v
        return self.w_o(self.look(self.w_q(x), mask))

    def from_memory(self, query, key, value, mask):
        if self.keys is None:
            self.keys, self.values = self.cut(self.w_k(key)), self.cut(self.w_v(value))
        q = self.w_q(query)
        if self.alive is None:
            return self.w_o(self.look(q, mask))
        where = self.alive.nonzero(as_tuple=True)
        table = q.new_zeros(*self.alive.shape, q.size(-1)).index_put(where, q[:, 0])
        return self.w_o(self.look(table, mask)[where][:, None])

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]
