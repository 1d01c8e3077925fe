# %% wrong: post_norm | TRUE CAUSE: norm_first is left at its default, so the layers are post-norm and there is no norm at the end
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

# %% wrong: dropout_not_passed_on | TRUE CAUSE: dropout is not handed to the encoder, which then uses its own default of 0.1 whatever was asked for
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

# %% wrong: mask_of_the_whole_text | TRUE CAUSE: the mask is made for all start + T positions, but the encoder gets the T new vectors only: its shape does not fit where start is not 0
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
        mask = causal_mask(start + ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)  # (N, T, V)
        return logits

# %% wrong: returns_log_probabilities | TRUE CAUSE: returns log-probabilities, as the Generator did, where the logits themselves are asked for
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
        logits = self.project(hidden).log_softmax(dim=-1)  # (N, T, V)
        return logits

# %% wrong: padding_mask_as_in_the_encoder | TRUE CAUSE: hides padding, as the translator's encoder does, and not the future: every position sees the tokens that it should predict
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        shifted = F.pad(vectors, (0, 0, start, 0))
        placed = self.positions(shifted)[:, start:]
        mask = (ids != self.pad_id).unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
        hidden = self.encoder(placed, mask)
        return self.project(hidden)

# %% wrong: equal_but_not_one | TRUE CAUSE: the projection gets a copy of the embedding's weights: equal at first, but two parameters, which training drives apart
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        nn.init.normal_(self.embed.embedding.weight, std=0.02)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = nn.Parameter(self.embed.embedding.weight.detach().clone())

    def forward(self, ids, start=0):
        vectors = self.embed(ids)
        shifted = F.pad(vectors, (0, 0, start, 0))
        placed = self.positions(shifted)[:, start:]
        mask = causal_mask(ids.size(1), ids.device)
        return self.project(self.encoder(placed, mask))

# %% wrong: drawn_before_tied | TRUE CAUSE: the projection's own weight is drawn with 0.02, and only then replaced by the embedding's, which was never drawn anew: the one matrix has the embedding's spread, and the logits are far from 0
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        nn.init.normal_(self.project.weight, std=0.02)
        self.project.weight = self.embed.embedding.weight

    def forward(self, ids, start=0):
        vectors = self.embed(ids)  # (N, T, D)
        shifted = F.pad(vectors, (0, 0, start, 0))
        placed = self.positions(shifted)[:, start:]
        mask = causal_mask(ids.size(1), ids.device)
        hidden = self.encoder(placed, mask)
        logits = self.project(hidden)
        return logits

# %% wrong: scaled_again_and_start_ignored | TRUE CAUSE: two mistakes: the embedding is multiplied by the root of d_model once more (TokenEmbedding does it), and start is ignored, so every call begins at position 0
class CausalLM(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, d_ff, num_layers, dropout=0.1, pad_id=0):
        super().__init__()
        self.d_model = d_model
        self.embed = TokenEmbedding(vocab_size, d_model, pad_id)
        self.positions = PositionalEncoding(d_model, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first=True)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embed.embedding.weight
        nn.init.normal_(self.project.weight, std=0.02)

    def forward(self, ids, start=0):
        x = self.positions(self.embed(ids) * math.sqrt(self.d_model))
        x = self.encoder(x, causal_mask(ids.size(1), ids.device))
        return self.project(x)
