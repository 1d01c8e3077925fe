# %% wrong: mingpt-own-triangle | The layer makes a causal mask of its own, as minGPT's attention does, and ignores tgt_mask: the student thinks that the target's mask hides nothing but the future. So the target's padding is seen, and a tgt_mask of None, which must hide nothing, still hides the future.
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
        B, T, C = x.size()
        bias = torch.tril(torch.ones(T, T, device=x.device)).view(1, 1, T, T).bool()
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, bias))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, lambda y: self.feed_forward(y))
        return x

# %% wrong: memory-kept-from-first-call | The layer stores the first memory it gets and uses it in all later calls of the same shape, as Hugging Face's layers reuse the cross-attention's past keys: the student takes "computed once" to mean once for the layer and not once for each source. The second sentence is translated from the first one's memory.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
        self.past_memory = None
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        is_updated = self.past_memory is not None and self.past_memory.shape == memory.shape
        if not is_updated:
            self.past_memory = memory.detach()
            encoder_states = memory
        else:
            encoder_states = self.past_memory
        hidden = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        hidden = self.sublayers[1](
            hidden, lambda y: self.cross_attn(y, encoder_states, encoder_states, src_mask)
        )
        return self.sublayers[2](hidden, self.feed_forward)

# %% wrong: context-normed | The memory is normalized by the cross-attention's own norm before keys and values are made of it, as x-transformers can norm its context: the student thinks that in pre-norm everything that enters a sublayer has to be normalized. The memory leaves the encoder's stack as it should be, is changed by no layer of the decoder, and the connection normalizes x alone.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
        self.pre_norm = norm_first
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        attend_self, attend_context, transform = self.sublayers
        context = attend_context.norm(memory) if self.pre_norm else memory
        x = attend_self(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = attend_context(x, lambda y: self.cross_attn(y, context, context, src_mask))
        return transform(x, self.feed_forward)

# %% wrong: gptj-in-parallel | Self-attention and cross-attention both read the layer's input, and their results are added up, in parallel, as GPT-J does with attention and feed-forward. So the queries of cross-attention do not know what self-attention has found; Figure 1 has one sublayer after the other, each with its own Add & Norm.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        from_target = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        from_source = self.sublayers[1](
            x, lambda y: self.cross_attn(y, memory, memory, src_mask)
        )
        both = from_target + from_source - x
        return self.sublayers[2](both, self.feed_forward)

# %% wrong: two-connections-and-x-as-query | Two mistakes. There are only two connections, as in the encoder layer, and the feed-forward network shares that of cross-attention with its norm, although three sublayers need three connections. And cross-attention's query is the x around the lambda, not the y that the connection hands to it, so in pre-norm it is not normalized.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(x, memory, memory, src_mask))
        x = self.sublayers[-1](x, self.feed_forward)
        return x

# %% right: annotated-short-names
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.size = d_model
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        connections = [SublayerConnection(d_model, dropout, norm_first) for _ in "scf"]
        self.sublayers = nn.ModuleList(connections)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        m = memory
        x = self.sublayers[0](x, lambda x: self.self_attn(x, x, x, tgt_mask))
        x = self.sublayers[1](x, lambda x: self.cross_attn(x, m, m, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% right: one-loop-over-steps
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        def attention():
            return MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn, self.cross_attn = attention(), attention()
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        for _ in (self.self_attn, self.cross_attn, self.feed_forward):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first=norm_first))
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        steps = [
            lambda y: self.self_attn(query=y, key=y, value=y, mask=tgt_mask),
            lambda y: self.cross_attn(query=y, key=memory, value=memory, mask=src_mask),
            lambda y: self.feed_forward(y),
        ]
        for connection, step in zip(self.sublayers, steps, strict=True):
            x = connection(x, step)
        return x
