# %% wrong: encoder_keeps_its_own_dropout | TRUE CAUSE: dropout is not passed to the encoder, which keeps its default of 0.1 whatever the model was given
class CausalLM(nn.Module):
    """Predict each next token of a text from those before it: ids (N, T) to logits (N, T, V).

    An encoder that sees no future, with pre-norm, as in GPT-2 (Radford et al. 2019). Embedding
    and projection are one matrix. ids may continue a text of which `start` tokens were read.
    """

    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, norm_first=True)  # blank: stack
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

# %% wrong: projected_with_the_scale | TRUE CAUSE: the logits are dot products with what embed returns, which is the matrix times sqrt(d_model): all logits are too large by that factor
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
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = hidden @ self.embed(torch.arange(self.project.out_features, device=ids.device)).T  # (N, T, V)
        return logits

# %% wrong: tied_after_drawing | TRUE CAUSE: the projection is drawn with std 0.02 first and then replaced by the embedding's matrix, so the shared matrix has the embedding's own beginning (std 1)
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(
            num_layers, d_model, num_heads, d_ff, dropout=dropout, norm_first=True
        )
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, std=0.02)
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        shifted = F.pad(vectors, (0, 0, start, 0))
        placed = self.positions(shifted)[:, start:]
        hidden = self.encoder(placed, causal_mask(ids.shape[1], device=ids.device))
        return self.project(hidden)

# %% wrong: start_forgotten | TRUE CAUSE: the rewritten forward ignores start: every call begins at position 0, so a token that continues a text gets the wrong position
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        x = self.positions(self.embed(ids))  # (N, T, D)
        x = self.encoder(x, causal_mask(ids.size(1), ids.device))
        return self.project(x)

