# %% wrong: mask_as_long_as_all_read | TRUE CAUSE: the causal mask is made for start + T positions, but only the T positions after start go through the encoder: with start above 0 the mask does not fit the scores
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)  # blank: stack
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight  # blank: tied
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(start + ids.size(1), device=ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits


# %% wrong: tied_to_a_copy | TRUE CAUSE: the projection gets a copy of the embedding's matrix as a parameter of its own, so the two are not one and the same (and only the projection is drawn with 0.02)
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)  # blank: stack
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.detach().clone())  # blank: tied
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))  # behind `start` empty positions
        placed = self.positions(shifted)[:, start:]  # (N, T, D)
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits


# %% wrong: dropout_lost_and_log_probs | TRUE CAUSE: two mistakes: dropout is not passed to the encoder, which uses its default of 0.1, and the model returns log-probabilities instead of logits
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        shifted = F.pad(vectors, (0, 0, start, 0))
        x = self.positions(shifted)[:, start:]
        mask = causal_mask(x.size(1), device=ids.device)
        x = self.encoder(x, mask)
        return self.project(x).log_softmax(dim=-1)
