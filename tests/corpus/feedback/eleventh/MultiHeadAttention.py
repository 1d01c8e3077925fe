# %% wrong: no_dropout_passed_on | TRUE CAUSE: self.dropout is not handed to scaled_dot_product_attention, so in training no weight is ever dropped, whatever the dropout probability
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
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: heads_reshaped_not_merged | TRUE CAUSE: the heads, (N, H, T_q, d_k), are put together with reshape alone, without swapping heads and words first (merge_heads), so with more than one head and word the vector of a word holds several words of one head before w_o
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
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(heads.reshape(heads.size(0), heads.size(2), -1))  # (N, T_q, D)
        return output

# %% wrong: own_functional_dropout | TRUE CAUSE: F.dropout(weights, self.p) is called without training=self.training, and its default is training=True, so the weights are dropped after eval() as well
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.num_heads, self.p = num_heads, dropout
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.weights = None

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            linear(x).unflatten(-1, (self.num_heads, -1))
            for linear, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = F.dropout(scores.softmax(dim=-1), self.p)
        self.weights = weights.detach()
        return self.w_o(torch.einsum("nhqk,nkhd->nqhd", weights, v).flatten(2))

# %% wrong: own_scaled_by_d_model | TRUE CAUSE: in the loop over the heads the scores are divided by the square root of d_model instead of the square root of d_k = d_model // num_heads, so with more than one head all scores are too small and the weights too even
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model // num_heads * num_heads != d_model:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        qs = self.w_q(query).chunk(self.num_heads, dim=-1)
        ks = self.w_k(key).chunk(self.num_heads, dim=-1)
        vs = self.w_v(value).chunk(self.num_heads, dim=-1)
        scores = []
        for q, k in zip(qs, ks):
            scores.append(q @ k.transpose(1, 2) / math.sqrt(self.d_model))
        scores = torch.stack(scores, dim=1)
        if mask is not None:
            scores = scores.masked_fill(mask == False, torch.finfo(scores.dtype).min)
        weights = self.dropout(scores.softmax(dim=-1))
        self.weights = weights.detach()
        found = [weights[:, h] @ vs[h] for h in range(self.num_heads)]
        return self.w_o(torch.cat(found, dim=-1))
