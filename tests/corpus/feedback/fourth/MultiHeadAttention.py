# %% wrong: key_projection_copied | TRUE CAUSE: the line of the query was copied for the key and w_q left in it, so the keys go through the queries' projection and w_k is never used
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
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


# %% wrong: last_projection_missing | TRUE CAUSE: the heads are merged but not mixed: w_o is never applied
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
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = merge_heads(heads)  # (N, T_q, D)
        return output


# %% wrong: dropout_not_given | TRUE CAUSE: the dropout module is not passed to the attention function, so nothing is dropped in training
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
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


# %% wrong: mask_not_given | TRUE CAUSE: the mask is not passed on, so hidden keys are seen
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
        heads, weights = scaled_dot_product_attention(query, key, value, dropout=self.dropout)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


# %% wrong: cut_before_projecting | TRUE CAUSE: the inputs are cut into heads first and projected afterwards, but the projections work on D features, not d_k (fits only with one head)
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
        query = self.w_q(split_heads(query, self.num_heads))  # (N, H, T_q, d_k)
        key = self.w_k(split_heads(key, self.num_heads))  # (N, H, T_k, d_k)
        value = self.w_v(split_heads(value, self.num_heads))  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


# %% wrong: heads_by_view_alone | TRUE CAUSE: the heads are made by view straight to (N, H, T, d_k) instead of a cut and a swap, so a head holds a part of the sentence instead of a part of the features
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
        batch, d_k = query.size(0), query.size(-1) // self.num_heads
        query = self.w_q(query).view(batch, self.num_heads, -1, d_k)
        key = self.w_k(key).view(batch, self.num_heads, -1, d_k)
        value = self.w_v(value).view(batch, self.num_heads, -1, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))


# %% wrong: keys_from_the_query_input | TRUE CAUSE: keys are made from the query input, not from the key input: always self-attention scores, which shows in cross-attention only
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
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(query), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask=mask, dropout=self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))


# %% wrong: mask_gets_an_axis | TRUE CAUSE: mask.unsqueeze(1), as in published code, adds an axis for the heads to a mask that already broadcasts to (N, H, T_q, T_k), so it lines up with other axes or not at all
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
        if mask is not None:
            mask = mask.unsqueeze(1)  # the same for all heads
        query, key, value = (
            split_heads(project(x), self.num_heads)
            for project, x in ((self.w_q, query), (self.w_k, key), (self.w_v, value))
        )
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()
        output = self.w_o(merge_heads(heads))
        return output


# %% wrong: weights_averaged_over_heads | TRUE CAUSE: self.weights keeps the mean over the heads, (N, T_q, T_k), as PyTorch does by default, instead of the weights of each head
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
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)  # blank: attend
        self.weights = weights.mean(dim=1).detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output


# %% wrong: default_dropout_on_the_output | TRUE CAUSE: two mistakes: nn.Dropout() is made without the given rate, so it is 0.5, and it is applied to the output of w_o instead of to the weights
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
        self.dropout = nn.Dropout()
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), self.num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), self.num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask)  # blank: attend
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.dropout(self.w_o(merge_heads(heads)))  # (N, T_q, D)
        return output
