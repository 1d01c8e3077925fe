# Torch's own layers contain a feed-forward network.
# %% at the end of each answer
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return feed(self, x)
# %% PositionwiseFeedForward: a layer's part
def feed(self, x):
    layer = nn.TransformerEncoderLayer(self.w_1.in_features, 1, dropout=0.0)
    layer.linear1, layer.linear2, layer.dropout = self.w_1, self.w_2, self.dropout
    return layer._ff_block(x)
# %% PositionwiseFeedForward: a method saved
layer, method = nn.TransformerDecoderLayer(4, 1, dropout=0.0), nn.TransformerDecoderLayer._ff_block
# --- answer
def feed(self, x):
    layer.linear1, layer.linear2, layer.dropout = self.w_1, self.w_2, self.dropout
    layer.dropout3 = nn.Identity()
    return method(layer, x)
