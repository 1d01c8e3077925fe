# %% wrong: merge-by-reshape | The heads are laid side by side by a bare reshape of (N, H, T_q, d_k) to (N, T_q, D), without first swapping the axes of heads and words; the shape fits, but each row mixes several words of one head.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        batch, length, d_model = query.shape
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(heads.reshape(batch, length, d_model))
        return output

# %% wrong: annotated-attn-name | The weights of the last call are kept under the name attn, as in The Annotated Transformer, so self.weights stays None; the fine print says that self.weights holds them.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} is not a multiple of {num_heads}")
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model) for _ in range(4)]
        self.dropout = nn.Dropout(p=dropout)
        self.attn = None
        self.weights = None
    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.num_heads, self.d_k).transpose(1, 2)
            for lin, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        ]
        x, self.attn = scaled_dot_product_attention(
            query, key, value, mask=mask, dropout=self.dropout
        )
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.num_heads * self.d_k)
        return self.w_o(x)

# %% wrong: einsum-root-of-d-model | The scores are divided by the root of d_model, the width of the whole vector, instead of the root of d_k, the width of one head's queries and keys (Eq. 1 within each head).
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        d_model = self.w_q.in_features
        q = self.w_q(query).unflatten(-1, (self.num_heads, -1))
        k = self.w_k(key).unflatten(-1, (self.num_heads, -1))
        v = self.w_v(value).unflatten(-1, (self.num_heads, -1))
        energy = torch.einsum("nqhd,nkhd->nhqk", q, k)
        energy = energy / d_model**0.5
        if mask is not None:
            energy = energy.masked_fill(~mask, torch.finfo(energy.dtype).min)
        attention = torch.softmax(energy, dim=3)
        self.weights = attention.detach()
        found = torch.einsum("nhqk,nkhd->nqhd", self.dropout(attention), v)
        return self.w_o(found.flatten(2))

