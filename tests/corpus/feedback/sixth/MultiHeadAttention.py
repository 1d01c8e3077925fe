# %% wrong: value_through_w_k | TRUE CAUSE: the line of the key was copied for the value: the values go through w_k, and w_v is never used
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
        value = split_heads(self.w_k(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


# %% wrong: dropout_on_the_output | TRUE CAUSE: dropout acts on the output of w_o instead of on the attention weights: it is not passed to the attention function
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
        output = self.dropout(self.w_o(merge_heads(heads)))  # (N, T_q, D)
        return output


# %% wrong: mask_gets_another_axis_weights_averaged | TRUE CAUSE: two mistakes: the mask, which already broadcasts to (N, H, T_q, T_k), gets one more axis for the heads; and self.weights keeps the mean over the heads instead of the weights of each head
class MultiHeadAttention(nn.Module):
    """Attend in num_heads subspaces at once and mix what they found (section 3.2.2)."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not a multiple of num_heads={num_heads}")
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
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask=mask, dropout=self.dropout)
        self.weights = weights.detach().mean(dim=1)
        return self.w_o(merge_heads(heads))
