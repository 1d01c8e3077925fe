# %% wrong: post_norm_left | TRUE CAUSE: norm_first=True is not handed to the encoder, so its layers are post-norm
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout)  # blank: stack
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight  # blank: tied
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits


# %% wrong: mask_counts_the_start | TRUE CAUSE: makes the mask for start + T positions, although only the T given ones go through the encoder, so it does not fit as soon as start is above 0
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(
            num_layers, d_model, num_heads, d_ff, dropout, norm_first=True
        )
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight  # blank: tied
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(start + ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits


# %% wrong: log_probs_and_default_dropout | TRUE CAUSE: two mistakes: dropout does not reach the encoder, whose default of 0.1 stays, and the model returns log-probabilities instead of logits
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V)."""

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))
        placed = self.positions(shifted)[:, start:]
        mask = causal_mask(ids.shape[1], ids.device)
        hidden = self.encoder(placed, mask)
        return self.project(hidden).log_softmax(dim=-1)
