# Torch's own model.
# %% at the end of each answer
# %% make_model: the ready-made model's way to begin
def make_model(src_vocab, tgt_vocab, **sizes):
    model = Transformer(src_vocab, tgt_vocab, **sizes)
    nn.Transformer._reset_parameters(model)
    return model
# %% Transformer: a subclass
class Transformer(nn.Transformer):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__(d_model, num_heads, num_layers, num_layers, d_ff, dropout)
