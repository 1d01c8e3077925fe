# %% wrong: feed_forward_reads_x_past_the_norm | TRUE CAUSE: the lambda around the feed-forward network ignores its y and closes over x, so in pre-norm the network reads the vectors before the norm
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))  # blank: encoder_self_attention
        x = self.sublayers[1](x, lambda y: self.feed_forward(x))  # blank: encoder_feed_forward
        return x


# %% wrong: attention_added_twice | TRUE CAUSE: the lambda adds y to the attention's result although the connection does the residual addition itself, so the input is counted twice
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
        x = self.sublayers[0](x, lambda y: y + self.self_attn(y, y, y, mask))  # blank: encoder_self_attention
        x = self.sublayers[1](x, self.feed_forward)  # blank: encoder_feed_forward
        return x


# %% wrong: feed_forward_beside_attention | TRUE CAUSE: the feed-forward sublayer works on the layer's input beside the attention, not on what attention gathered, and the two results are added
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        gathered = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))
        thought = self.sublayers[1](x, self.feed_forward)
        return gathered + thought


# %% wrong: mask_of_an_earlier_call_stays | TRUE CAUSE: the layer remembers the last mask that it was given and uses it again when it gets None, where None has to hide nothing
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.mask = None

    def attend(self, y):
        return self.self_attn(y, y, y, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        x = self.sublayers[0](x, self.attend)
        x = self.sublayers[1](x, self.feed_forward)
        return x
