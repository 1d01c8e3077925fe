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
# %% right: fourteenth_own_places_by_nonzero
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, getattr(attention, name))
        self.pair = None
        self.places = None  # of a memory's rows: (N, B), the sentence and the place of each row
        self.of_memory = False
    def _take_in(self, key, value):
        if self.pair is not None and self.of_memory:
            return
        new = (
            split_heads(self.w_k(key), self.num_heads),
            split_heads(self.w_v(value), self.num_heads),
        )
        if self.pair is not None:
            new = tuple(torch.cat(both, dim=2) for both in zip(self.pair, new, strict=True))
        self.pair = new
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        self._take_in(key, value)
        keys, values = self.pair
        vectors = self.w_q(query)
        if self.places is not None:
            shape, sentence, place = self.places
            table = vectors.new_zeros(*shape, vectors.size(-1))
            table[sentence, place] = vectors[:, 0]
            vectors = table
        vectors = split_heads(vectors, self.num_heads)
        scores = vectors @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        found = merge_heads(scores.softmax(dim=-1) @ values)
        if self.places is not None:
            found = found[sentence, place].unsqueeze(1)
        return self.w_o(found)
    def keep(self, rows, alive):
        if self.of_memory:
            self.places = (alive.shape, *alive.nonzero(as_tuple=True))  # along the lines
        else:
            self.pair = tuple(one[rows] for one in self.pair)
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
# %% right: thirteenth_own_places_as_indices
class CachedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q, self.w_k = attention.w_q, attention.w_k
        self.w_v, self.w_o = attention.w_v, attention.w_o
        self.keys = self.values = None
        self.alive = None
        self.of_memory = False
    def heads_of(self, project, x):
        return split_heads(project(x), self.num_heads)
    def remember(self, key, value):
        new = self.heads_of(self.w_k, key), self.heads_of(self.w_v, value)
        if self.keys is None:
            self.keys, self.values = new
        else:
            old = self.keys, self.values
            self.keys, self.values = (
                torch.cat(both, dim=-2) for both in zip(old, new, strict=True)
            )
    def ask(self, asked, mask):
        if mask is not None:
            mask = mask.expand(*mask.shape[:-1], self.keys.size(-2)).contiguous()
        asked = split_heads(asked, self.num_heads)
        heads = F.scaled_dot_product_attention(asked, self.keys, self.values, attn_mask=mask)
        return merge_heads(heads)
    def forward(self, query, key, value, mask=None):
        self.of_memory = key is not query
        if self.keys is None or not self.of_memory:
            self.remember(key, value)
        asked = self.w_q(query)
        if self.alive is None:
            return self.w_o(self.ask(asked, mask))
        sentences, beam = self.alive.shape
        number = self.alive.flatten().nonzero().squeeze(1)  # (R,): the place of each row
        table = asked.new_zeros(sentences * beam, asked.size(-1))
        table = table.index_copy(0, number, asked.flatten(0, 1))
        found = self.ask(table.unflatten(0, (sentences, beam)), mask)  # (N, B, D)
        return self.w_o(found.flatten(0, 1)[number].unsqueeze(1))
    def keep(self, rows, alive):
        if self.of_memory:
            self.alive = alive
            return
        self.keys = self.keys[rows]
        self.values = self.values[rows]
# %% right: eleventh_own_two_methods
class CachedMultiHeadAttention(nn.Module):
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
# %% right: eleventh_own_flat_places
class CachedMultiHeadAttention(nn.Module):
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
