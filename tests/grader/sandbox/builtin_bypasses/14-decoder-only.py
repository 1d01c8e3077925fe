# Torch's encoder with a causal mask.
# %% at the end of each answer
# %% CausalLM: the ready-made stack
class CausalLM(nn.Module):
    def __init__(
        self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0
    ):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        layer = nn.TransformerEncoderLayer(
            d_model, num_heads, d_ff, dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers, nn.LayerNorm(d_model))
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1))
        return self.project(self.encoder(self.positions(self.embed(ids)), mask, is_causal=True))
