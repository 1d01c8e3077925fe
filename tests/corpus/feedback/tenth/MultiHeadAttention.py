# %% wrong: dropout_on_output_too | TRUE CAUSE: the output goes through self.dropout a second time after w_o, but dropout should act on the weights alone, so in training entries of the output are 0 and the others are scaled up.
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
        output = self.dropout(self.w_o(merge_heads(heads)))  # (N, T_q, D)
        return output

# %% wrong: key_with_w_q | TRUE CAUSE: the key is projected with w_q (a copied line) and not with w_k, so queries and keys share one projection, w_k is never used and gets no gradient.
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
        key = split_heads(self.w_q(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(
            query, key, value, mask=mask, dropout=self.dropout
        )
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: own_einsum_root_of_d | TRUE CAUSE: the scores are divided by the square root of d_model, the width of all heads together, and not by that of d_k = d_model / num_heads, so the weights are too flat (right only with one head).
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.h = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        N, T_q, D = query.shape
        q = self.w_q(query).reshape(N, T_q, self.h, -1)
        k = self.w_k(key).reshape(N, key.shape[1], self.h, -1)
        v = self.w_v(value).reshape(N, value.shape[1], self.h, -1)
        scores = torch.einsum("nqhd,nkhd->nhqk", q, k) / math.sqrt(D)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = self.dropout(scores.softmax(dim=-1))
        self.weights = weights.detach()
        found = torch.einsum("nhqk,nkhd->nqhd", weights, v)
        return self.w_o(found.reshape(N, T_q, D))

# %% wrong: own_loop_functional_dropout | TRUE CAUSE: F.dropout is called without training=self.training, and its default is True, so weights are dropped in eval mode as well and the results there are random.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.p = dropout
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.weights = None

    def drop(self, weights):
        return F.dropout(weights, self.p)

    def forward(self, query, key, value, mask=None):
        Q, K, V = self.w_q(query), self.w_k(key), self.w_v(value)
        if mask is not None:
            mask = mask.expand(Q.size(0), self.num_heads, Q.size(1), K.size(1))
        outputs, all_weights = [], []
        for i in range(self.num_heads):
            part = slice(i * self.d_k, (i + 1) * self.d_k)
            head, w = scaled_dot_product_attention(
                Q[..., part], K[..., part], V[..., part],
                None if mask is None else mask[:, i],
                self.drop,
            )
            outputs.append(head)
            all_weights.append(w)
        self.weights = torch.stack(all_weights, dim=1).detach()
        return self.w_o(torch.cat(outputs, dim=-1))
