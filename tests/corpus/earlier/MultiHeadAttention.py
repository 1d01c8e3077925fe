# %% wrong: own_loop_with_first_heads_mask | In the loop over the heads every head gets the mask of head 0, mask[:, 0], instead of its own, mask[:, h]: a mask that differs between the heads is ignored for all but the first.
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
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        size = q.size(-1) // self.num_heads
        if mask is not None:
            mask = mask.expand(q.size(0), self.num_heads, q.size(1), k.size(1))
        found, looked = [], []
        for h in range(self.num_heads):
            share = slice(h * size, (h + 1) * size)
            visible = None if mask is None else mask[:, 0]
            result, weights = scaled_dot_product_attention(
                q[..., share], k[..., share], v[..., share], visible, self.dropout
            )
            found.append(result)
            looked.append(weights)
        self.weights = torch.stack(looked, dim=1).detach()
        return self.w_o(torch.cat(found, dim=-1))

# %% wrong: own_loop_takes_the_first_heads_mask | In the loop over the heads a mask of four axes is indexed with [:, 0] for every head, as if its head axis always had length 1, so a mask that differs between heads hides from all of them what it hides from head 0.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None
    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.dim() == 4:
            mask = mask[:, 0]  # (N, T_q, T_k)
        queries = self.w_q(query).split(self.d_k, dim=-1)
        keys = self.w_k(key).split(self.d_k, dim=-1)
        values = self.w_v(value).split(self.d_k, dim=-1)
        results, looked = [], []
        for q, k, v in zip(queries, keys, values):
            result, weight = scaled_dot_product_attention(q, k, v, mask, self.dropout)
            results.append(result)
            looked.append(weight.detach())
        self.weights = torch.stack(looked, dim=1)
        return self.w_o(torch.cat(results, dim=-1))

# %% wrong: own_weights_stacked_in_front | The output is right, but the heads' weights are put together by torch.stack without dim=1: the new axis is in front, so self.weights is (H, N, T_q, T_k) instead of (N, H, T_q, T_k).
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
        q, k, v = self.w_q(query), self.w_k(key), self.w_v(value)
        d_k = q.size(-1) // self.num_heads
        if mask is not None:
            mask = mask.expand(q.size(0), self.num_heads, q.size(1), k.size(1))
        found, looked = [], []
        for h in range(self.num_heads):
            mine = slice(h * d_k, (h + 1) * d_k)
            head_mask = None if mask is None else mask[:, h]
            head, weights = scaled_dot_product_attention(
                q[..., mine], k[..., mine], v[..., mine], head_mask, self.dropout
            )
            found.append(head)
            looked.append(weights.detach())
        self.weights = torch.stack(looked)
        return self.w_o(torch.cat(found, dim=-1))

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
