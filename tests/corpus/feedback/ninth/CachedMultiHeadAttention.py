# %% wrong: new_key_in_front | TRUE CAUSE: The blank `longer` puts the new key in front of the earlier ones, while the values are appended behind, so from the second step on keys belong to other positions' values (and to other places of the mask).
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

# %% wrong: takes_the_queries_back_out | TRUE CAUSE: The blank `back_to_rows` indexes `table`, which holds the projected queries, instead of `found`, so after keep cross-attention returns w_o of the queries and nothing of the memory.
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
                new_keys = torch.cat((self.keys, new_keys), dim=2)  # one position longer; blank: longer
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
            found = table[self.alive]  # out of the table, (R, D); blank: back_to_rows
            found = found.unsqueeze(1)  # (R, 1, D)
        output = self.w_o(found)
        return output

    def keep(self, rows, alive):
        """Continue with these rows, in this order; alive, (N, B), is True where they are."""
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]

# %% wrong: own_owner_by_division | TRUE CAUSE: Which sentence a row belongs to is computed as its number divided by the beam size, as if every place of the beam were alive, instead of from alive, so once a place has ended rows ask the memory of another sentence.
class CachedMultiHeadAttention(nn.Module):
    """Keys and values are kept; rows of a beam look up their sentence's memory."""

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

    def project(self, linear, x):
        return split_heads(linear(x), self.num_heads)

    def forward(self, query, key, value, mask=None):
        self.of_memory = query is not key
        q = self.project(self.w_q, query)  # (R, H, 1, d_k)
        if self.keys is None:
            self.keys = self.project(self.w_k, key)
            self.values = self.project(self.w_v, value)
        elif not self.of_memory:
            self.keys = torch.cat([self.keys, self.project(self.w_k, key)], dim=2)
            self.values = torch.cat([self.values, self.project(self.w_v, value)], dim=2)

        k, v = self.keys, self.values
        if self.of_memory and self.alive is not None:
            beam = self.alive.size(1)
            sentence = torch.arange(q.size(0), device=q.device) // beam
            k, v = k[sentence], v[sentence]
            if mask is not None and mask.size(0) > 1:
                mask = mask[sentence]
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.w_o(merge_heads(heads))

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% wrong: own_keeps_inputs_not_keys | TRUE CAUSE: In self-attention the inputs of all positions are kept instead of their keys and values, and all of them are projected again at each step, so the output is right but every earlier vector is projected once more each time.
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.seen = None  # (R, T_k, D)
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if not self.of_memory:
            self.seen = key if self.seen is None else torch.cat([self.seen, key], dim=1)
            self.keys = split_heads(self.w_k(self.seen), self.num_heads)
            self.values = split_heads(self.w_v(self.seen), self.num_heads)
        elif self.keys is None:
            self.keys = split_heads(self.w_k(key), self.num_heads)
            self.values = split_heads(self.w_v(value), self.num_heads)

        q = self.w_q(query)
        if self.alive is not None:
            n, b = self.alive.shape
            full = q.new_zeros(n, b, q.size(-1))
            full[self.alive] = q[:, 0]
            q = full
        q = split_heads(q, self.num_heads)
        out = merge_heads(F.scaled_dot_product_attention(q, self.keys, self.values, mask))
        if self.alive is not None:
            out = out[self.alive][:, None]
        return self.w_o(out)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.seen = self.seen[rows]

