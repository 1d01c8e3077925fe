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


# %% right: tenth_own_sentence_of_each_row
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
        if self.keys is None:
            self.keys = split_heads(self.w_k(key), self.num_heads)
            self.values = split_heads(self.w_v(value), self.num_heads)
        elif not self.of_memory:
            self.keys = torch.cat([self.keys, split_heads(self.w_k(key), self.num_heads)], dim=2)
            self.values = torch.cat([self.values, split_heads(self.w_v(value), self.num_heads)], dim=2)
        keys, values = self.keys, self.values
        if self.alive is not None:
            sentence = self.alive.nonzero()[:, 0]  # (R,)
            keys, values = keys[sentence], values[sentence]
            if mask is not None and mask.size(0) > 1:
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

# %% right: tenth_own_einsum_with_a_dict
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.cache = {}
        self.table = None

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1))  # (N, T, H, d_k)

    def remember(self, name, new):
        old = self.cache.get(name)
        self.cache[name] = new if old is None else torch.cat([old, new], dim=1)

    def attend(self, q, mask):
        k, v = self.cache["k"], self.cache["v"]
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return torch.einsum("nhqk,nkhd->nqhd", scores.softmax(-1), v).flatten(2)

    def forward(self, query, key, value, mask=None):
        self.crosses = key is not query
        if not (self.crosses and self.cache):
            self.remember("k", self.split(self.w_k(key)))
            self.remember("v", self.split(self.w_v(value)))
        q = self.w_q(query)
        if self.table is None:
            return self.w_o(self.attend(self.split(q), mask))
        sentence, place = self.table.nonzero(as_tuple=True)
        together = q.new_zeros(*self.table.shape, q.size(-1))
        together[sentence, place] = q[:, 0]
        answers = self.attend(self.split(together), mask)
        return self.w_o(answers[sentence, place].unsqueeze(1))

    def keep(self, rows, alive):
        if self.crosses:
            self.table = alive
            return
        self.cache = {name: kept[rows] for name, kept in self.cache.items()}


# %% right: eleventh_own_two_methods
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

    def heads(self, project, x):
        return split_heads(project(x), self.num_heads)

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.of_memory:
            found = self.ask_memory(query, key, value, mask)
        else:
            found = self.ask_past(query, key, value, mask)
        return self.w_o(found)

    def ask_past(self, query, key, value, mask):
        k, v = self.heads(self.w_k, key), self.heads(self.w_v, value)
        if self.keys is not None:
            k = torch.cat((self.keys, k), dim=-2)
            v = torch.cat((self.values, v), dim=-2)
        self.keys, self.values = k, v
        q = self.heads(self.w_q, query)
        return merge_heads(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))

    def ask_memory(self, query, key, value, mask):
        if self.keys is None:
            self.keys = self.heads(self.w_k, key)
            self.values = self.heads(self.w_v, value)
        q = self.w_q(query)
        alive = self.alive
        if alive is not None:
            sentence, place = alive.nonzero(as_tuple=True)
            table = q.new_zeros(alive.size(0), alive.size(1), q.size(-1))
            q = table.index_put((sentence, place), q[:, 0])
        q = split_heads(q, self.num_heads)
        found = merge_heads(F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask))
        if alive is not None:
            found = found[sentence, place].unsqueeze(1)
        return found

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% right: eleventh_own_flat_places
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
        H = self.num_heads
        self.of_memory = query is not key
        if not self.of_memory:
            pair = [split_heads(self.w_k(key), H), split_heads(self.w_v(value), H)]
            if self.keys is not None:
                pair = [torch.cat(both, dim=2) for both in zip((self.keys, self.values), pair)]
            self.keys, self.values = pair
        elif self.keys is None:
            self.keys = split_heads(self.w_k(key), H)
            self.values = split_heads(self.w_v(value), H)

        q = self.w_q(query)
        R, _, D = q.shape
        if self.alive is not None:
            N, B = self.alive.shape
            places = self.alive.flatten().nonzero().squeeze(1)
            flat = q.new_zeros(N * B, D)
            flat = flat.index_copy(0, places, q.reshape(R, D))
            q = flat.view(N, B, D)
        out = F.scaled_dot_product_attention(split_heads(q, H), self.keys, self.values, mask)
        out = merge_heads(out)
        if self.alive is not None:
            out = out.reshape(N * B, D).index_select(0, places).view(R, 1, D)
        return self.w_o(out)

    def keep(self, rows, alive):
        if not self.of_memory:
            self.keys, self.values = (cached[rows] for cached in (self.keys, self.values))
        else:
            self.alive = alive


# %% right: twelfth_own_index_copy
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        for name in ("num_heads", "w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.keys, self.values, self.alive, self.of_memory = None, None, None, False

    def _remember(self, key, value):
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        if self.keys is None:
            self.keys, self.values = k, v
        else:
            self.keys = torch.cat((self.keys, k), dim=-2)
            self.values = torch.cat((self.values, v), dim=-2)

    def forward(self, query, key, value, mask=None):
        self.of_memory = query is not key
        if self.keys is None or not self.of_memory:
            self._remember(key, value)
        q = self.w_q(query)
        if self.alive is not None:
            n, b = self.alive.shape
            spots = self.alive.flatten().nonzero().squeeze(1)  # (R,)
            flat = q.new_zeros(n * b, q.size(-1))
            q = flat.index_copy(0, spots, q[:, 0]).view(n, b, -1)
        z = F.scaled_dot_product_attention(
            split_heads(q, self.num_heads), self.keys, self.values, attn_mask=mask
        )
        z = merge_heads(z)
        if self.alive is not None:
            z = z.flatten(0, 1).index_select(0, spots).unsqueeze(1)
        return self.w_o(z)

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]

# %% right: twelfth_own_two_branches
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

    def split(self, linear, x):
        return split_heads(linear(x), self.num_heads)

    def attend(self, q, mask):
        q = split_heads(q, self.num_heads)
        return merge_heads(F.scaled_dot_product_attention(q, self.keys, self.values, mask))

    def ask_itself(self, x, mask):
        k, v = self.split(self.w_k, x), self.split(self.w_v, x)
        old_k = [] if self.keys is None else [self.keys]
        old_v = [] if self.values is None else [self.values]
        self.keys = torch.cat(old_k + [k], dim=2)
        self.values = torch.cat(old_v + [v], dim=2)
        return self.attend(self.w_q(x), mask)

    def ask_memory(self, query, key, value, mask):
        if self.keys is None:
            self.keys, self.values = self.split(self.w_k, key), self.split(self.w_v, value)
        q = self.w_q(query)
        if self.alive is None:
            return self.attend(q, mask)
        places = self.alive.unsqueeze(-1)
        table = q.new_zeros(*self.alive.shape, q.size(-1)).masked_scatter(places, q)
        found = self.attend(table, mask)
        return found.masked_select(places).view_as(q)

    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.of_memory:
            return self.w_o(self.ask_memory(query, key, value, mask))
        return self.w_o(self.ask_itself(query, mask))

    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
        else:
            self.keys, self.values = self.keys[rows], self.values[rows]
