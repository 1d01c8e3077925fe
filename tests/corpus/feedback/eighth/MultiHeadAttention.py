# %% wrong: values_made_from_the_key | TRUE CAUSE: the values are projected from the key tensor instead of the value tensor (name mixed up); it shows only where key and value are not the same tensor.
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
        q = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        k = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        v = split_heads(self.w_v(key), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        return self.w_o(merge_heads(heads))  # (N, T_q, D)


# %% wrong: dropout_on_the_output | TRUE CAUSE: dropout is not passed to the attention but applied to the output after w_o; it should act on the attention weights and on nothing else.
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
        heads, weights = scaled_dot_product_attention(query, key, value, mask)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.dropout(self.w_o(merge_heads(heads)))  # (N, T_q, D)
        return output


# %% wrong: keys_with_w_q_and_no_mask | TRUE CAUSE: two mistakes: the keys are projected with w_q, copied from the line above, so w_k is never used; and the mask is not passed on to the attention, so nothing is hidden.
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
        heads, weights = scaled_dot_product_attention(query, key, value, dropout=self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output
