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


# %% right: tenth_own_named_steps
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.c1 = SublayerConnection(d_model, dropout, norm_first)
        self.c2 = SublayerConnection(d_model, dropout, norm_first)
        self.c3 = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def ask_target(y):
            return self.self_attn(y, y, y, tgt_mask)

        def ask_source(y):
            return self.cross_attn(y, memory, memory, src_mask)

        return self.c3(self.c2(self.c1(x, ask_target), ask_source), self.feed_forward)

# %% right: tenth_own_loop_over_pairs
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn, self.cross_attn = [
            MultiHeadAttention(d_model, num_heads, dropout) for _ in range(2)
        ]
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_and_norm = nn.ModuleList()
        while len(self.add_and_norm) < 3:
            self.add_and_norm.append(SublayerConnection(d_model, dropout, norm_first))

    @staticmethod
    def _asker(attention, mask, other=None):
        def ask(y):
            answers = y if other is None else other
            return attention(y, answers, answers, mask)

        return ask

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        todo = [
            self._asker(self.self_attn, tgt_mask),
            self._asker(self.cross_attn, src_mask, memory),
            self.feed_forward,
        ]
        for wrap, sublayer in zip(self.add_and_norm, todo):
            x = wrap(x, sublayer)
        return x


# %% right: eleventh_own_table_of_attentions
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_norm = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        steps = (
            lambda asks: self.self_attn(asks, asks, asks, tgt_mask),
            lambda asks: self.cross_attn(asks, memory, memory, src_mask),
            self.feed_forward,
        )
        for i, step in enumerate(steps):
            x = self.add_norm[i](x, step)
        return x

# %% right: eleventh_own_named_parts_and_helpers
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()

        def attention():
            return MultiHeadAttention(d_model, num_heads, dropout)

        def connection():
            return SublayerConnection(d_model, dropout, norm_first)

        self.on_target, self.on_source = attention(), attention()
        self.think = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_target = connection()
        self.around_source = connection()
        self.around_think = connection()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def read_target(y):
            return self.on_target(y, y, y, tgt_mask)

        def read_source(y):
            return self.on_source(y, memory, memory, src_mask)

        x = self.around_target(x, read_target)
        x = self.around_source(x, read_source)
        return self.around_think(x, self.think)


# %% right: twelfth_own_named_steps
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in ("own", "cross", "ff")]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def ask_target(q):
            return self.self_attn(q, q, q, tgt_mask)

        def ask_source(q):
            return self.cross_attn(q, memory, memory, src_mask)

        out = x
        for wrap, step in zip(self.sublayers, (ask_target, ask_source, self.feed_forward)):
            out = wrap(out, step)
        return out
# %% right: twelfth_own_bound_arguments
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        attention_sizes = dict(d_model=d_model, num_heads=num_heads, dropout=dropout)
        for name in ("self_attn", "cross_attn"):
            setattr(self, name, MultiHeadAttention(**attention_sizes))
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        a, b, c = (SublayerConnection(d_model, dropout, norm_first) for _ in range(3))
        self.sublayers = nn.ModuleList([a, b, c])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        plan = [(self.self_attn, None, tgt_mask), (self.cross_attn, memory, src_mask)]
        for i, (attention, source, mask) in enumerate(plan):
            x = self.sublayers[i](
                x,
                lambda y, att=attention, src=source, m=mask: att(
                    y, y if src is None else src, y if src is None else src, m
                ),
            )
        return self.sublayers[-1](x, self.feed_forward)
