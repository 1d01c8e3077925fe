# %% wrong: values_through_w_k | TRUE CAUSE: the values are projected by w_k (copied from the line above) instead of w_v, which is never used
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

# %% wrong: num_heads_without_self | TRUE CAUSE: num_heads is used in forward without self., a name that exists only in __init__, so a NameError is raised
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
        query = split_heads(self.w_q(query), num_heads)  # (N, H, T_q, d_k)
        key = split_heads(self.w_k(key), num_heads)  # (N, H, T_k, d_k)
        value = split_heads(self.w_v(value), num_heads)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: mask_not_handed_on | TRUE CAUSE: the mask is not handed to scaled_dot_product_attention, so hidden keys are seen
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
        heads, weights = scaled_dot_product_attention(query, key, value, dropout=self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: keys_through_w_q_and_no_dropout | TRUE CAUSE: two at once: the keys are projected by w_q instead of w_k, and the dropout module is not handed to the attention, so weights are never dropped in training
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
        heads, weights = scaled_dot_product_attention(query, key, value, mask)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(merge_heads(heads))  # (N, T_q, D)
        return output

# %% wrong: heads_reshaped_not_merged | TRUE CAUSE: the heads are reshaped from (N, H, T_q, d_k) straight to (N, T_q, D) without swapping heads and words first, so words get each other's features
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

# %% wrong: last_projection_left_out | TRUE CAUSE: the merged heads are returned without the last projection w_o, so they are never mixed
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
        query = split_heads(x=self.w_q(query), num_heads=self.num_heads)  # (N, H, T_q, d_k)
        key = self.w_k(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (N, H, T_k, d_k)
        value = self.w_v(value).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, dropout=self.dropout, mask=mask)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = heads.transpose(1, 2).flatten(-2)  # (N, T_q, D)
        return output

# %% wrong: extra_axis_for_the_mask | TRUE CAUSE: forward adds an axis 1 to every mask, although the mask already broadcasts to (N, H, T_q, T_k), so a mask with four axes becomes one with five and one of two or three is lined up wrongly
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
            mask = mask.unsqueeze(1)  # the same mask for all heads
        query = self.w_q(query).view(*query.shape[:2], self.num_heads, -1).transpose(1, 2)  # (N, H, T_q, d_k)
        key = self.w_k(key).view(*key.shape[:2], self.num_heads, -1).transpose(1, 2)  # (N, H, T_k, d_k)
        value = self.w_v(value).view(*value.shape[:2], self.num_heads, -1).transpose(1, 2)  # (N, H, T_k, d_k)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        output = self.w_o(heads.transpose(1, 2).contiguous().flatten(2))  # (N, T_q, D)
        return output

# %% wrong: only_self_attention | TRUE CAUSE: all three projections read query and the arguments key and value are ignored, so cross-attention does not work
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
        q, k, v = (
            split_heads(project(query), self.num_heads)
            for project in (self.w_q, self.w_k, self.w_v)
        )
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: dropout_on_the_output_too | TRUE CAUSE: dropout is applied to the projected output as well as to the weights, but it must act on the weights and on nothing else
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
        def project(linear, x):
            return split_heads(linear(x), self.num_heads)

        heads, weights = scaled_dot_product_attention(
            project(self.w_q, query),
            project(self.w_k, key),
            project(self.w_v, value),
            mask=mask,
            dropout=self.dropout,
        )
        self.weights = weights.detach()
        return self.dropout(self.w_o(merge_heads(heads)))

# %% wrong: scaled_by_the_root_of_d_model | TRUE CAUSE: the scores of the heads are divided by the root of d_model instead of by the root of d_k, the size of one head
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
        self.scale = math.sqrt(d_model)

    def forward(self, query, key, value, mask=None):
        q = split_heads(self.w_q(query), self.num_heads)
        k = split_heads(self.w_k(key), self.num_heads)
        v = split_heads(self.w_v(value), self.num_heads)
        scores = torch.einsum("nhqd,nhkd->nhqk", q, k) / self.scale
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        self.weights = weights.detach()
        heads = torch.einsum("nhqk,nhkd->nhqd", self.dropout(weights), v)
        return self.w_o(merge_heads(heads))

# %% wrong: weights_averaged_over_heads | TRUE CAUSE: self.weights holds the mean of the weights over the heads, (N, T_q, T_k), instead of the weights of each head, (N, H, T_q, T_k)
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
        q = self.w_q(query).chunk(self.num_heads, dim=-1)
        k = self.w_k(key).chunk(self.num_heads, dim=-1)
        v = self.w_v(value).chunk(self.num_heads, dim=-1)
        q, k, v = (torch.stack(pieces, dim=1) for pieces in (q, k, v))
        heads, weights = scaled_dot_product_attention(q, k, v, mask, self.dropout)
        self.weights = weights.detach().mean(dim=1)
        return self.w_o(torch.cat(heads.unbind(dim=1), dim=-1))

# %% wrong: no_value_error_and_first_weights_kept | TRUE CAUSE: two at once: __init__ makes no check that num_heads divides d_model, so no ValueError is raised, and self.weights is only set while it is None, so it holds the weights of the first call instead of the last
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query = split_heads(self.w_q(query), self.num_heads)
        key = split_heads(self.w_k(key), self.num_heads)
        value = split_heads(self.w_v(value), self.num_heads)
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        if self.weights is None:
            self.weights = weights.detach()
        return self.w_o(merge_heads(heads))

# %% wrong: no_biases | TRUE CAUSE: the four linear layers are made with bias=False, but each has to have its bias
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, d_model, bias=False)
        self.w_v = nn.Linear(d_model, d_model, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        query, key, value = (
            split_heads(linear(x), self.num_heads)
            for linear, x in zip((self.w_q, self.w_k, self.w_v), (query, key, value))
        )
        heads, weights = scaled_dot_product_attention(query, key, value, mask, self.dropout)
        self.weights = weights.detach()  # to look at; training needs only the output
        return self.w_o(merge_heads(heads))
