# %% wrong: dropout_after_the_norm | TRUE CAUSE: dropout is applied to the normalized sum in post-norm (and never in pre-norm) instead of to what the sublayer returned, so x itself goes through dropout in one way and nothing does in the other
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = sublayer(read)
        total = x + update
        if self.norm_first:
            return total
        return self.dropout(self.norm(total))
# %% wrong: update_added_to_in_place | TRUE CAUSE: `update += x` adds into the tensor itself; in eval mode (or with dropout 0) nn.Dropout returns the same tensor, so what the sublayer returned is changed in place
class SublayerConnection(nn.Module):
    """Add a sublayer's output to x, and normalize.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            read = self.norm(x)
        else:
            read = x
        update = self.dropout(sublayer(read))
        update += x
        total = update
        if self.norm_first:
            return total
        return self.norm(total)
# %% wrong: own_mask_for_whole_positions | TRUE CAUSE: the handmade dropout mask has the shape (N, T, 1), so all features of a position become 0 together instead of each number by its own draw
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.p = dropout
        self.pre = norm_first
        self.norm = LayerNorm(d_model)

    def drop(self, y):
        if not self.training or self.p == 0:
            return y
        keep = torch.rand(y.shape[0], y.shape[1], 1, device=y.device) >= self.p
        return y * keep / (1 - self.p)

    def forward(self, x, sublayer):
        if self.pre:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))
# %% wrong: own_both_ways_computed | TRUE CAUSE: forward computes the post-norm and the pre-norm result and then picks one, so the sublayer is called twice in each call instead of once
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.ln, self.do = LayerNorm(d_model), nn.Dropout(dropout)

    def forward(self, x, sublayer):
        results = [
            self.ln(x + self.do(sublayer(x))),
            x + self.do(sublayer(self.ln(x))),
        ]
        return results[int(self.norm_first)]
