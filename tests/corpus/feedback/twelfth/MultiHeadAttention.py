# %% wrong: dropout_on_the_heads | TRUE CAUSE: Dropout is applied to what the heads found, (N, H, T_q, d_k), instead of being handed to the attention for the weights, so in training features are dropped and the weights never are.
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2).

    The weights of the last call, (N, H, T_q, T_k), stay in `weights`.
    Raises ValueError if d_model is not a multiple of num_heads.
    """

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
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(self.dropout(heads)))  # (N, T_q, D)
        return output
# %% wrong: functional_dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training and its default is True, so the weights are dropped at random after model.eval() as well.
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2).

    The weights of the last call, (N, H, T_q, T_k), stay in `weights`.
    Raises ValueError if d_model is not a multiple of num_heads.
    """

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
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(
            query, key, value, mask, lambda w: F.dropout(w, p=self.dropout.p)
        )
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output
# %% wrong: own_scaled_by_d_model | TRUE CAUSE: The scores are divided by the square root of d_model, the features of all heads together, instead of that of d_k = d_model / num_heads, so with more than one head the weights are too flat.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.h = num_heads
        self.d_model = d_model
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.drop = nn.Dropout(dropout)
        self.weights = None

    def cut(self, x):
        return x.view(x.size(0), x.size(1), self.h, -1)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.cut(self.w_q(query)), self.cut(self.w_k(key)), self.cut(self.w_v(value))
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) * self.d_model**-0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        p = self.drop(scores.softmax(-1))
        self.weights = p.detach()
        return self.w_o(torch.einsum("nhqk,nkhd->nqhd", p, v).flatten(2))
# %% wrong: own_loop_takes_the_first_heads_mask | TRUE CAUSE: In the loop over the heads a mask of four axes is indexed with [:, 0] for every head, as if its head axis always had length 1, so a mask that differs between heads hides from all of them what it hides from head 0.
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
