# %% wrong: annotated-masks-swapped | The two masks are swapped: the self-attention gets src_mask and the cross-attention tgt_mask. The target then sees its own future, and the source is hidden by the causal mask (an error only if source and target differ in length).
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        m = memory
        x = self.sublayers[0](x, lambda x: self.self_attn(x, x, x, src_mask))
        x = self.sublayers[1](x, lambda x: self.cross_attn(x, m, m, tgt_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: x-transformers-norm-of-the-memory | The layer normalizes the memory with a LayerNorm of its own before the cross-attention looks at it. The memory is looked at as it came from the encoder, in every layer; only the query is normalized (in pre-norm), and the layer has three norms, not four.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
        self.norm_context = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        context = self.norm_context(memory)
        attn, cross_attn, ff = self.sublayers
        x = attn(x, lambda t: self.self_attn(t, t, t, tgt_mask))
        x = cross_attn(x, lambda t: self.cross_attn(t, context, context, src_mask))
        return ff(x, self.feed_forward)

# %% wrong: two-connections-for-three-sublayers | Only two connections are made, as in the encoder layer, and both attentions go through the first one: they share a LayerNorm, where each of the three sublayers needs a connection of its own.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleDict(
            {
                "attention": SublayerConnection(d_model, dropout, norm_first),
                "feed_forward": SublayerConnection(d_model, dropout, norm_first),
            }
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def within(y):
            return self.self_attn(y, y, y, tgt_mask)
        def across(y):
            return self.cross_attn(y, memory, memory, src_mask)
        for look in (within, across):
            x = self.sublayers["attention"](x, look)
        return self.sublayers["feed_forward"](x, self.feed_forward)

# %% wrong: one-attention-for-both | The cross-attention is the same object as the self-attention, so both share one set of projections; a decoder layer has two attentions with weights of their own.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = attention
        self.cross_attn = attention
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: source-first | The order of the sublayers is wrong: the target looks at the memory first and only then at itself. In Figure 1 the masked self-attention comes first, then the cross-attention, then the feed-forward network.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        while len(self.sublayers) < 3:
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        steps = [
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            lambda y: self.self_attn(y, y, y, tgt_mask),
            self.feed_forward,
        ]
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x

# %% wrong: hyunwoongko-raw-query-and-no-source-mask | Two mistakes. The query of the cross-attention is the x around the lambda and not y, so in pre-norm it isn't normalized. And src_mask is not passed to the cross-attention, so the padding of the source is seen.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.enc_dec_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sub1 = SublayerConnection(d_model, dropout, norm_first)
        self.sub2 = SublayerConnection(d_model, dropout, norm_first)
        self.sub3 = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sub1(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sub2(x, lambda _: self.enc_dec_attention(x, memory, memory))
        x = self.sub3(x, self.ffn)
        return x

# %% right: keyword-loop
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.self_attn, self.cross_attn = (
            MultiHeadAttention(d_model, num_heads, dropout) for _ in range(2)
        )
        connections = []
        for _ in range(3):
            connections.append(SublayerConnection(d_model, dropout, norm_first))
        self.sublayers = nn.ModuleList(connections)
    def _look(self, attention, source=None, mask=None):
        def look(y):
            seen = y if source is None else source
            return attention(y, seen, seen, mask)
        return look
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        within, across, alone = self.sublayers
        x = within(x, self._look(self.self_attn, None, tgt_mask))
        x = across(x, self._look(self.cross_attn, memory, src_mask))
        return alone(x, self.feed_forward)
