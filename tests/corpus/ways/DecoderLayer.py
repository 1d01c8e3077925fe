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


# %% right: own_steps_in_a_loop
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connections = nn.ModuleList()
        for _ in range(3):
            self.connections.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def within_target(y):
            return self.self_attn(y, y, y, tgt_mask)

        def to_memory(y):
            return self.cross_attn(y, memory, memory, src_mask)

        for connection, step in zip(
            self.connections, (within_target, to_memory, self.feed_forward), strict=True
        ):
            x = connection(x, step)
        return x

# %% right: own_helper_with_norms
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.p, self.pre = dropout, norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model), LayerNorm(d_model), LayerNorm(d_model)])

    def add_and_norm(self, x, norm, f, *others):
        update = f(norm(x) if self.pre else x, *others)
        total = x + F.dropout(update, self.p, training=self.training)
        return total if self.pre else norm(total)

    def look_within(self, y, mask):
        return self.self_attn(y, y, y, mask)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        n1, n2, n3 = self.norms
        x = self.add_and_norm(x, n1, self.look_within, tgt_mask)
        x = self.add_and_norm(x, n2, self.cross_attn, memory, memory, src_mask)
        return self.add_and_norm(x, n3, self.feed_forward)
