# %% wrong: lambda_ignores_y | TRUE CAUSE: the lambda attends to the x of forward instead of the y that the connection hands it, so with norm_first=True attention works on vectors that are not normalized (with norm_first=False nothing changes)
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        source = x
        x = self.sublayers[0](x, lambda y: self.self_attn(source, source, source, mask))
        x = self.sublayers[1](x, lambda y: self.feed_forward(y))
        return x

# %% wrong: first_connection_again | TRUE CAUSE: the feed-forward network goes through self.sublayers[0] again, so both sublayers share one norm and the norm of self.sublayers[1] is never used and gets no gradient
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))
        x = self.sublayers[0](x, self.feed_forward)
        return x

# %% wrong: own_mask_is_remembered | TRUE CAUSE: the mask is kept in self.current_mask and a mask of None does not reset it, so a call without a mask still hides what an earlier call's mask hid
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connect_attn = SublayerConnection(d_model, dropout, norm_first)
        self.connect_ff = SublayerConnection(d_model, dropout, norm_first)
        self.current_mask = None

    def attend(self, y):
        return self.self_attn(y, y, y, self.current_mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.current_mask = mask
        gathered = self.connect_attn(x, self.attend)
        return self.connect_ff(gathered, self.feed_forward)

# %% wrong: own_late_binding_in_loop | TRUE CAUSE: the lambdas made in the loop look up `part` only when they are called, after the loop has ended, so both steps run the feed-forward network and attention is never used
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(2)]
        )

    def forward(self, x, mask=None):
        steps = []
        for part, more in ((self.self_attn, 2), (self.feed_forward, 0)):
            steps.append(lambda y: part(y, y, y, mask) if more else part(y))
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x
