# %% wrong: dropout_on_the_output_too | TRUE CAUSE: in the blank `output` the result of w_o goes through self.dropout a second time, although dropout is to act on the weights and on nothing else, so in training entries of the output itself are 0.
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

# %% wrong: queries_scaled_twice | TRUE CAUSE: the blank `query` divides the queries by the square root of d_k although scaled_dot_product_attention divides the scores by it as well, so the scores are divided by d_k in all and the weights are too even.
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
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads) / math.sqrt(self.d_k)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, dropout=self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: own_averages_with_detached_weights | TRUE CAUSE: forward multiplies the values by self.weights, which has been detached, instead of by the weights themselves, so the output is right but no gradient reaches w_q and w_k (their grad stays None).
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.drop = nn.Dropout(dropout)
        self.weights = None

    def cut(self, x):
        n, t, _ = x.shape
        return x.view(n, t, self.num_heads, self.d_k)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.cut(self.w_q(query)), self.cut(self.w_k(key)), self.cut(self.w_v(value))
        scores = torch.einsum("nihd,njhd->nhij", q, k) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        self.weights = self.drop(scores.softmax(dim=-1)).detach()
        found = torch.einsum("nhij,njhd->nihd", self.weights, v)
        return self.w_o(found.flatten(2))

# %% wrong: own_stacks_heads_on_the_last_axis | TRUE CAUSE: the outputs of the loop are stacked on a new last axis and flattened, (N, T_q, d_k, H), so the features of the heads are interleaved instead of side by side and w_o meets them in the wrong order.
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model has to be a multiple of num_heads")
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        qs = self.w_q(query).chunk(self.num_heads, dim=-1)
        ks = self.w_k(key).chunk(self.num_heads, dim=-1)
        vs = self.w_v(value).chunk(self.num_heads, dim=-1)
        if mask is not None:
            mask = mask.expand(query.size(0), self.num_heads, query.size(1), key.size(1))
        outputs, weights = [], []
        for h, (q, k, v) in enumerate(zip(qs, ks, vs)):
            o, w = scaled_dot_product_attention(
                q, k, v, None if mask is None else mask[:, h], self.dropout
            )
            outputs.append(o)
            weights.append(w)
        self.weights = torch.stack(weights, dim=1).detach()
        return self.w_o(torch.stack(outputs, dim=-1).flatten(-2))
