# %% wrong: sizes_exchanged | TRUE CAUSE: the sizes of both linear layers are exchanged: w_1 goes from d_ff to d_model and w_2 back, so x does not fit into w_1
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_ff, d_model)
        self.w_2 = nn.Linear(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: no_relu | TRUE CAUSE: there is no ReLU between the two layers, so the network is only linear
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x)  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: relu_at_the_end_too | TRUE CAUSE: a second ReLU is applied to the output, so no output can be negative
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = F.relu(self.w_2(kept))  # (N, T, D)
        return output

# %% wrong: dropout_on_the_result | TRUE CAUSE: dropout acts on the output of w_2 instead of on the hidden numbers
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.relu(self.w_1(x))  # (N, T, d_ff)
        kept = hidden
        output = self.dropout(self.w_2(kept))  # (N, T, D)
        return output

# %% wrong: gelu_for_relu | TRUE CAUSE: GELU stands between the layers instead of the ReLU, so negative numbers are not cut to 0
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.gelu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2.forward(kept)  # (N, T, D)
        return output

# %% wrong: tied_weights | TRUE CAUSE: the second layer multiplies by the transposed weight of w_1 instead of using w_2's own weight, which is never used
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).clamp(min=0)  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = F.linear(kept, self.w_1.weight.t(), self.w_2.bias)  # (N, T, D)
        return output

# %% wrong: dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training, so hidden numbers are dropped in eval mode, too
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).relu()  # (N, T, d_ff)
        kept = F.dropout(hidden, p=self.dropout.p)
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: dropout_on_input_and_w_2_without_bias | TRUE CAUSE: two at once: dropout acts on x before w_1 instead of on the hidden numbers, and w_2 has no bias
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(in_features=d_model, out_features=d_ff)
        self.w_2 = nn.Linear(in_features=d_ff, out_features=d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = nn.functional.relu(self.w_1(self.dropout(x)))  # (N, T, d_ff)
        kept = hidden
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: always_four_times | TRUE CAUSE: the hidden size is hard-coded as four times d_model and the argument d_ff is ignored
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.d_ff = 4 * d_model
        self.w_1 = nn.Linear(d_model, self.d_ff)
        self.w_2 = nn.Linear(self.d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.w_2(self.dropout(F.relu(self.w_1(x))))

# %% wrong: residual_inside | TRUE CAUSE: x is added to the output, though the residual belongs to the SublayerConnection around the network and not into it
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        y = self.w_1(x)
        y = torch.maximum(y, torch.zeros_like(y))
        y = self.dropout(y)
        return x + self.w_2(y)

# %% wrong: maximum_over_axis_zero | TRUE CAUSE: max(0, ...) is read as Tensor.max along an axis: torch.max(y, dim=0) takes the largest number over the sentences of the batch, so positions share hidden numbers and negative ones stay
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        y = self.w_1(x)
        biggest = torch.max(y, 0).values  # max(0, x W_1 + b_1)
        y = self.dropout(biggest.expand_as(y))
        return self.w_2(y)

# %% wrong: last_word_left_out | TRUE CAUSE: the loop over the words ends one too early, so the output of the last word stays 0
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def one_word(self, word):
        hidden = F.relu(self.w_1(word))
        return self.w_2(self.dropout(hidden))

    def forward(self, x):
        output = torch.zeros_like(x)
        for t in range(0, x.size(1) - 1):
            output[:, t, :] = self.one_word(x[:, t, :])
        return output

# %% wrong: dropout_mask_kept_and_used_in_eval | TRUE CAUSE: two at once: the dropout mask is drawn once in __init__ instead of anew in each call, and it is applied in eval mode as well
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        keep = torch.bernoulli(torch.full((d_ff,), 1.0 - dropout)) / max(1.0 - dropout, 1e-8)
        self.register_buffer("keep", keep, persistent=False)

    def forward(self, x):
        hidden = torch.where(self.w_1(x) > 0, self.w_1(x), 0.0)
        return self.w_2(hidden * self.keep)
