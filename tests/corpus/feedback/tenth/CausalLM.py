# %% wrong: parameter_around_the_same_data | TRUE CAUSE: the tied blank wraps the embedding's .data in a new nn.Parameter, so project.weight and embed.embedding.weight share their numbers but are two parameters with separate gradients (counted and updated twice), instead of one and the same parameter.
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.data)
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.size(1)).to(ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits

# %% wrong: log_softmax_as_logits | TRUE CAUSE: the logits blank applies log_softmax to the projection, so forward returns normalized log-probabilities (each row's logsumexp is 0) where the text asks for raw logits, with the softmax left to the loss and the sampling.
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.shape[1]).to(ids.device)
        hidden = self.encoder(placed, mask)
        logits = F.log_softmax(self.project(hidden), dim=-1)  # (N, T, V)
        return logits

# %% wrong: own_drawn_before_tying | TRUE CAUSE: nn.init.normal_ with std 0.02 is applied to the projection's own weight before that weight is replaced by the embedding's, so the shared matrix keeps the embedding's original initialization (not std 0.02) and a new model's logits are far from 0.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        sizes = (num_layers, d_model, num_heads, d_ff)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        with torch.no_grad():
            self.project.weight.normal_(0.0, 0.02)
        self.encoder = Encoder(*sizes, dropout, norm_first=True)
        self.positions = PositionalEncoding(d_model, dropout)
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        # weight tying
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        T = ids.shape[1]
        x = self.embed(ids)
        empty = x.new_zeros(x.shape[0], start, x.shape[2])
        x = self.positions(torch.cat([empty, x], dim=1))[:, -T:]
        return self.project(self.encoder(x, causal_mask(T).to(ids.device)))

# %% wrong: own_cut_after_the_encoder | TRUE CAUSE: the `start` empty positions are cut off only after the encoder, not before it, so for start > 0 the real tokens also attend to the empty positions (and a cache would store them); only start=0 is right.
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        shared = self.embed.embedding.weight
        nn.init.normal_(shared, mean=0.0, std=0.02)
        self.project.weight = shared

    def forward(self, ids, start=0):
        x = F.pad(self.embed(ids), (0, 0, start, 0))
        x = self.positions(x)
        look_back = causal_mask(x.size(1)).to(ids.device)
        x = self.encoder(x, look_back)
        return self.project(x[:, start:])
