# %% wrong: nanogpt-last-position-only | Outside training the stack returns the last position alone, as nanoGPT does at inference to save work in the output layer. The decoder's result must have a row for each target position (a mistake of place: picking the last position is the business of the loop that writes), and eval mode must not change its shape.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList(
            [
                DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
                for _ in range(num_layers)
            ]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for block in self.layers:
            x = block(x, memory, src_mask, tgt_mask)
        x = self.norm(x)
        if not self.training:
            x = x[:, [-1], :]
        return x

# %% wrong: layers-added-up-from-the-bottom | Each layer reads the embedded target at the bottom, and their results are averaged, as if the layers were a committee: the student does not stack them. Each layer must read what the one below has made.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        outputs = [layer(x, memory, src_mask, tgt_mask) for layer in self.layers]
        return self.norm(torch.stack(outputs).mean(dim=0))

# %% wrong: memory-normed-in-pre-norm | In pre-norm the stack sends the memory through its own last norm before the layers read it: the student thinks that the encoder's output is still the raw sum. The encoder's stack has a last norm of its own, and no layer of the decoder may change the memory.
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        source = self.norm(memory)
        hidden = x
        for layer in self.layers:
            hidden = layer(hidden, source, src_mask=src_mask, tgt_mask=tgt_mask)
        return self.norm(hidden)

# %% wrong: source-mask-forgotten | The layers get tgt_mask by name, and src_mask is not passed on: the student thinks that the encoder's mask has already taken the padding out of the memory. The memory still has rows for the padding, so cross-attention looks at them (cross-attention hides the padding of the source).
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(DecoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if norm_first:
            self.norm = LayerNorm(d_model)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for layer in self.layers:
            x = layer(x, memory, tgt_mask=tgt_mask)
        output = self.norm(x)
        return output

# %% right: torch-style-keywords
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            layer = DecoderLayer(d_model, num_heads, d_ff, dropout, norm_first)
            self.layers.append(layer)
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        output = x
        for mod in self.layers:
            output = mod(output, memory, tgt_mask=tgt_mask, src_mask=src_mask)
        return self.norm(output)

# %% right: counted-loop
class Decoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.depth = num_layers
        options = dict(dropout=dropout, norm_first=norm_first)
        self.layers = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, **options) for _ in range(num_layers)]
        )
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masks = {"src_mask": src_mask, "tgt_mask": tgt_mask}
        hidden, depth = x, 0
        while depth < self.depth:
            hidden = self.layers[depth](hidden, memory, **masks)
            depth += 1
        return self.norm(hidden)
