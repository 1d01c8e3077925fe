# %% wrong: attends_to_x | TRUE CAUSE: The lambda gives attention the outer x instead of its argument y, so with norm_first attention reads the vectors that were not normalized.
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
        x = self.sublayers[0](x, lambda y: self.self_attn(x, x, x, mask))
        x = self.sublayers[1](x, self.feed_forward)
        return x

# %% wrong: mask_inverted | TRUE CAUSE: The mask is turned around before attention (PyTorch convention that True hides), so what may be seen is hidden and what is hidden is seen.
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
        x = self.sublayers[0](x, lambda y: self.self_attn(query=y, key=y, value=y, mask=None if mask is None else mask.logical_not()))
        x = self.sublayers[-1](x, sublayer=lambda z: self.feed_forward(z))
        return x

# %% wrong: mask_remembered | TRUE CAUSE: The mask is kept on the module and used again when a later call gives mask=None, so a call without a mask still hides what an earlier mask hid.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        for _ in range(2):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))
        self.mask = None

    def _attend(self, y):
        return self.self_attn(y, y, y, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        attention_connection, feed_forward_connection = self.sublayers
        x = attention_connection(x, self._attend)
        return feed_forward_connection(x, self.feed_forward)

# %% wrong: one_connection_and_fixed_dropout | TRUE CAUSE: Two mistakes: the same SublayerConnection object stands twice in the list, so both sublayers share one norm; and the feed-forward network gets a dropout of 0.1 whatever dropout was asked for.
class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward, each inside Add & Norm."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        connection = SublayerConnection(d_model, dropout, norm_first)
        self.sublayers = nn.ModuleList([connection] * 2)

    def forward(self, x, mask=None):
        steps = (lambda y: self.self_attn(y, y, y, mask), self.feed_forward)
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x
