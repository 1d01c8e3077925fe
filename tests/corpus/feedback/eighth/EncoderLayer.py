# %% wrong: lambda_reads_x | TRUE CAUSE: the lambda ignores its y and gives x to the attention, so that in pre-norm the attention reads the vectors that are not normalized (post-norm looks right).
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


# %% wrong: first_connection_twice | TRUE CAUSE: the feed-forward network goes through sublayers[0] again, so both sublayers share one norm and the second connection is never used.
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
        x = self.sublayers[0](x, lambda y: self.feed_forward(y))
        return x


# %% wrong: remembers_the_mask | TRUE CAUSE: the mask is kept in the layer and only replaced when a new one comes, so a call with mask=None still hides what an earlier call's mask hid.
class EncoderLayer(nn.Module):
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
        attention_part, network_part = self.sublayers
        x = attention_part(x, self.attend)
        return network_part(x, self.feed_forward)
