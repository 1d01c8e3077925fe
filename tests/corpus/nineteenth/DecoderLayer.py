# %% wrong: padding-of-the-source-seen | The cross-attention is called without src_mask, so the target also looks at the padding of the source; in cross-attention the padding of the source has to be hidden.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.size = d_model
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.src_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayer = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        m = memory
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, tgt_mask))
        x = self.sublayer[1](x, lambda x: self.src_attn(x, m, m))
        return self.sublayer[2](x, self.feed_forward)

# %% wrong: future-hidden-in-training-only | The target's mask is used in train mode only, in the belief that there is nothing to hide once the model is trained. The mask has to be used in every call that brings one; in eval mode each position sees what comes after it, and padding.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.encoder_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        self_attn_mask = tgt_mask if self.training else None
        def own(y):
            return self.self_attn(y, y, y, self_attn_mask)
        def other(y):
            return self.encoder_attn(y, memory, memory, src_mask)
        for connection, part in zip(self.sublayers, (own, other, self.feed_forward), strict=True):
            x = connection(x, part)
        return x

# %% wrong: one-attention-for-both | Masked self-attention and cross-attention are one and the same MultiHeadAttention object under two names, so they share one set of weights; the layer needs two attention parts, each made by a call of its own.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: one-connection-times-three | [...] * 3 puts one and the same connection into the list three times, so the three sublayers share one norm; SublayerConnection has to be called three times.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first)] * 3)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: memory-asks | In cross-attention the memory is the query and the target key and value; the decoder has to ask and the memory to answer. The result then has a row for each source position, which is an error unless source and target are equally long (and then runs, wrongly).
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(memory, y, y, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: memory-normalized-again | Each layer normalizes the memory with a norm of its own before the cross-attention looks at it. The memory is looked at as it left the encoder: no layer of the decoder changes it, and the Add & Norm is around x only.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm_context = LayerNorm(d_model)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        context = self.norm_context(memory)
        attend, cross, think = self.sublayers
        x = attend(x, lambda t: self.self_attn(t, t, t, tgt_mask))
        x = cross(x, lambda t: self.cross_attn(t, context, context, src_mask))
        return think(x, self.feed_forward)

# %% wrong: cross-first | The cross-attention comes before the masked self-attention; in Figure 1 the target first looks at itself, then at the memory, and then comes the feed-forward network.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_connection = SublayerConnection(d_model, dropout, norm_first)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_connection = SublayerConnection(d_model, dropout, norm_first)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.ffn_connection = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def look_at_source(q):
            return self.cross_attn(q, memory, memory, src_mask)
        def look_at_target(q):
            return self.self_attn(q, q, q, tgt_mask)
        trg = self.cross_connection(x, look_at_source)
        trg = self.self_connection(trg, look_at_target)
        return self.ffn_connection(trg, self.feed_forward)

# %% wrong: plain-list-and-x-for-y | Two mistakes. The connections are kept in a plain Python list, where PyTorch does not find them (not trained, saved or moved). And the cross-attention asks with x from the code around it and not with the y that the connection passes, so in pre-norm its query is not normalized.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(x, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% right: module-dict
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = nn.ModuleDict()
        self.around = nn.ModuleDict()
        for name in ("target", "source", "network"):
            self.around[name] = SublayerConnection(d_model, dropout, norm_first)
            if name != "network":
                self.attention[name] = MultiHeadAttention(d_model, num_heads, dropout)
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def from_target(asking):
            return self.attention["target"](asking, asking, asking, tgt_mask)
        def from_source(asking):
            return self.attention["source"](asking, memory, memory, src_mask)
        h = self.around["target"](x, from_target)
        h = self.around["source"](h, from_source)
        return self.around["network"](h, self.network)
