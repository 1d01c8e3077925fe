# %% wrong: self_attn_weights_for_memory | TRUE CAUSE: the second sublayer calls self.self_attn instead of self.cross_attn, so one attention's weights serve both and those of cross_attn are never used
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

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
        x = self.sublayers[1](x, lambda y: self.self_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: mask_in_training_only | TRUE CAUSE: the student thinks the target mask is needed in training only, so in eval mode the masked self-attention gets None and sees the future and the padding
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        seen = tgt_mask if self.training else None
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, seen))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, lambda y: self.feed_forward(y))
        return x

# %% wrong: own_query_from_layer_input | TRUE CAUSE: the cross-attention takes the layer's input `target` as its query instead of what the connection hands it, so it does not ask with the result of the masked self-attention (which is only added around it)
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.first, self.second, self.third = (
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        target = x

        def look_at_target(y):
            return self.self_attn(y, y, y, tgt_mask)

        def look_at_source(y):
            return self.cross_attn(target, memory, memory, src_mask)

        written = self.first(target, look_at_target)
        informed = self.second(written, look_at_source)
        return self.third(informed, self.feed_forward)

# %% wrong: own_memory_is_only_read | TRUE CAUSE: "changed by none" is misread as "gets no gradient": memory.detach() keeps the outputs right but cuts the gradient to the memory, so the encoder would never be trained
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_norm = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in "123"]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        source = memory.detach()
        sublayers = [
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, source, source, src_mask),
            self.feed_forward,
        ]
        for add_norm, sublayer in zip(self.add_norm, sublayers):
            x = add_norm(x, sublayer)
        return x
