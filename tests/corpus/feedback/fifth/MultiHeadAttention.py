# %% wrong: keeps_the_mean_over_the_heads | TRUE CAUSE: self.weights holds the mean over the heads, (N, T_q, T_k), as PyTorch's module returns it, instead of the weights of every head, (N, H, T_q, T_k)
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

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
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask=mask, dropout=self.dropout)
        self.weights = weights.mean(dim=1).detach()
        return self.w_o(merge_heads(heads))

# %% wrong: output_weight_not_transposed | TRUE CAUSE: the last projection is written as a product with w_o.weight, but nn.Linear stores the transpose of W: it mixes with the wrong matrix
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

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
        output = merge_heads(heads) @ self.w_o.weight + self.w_o.bias  # (N, T_q, D)
        return output

# %% wrong: value_through_w_k_and_no_dropout | TRUE CAUSE: two mistakes: the value is projected with w_k (a copied line) so that w_v is never used, and the dropout is not handed to the attention
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

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
        value = split_heads(self.w_k(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: mask_gets_another_axis | TRUE CAUSE: an axis for the heads is put into the mask, as other code does with masks (N, T, T), but here the mask broadcasts to (N, H, T_q, T_k) already: the mask gets five axes, and with it the scores and the heads
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

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
        if mask is not None:
            mask = mask.unsqueeze(1)  # the same mask for all heads
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output