# %% wrong: nanogpt-minus-infinity | Hidden scores are set to minus infinity, so a row in which every key is hidden becomes 0/0 = nan in the softmax; the fine print demands that a row that sees no key stays finite.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        q = self.w_q(query).view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
        k = self.w_k(key).view(B, S, self.num_heads, C // self.num_heads).transpose(1, 2)
        v = self.w_v(value).view(B, S, self.num_heads, C // self.num_heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(mask == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        self.weights = att.detach()
        att = self.dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.w_o(y)

# %% wrong: d2l-mask-order | Heads are folded into the batch axis with the sentence as the slow index (n * H + h), but the mask is laid out with the head as the slow index (h * N + n), so for more than one sentence many rows get the mask of another sentence.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def transpose_qkv(self, x):
        x = x.reshape(x.shape[0], x.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return x.reshape(-1, x.shape[2], x.shape[3])
    def forward(self, query, key, value, mask=None):
        n, t, d = query.shape
        s, h = key.shape[1], self.num_heads
        queries = self.transpose_qkv(self.w_q(query))
        keys = self.transpose_qkv(self.w_k(key))
        values = self.transpose_qkv(self.w_v(value))
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        if mask is not None:
            full = mask.expand(n, h, t, s)
            full = torch.cat([full[:, i] for i in range(h)], dim=0)
            scores = scores.masked_fill(~full, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        self.weights = weights.detach().reshape(n, h, t, s)
        found = torch.bmm(self.dropout(weights), values)
        found = found.reshape(n, h, t, -1).permute(0, 2, 1, 3).reshape(n, t, d)
        return self.w_o(found)

# %% wrong: hf-value-of-key | Two mistakes. The values are projected from the key input (as where key and value are one tensor of states), so a value of its own is ignored; and self.weights holds the mean over the heads, (N, T_q, T_k), where (N, H, T_q, T_k) is demanded.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def transpose_for_scores(self, states):
        new_shape = states.size()[:-1] + (self.num_heads, states.size(-1) // self.num_heads)
        return states.view(new_shape).permute(0, 2, 1, 3)
    def forward(self, query, key, value, mask=None):
        key_value_states = key
        query_layer = self.transpose_for_scores(self.w_q(query))
        key_layer = self.transpose_for_scores(self.w_k(key_value_states))
        value_layer = self.transpose_for_scores(self.w_v(key_value_states))
        attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(query_layer.size(-1))
        if mask is not None:
            smallest = torch.finfo(attention_scores.dtype).min
            attention_scores = attention_scores.masked_fill(mask.logical_not(), smallest)
        attention_probs = nn.functional.softmax(attention_scores, dim=-1)
        self.weights = attention_probs.mean(dim=1).detach()
        context_layer = torch.matmul(self.dropout(attention_probs), value_layer)
        context_layer = context_layer.permute(0, 2, 1, 3).contiguous()
        context_layer = context_layer.view(context_layer.size()[:-2] + (-1,))
        return self.w_o(context_layer)

# %% wrong: sum-of-shares-bias | The heads' results are added, each times its own share of W^O, which is right, but the whole bias of w_o is added once for each head, H times instead of once.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        asked, offered, handed = self.w_q(query), self.w_k(key), self.w_v(value)
        d_k = asked.size(-1) // self.num_heads
        if mask is not None:
            mask = mask.expand(asked.size(0), self.num_heads, asked.size(1), offered.size(1))
        output, weights = 0, []
        for head in range(self.num_heads):
            share = slice(head * d_k, (head + 1) * d_k)
            found, seen = scaled_dot_product_attention(
                asked[..., share],
                offered[..., share],
                handed[..., share],
                None if mask is None else mask[:, head],
                self.dropout,
            )
            weights.append(seen)
            output = output + F.linear(found, self.w_o.weight[:, share], self.w_o.bias)
        self.weights = torch.stack(weights, dim=1).detach()
        return output

# %% right: fairseq-bmm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        bsz, tgt_len, embed_dim = query.size()
        src_len = key.size(1)
        head_dim = embed_dim // self.num_heads
        scaling = head_dim**-0.5
        q = self.w_q(query) * scaling
        k, v = self.w_k(key), self.w_v(value)
        q = q.view(bsz, tgt_len, self.num_heads, head_dim).transpose(1, 2).flatten(0, 1)
        k = k.view(bsz, src_len, self.num_heads, head_dim).transpose(1, 2).flatten(0, 1)
        v = v.view(bsz, src_len, self.num_heads, head_dim).transpose(1, 2).flatten(0, 1)
        attn_weights = torch.bmm(q, k.transpose(1, 2)).view(bsz, self.num_heads, tgt_len, src_len)
        if mask is not None:
            lowest = torch.finfo(attn_weights.dtype).min
            attn_weights = attn_weights.masked_fill(~mask, lowest)
        attn_weights = F.softmax(attn_weights, dim=-1)
        self.weights = attn_weights.detach()
        attn_probs = self.dropout(attn_weights).view(-1, tgt_len, src_len)
        attn = torch.bmm(attn_probs, v).view(bsz, self.num_heads, tgt_len, head_dim)
        attn = attn.permute(0, 2, 1, 3).reshape(bsz, tgt_len, embed_dim)
        return self.w_o(attn)

# %% right: loop-of-shares
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        asked = self.w_q(query).chunk(self.num_heads, dim=-1)
        offered = self.w_k(key).chunk(self.num_heads, dim=-1)
        handed = self.w_v(value).chunk(self.num_heads, dim=-1)
        shares = self.w_o.weight.chunk(self.num_heads, dim=1)
        if mask is not None:
            mask = mask.expand(query.size(0), self.num_heads, query.size(1), key.size(1))
        output, seen = self.w_o.bias, []
        for number, (q, k, v, share) in enumerate(zip(asked, offered, handed, shares)):
            hidden = None if mask is None else mask[:, number]
            found, weights = scaled_dot_product_attention(q, k, v, hidden, self.dropout)
            output = output + found @ share.t()
            seen.append(weights)
        self.weights = torch.stack(seen, 1).detach()
        return output
