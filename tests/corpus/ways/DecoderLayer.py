# %% right: keywords_and_names
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        connections = [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        self.sublayers = nn.ModuleList(connections)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        written, asked, thought = self.sublayers
        x = written(x, lambda y: self.self_attn(query=y, key=y, value=y, mask=tgt_mask))
        x = asked(x, lambda y: self.cross_attn(query=y, key=memory, value=memory, mask=src_mask))
        return thought(x, lambda y: self.feed_forward(y))

# %% right: functions_inside
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        while len(self.sublayers) < 3:
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def look_back(target):
            return self.self_attn(target, target, target, tgt_mask)

        def look_over(target):
            return self.cross_attn(target, memory, memory, src_mask)

        for number, sublayer in enumerate([look_back, look_over, self.feed_forward]):
            x = self.sublayers[number](x, sublayer)
        return x
