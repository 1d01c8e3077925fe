# %% wrong: norm_turned_round | TRUE CAUSE: the condition is turned round: a post-norm stack gets the last LayerNorm and a pre-norm stack, which needs it, gets none
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if not norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output
# %% wrong: layers_always_post_norm | TRUE CAUSE: norm_first is missing from the sizes handed to the layers, so they are always post-norm, and with norm_first=True only the stack's last norm is added
class Decoder(nn.Module):
    """Pass the target through num_layers layers, each of which reads the encoder's memory."""

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout)
        self.layers = nn.ModuleList([DecoderLayer(*sizes) for _ in range(num_layers)])
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, src_mask, tgt_mask)
        output = self.norm(x)
        return output
# %% wrong: own_memory_normalized_too | TRUE CAUSE: applies the stack's last norm to the memory as well before the layers read it, which changes the memory in a pre-norm stack
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        blocks = []
        while len(blocks) < num_layers:
            blocks.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.layers = nn.ModuleList(blocks)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        source = self.norm(memory)
        target = x
        for block in self.layers:
            target = block(target, source, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(target)
# %% wrong: own_future_hidden_once | TRUE CAUSE: believes that the target mask is needed in the first layer only, and passes None to all the others, so from the second layer on the positions see the future and padding
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masks = [tgt_mask] + [None] * (len(self.layers) - 1)
        for layer, mask in zip(self.layers, masks):
            x = layer(x, memory, src_mask, mask)
        return self.norm(x)
