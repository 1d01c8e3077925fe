# %% wrong: plain_python_list | The layers are kept in a plain Python list, in which PyTorch does not look. Their weights are no parameters of the encoder: not trained, not saved, not moved, and eval mode does not reach them.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = [EncoderLayer(*sizes) for _ in range(num_layers)]
        self.norm = nn.Identity()
        if norm_first:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output
# %% wrong: last_norm_in_post_norm | The condition is inverted: the post-norm stack, whose layers end in a norm already, gets the last LayerNorm, and the pre-norm stack, which needs it, gets the identity.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(num_layers))
        self.norm = nn.Identity()
        if not norm_first:  # the layers leave a sum that is not normalized yet
            self.norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        output = self.norm(x)
        return output
# %% wrong: own_mask_for_first_layer_only | Only the first layer gets the mask, the others are called without one, as if padding were gone after the first layer. From the second layer on all positions attend to the padding.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.stack = nn.ModuleList()
        for _ in range(num_layers):
            self.stack.append(EncoderLayer(d_model, num_heads, d_ff, dropout, norm_first))
        self.last = LayerNorm(d_model) if norm_first else nn.Identity()
    def forward(self, x, mask=None):
        for depth, layer in enumerate(self.stack):
            if depth == 0:
                x = layer(x, mask)
            else:
                x = layer(x)
        return self.last(x)
# %% wrong: own_norm_after_every_layer | In pre-norm the last norm is applied inside the loop, after every layer, and not once at the end of the stack. That breaks the residual stream between the layers.
class Encoder(nn.Module):
    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.blocks = nn.ModuleList(
            [
                EncoderLayer(d_model, num_heads, d_ff, dropout=dropout, norm_first=norm_first)
                for _ in range(num_layers)
            ]
        )
        self.norm_first = norm_first
        if norm_first:
            self.final_norm = LayerNorm(d_model)
    def forward(self, x, mask=None):
        hidden = x
        for block in self.blocks:
            hidden = block(hidden, mask=mask)
            if self.norm_first:
                hidden = self.final_norm(hidden)
        return hidden
