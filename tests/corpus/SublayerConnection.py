# %% right: the notebook's skeleton, filled
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% right: early return for pre-norm
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))

# %% right: verbose beginner
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super(SublayerConnection, self).__init__()
        self.d_model = d_model
        self.norm = LayerNorm(self.d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        residual = x
        if self.norm_first == True:
            x = self.norm(x)
        else:
            x = x
        x = sublayer(x)
        x = self.dropout(x)
        x = residual + x
        if self.norm_first == False:
            x = self.norm(x)
        else:
            x = x
        return x

# %% right: F.dropout with self.training
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = x
        if self.norm_first:
            read = self.norm(read)
        update = F.dropout(sublayer(read), p=self.p, training=self.training)
        total = x + update
        if self.norm_first:
            return total
        return self.norm(total)

# %% right: dropout written by hand with rand_like
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first

    def drop(self, y):
        if not self.training or self.rate == 0:
            return y
        if self.rate == 1:
            return y * 0
        keep = torch.rand_like(y) >= self.rate
        return torch.where(keep, y / (1 - self.rate), torch.zeros_like(y))

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))

# %% right: bernoulli mask and addcmul
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.keep = 1.0 - dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        said = sublayer(self.norm(x) if self.norm_first else x)
        if self.training and 0.0 < self.keep < 1.0:
            mask = torch.empty_like(said).bernoulli_(self.keep).div_(self.keep)
            total = torch.addcmul(x, said, mask)
        elif self.training and self.keep <= 0.0:
            total = x + 0.0 * said
        else:
            total = x + said
        return total if self.norm_first else self.norm(total)

# %% right: two small methods, chosen in forward
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def _post(self, x, sublayer):
        return self.norm(torch.add(x, self.dropout(sublayer(x))))

    def _pre(self, x, sublayer):
        return torch.add(x, self.dropout(sublayer(self.norm(x))))

    def forward(self, x, sublayer):
        way = self._pre if self.norm_first else self._post
        return way(x, sublayer)

# %% right: identity on the side without a norm, as properties
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.nothing = nn.Identity()
        self.norm_first = norm_first

    @property
    def before(self):
        return self.norm if self.norm_first else self.nothing

    @property
    def after(self):
        return self.nothing if self.norm_first else self.norm

    def forward(self, x, sublayer):
        return self.after(x + self.dropout(sublayer(self.before(x))))

# %% right: identity modules stored, norm not called norm
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        norm = LayerNorm(d_model)
        self.before, self.after = (norm, nn.Identity()) if norm_first else (nn.Identity(), norm)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return self.after(x + self.dropout(sublayer(self.before(x))))

# %% right: in place on a clone
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        total = x.clone()
        total += self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        if not self.norm_first:
            total = self.norm(total)
        return total

# %% right: stack and sum
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = [x, self.norm(x)][int(self.norm_first)] if self.norm_first else x
        both = torch.stack((x, self.dropout(sublayer(read))), dim=0)
        total = both.sum(dim=0)
        return total if self.norm_first else self.norm(total)

# %% right: a pipeline of functions with reduce
from functools import reduce


class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        def add(update):
            return x + update

        if self.norm_first:
            steps = (self.norm, sublayer, self.dropout, add)
        else:
            steps = (sublayer, self.dropout, add, self.norm)
        return reduce(lambda value, step: step(value), steps, x)

# %% right: typed and documented
from collections.abc import Callable


class SublayerConnection(nn.Module):
    """Residual connection around any sublayer, with layer normalization.

    Args:
        d_model: number of features of x.
        dropout: probability of zeroing an element of the sublayer's output.
        norm_first: pre-norm if True, post-norm (the paper) if False.
    """

    norm_first: bool

    def __init__(self, d_model: int, dropout: float = 0.1, norm_first: bool = False) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.norm: nn.Module = LayerNorm(d_model)
        self.dropout: nn.Module = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, sublayer: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        normed: torch.Tensor = self.norm(x) if self.norm_first else x
        update: torch.Tensor = self.dropout(sublayer(normed))
        total: torch.Tensor = x + update
        return self.norm(total) if not self.norm_first else total

    def extra_repr(self) -> str:
        return f"norm_first={self.norm_first}"

# %% right: defensive programming
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        if not 0 <= dropout <= 1:
            raise ValueError("dropout is a probability")
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = bool(norm_first)

    def forward(self, x, sublayer):
        if not callable(sublayer):
            raise TypeError("sublayer must be callable")
        read = self.norm(x) if self.norm_first else x
        said = sublayer(read)
        if said.shape != x.shape:
            raise ValueError(f"the sublayer made {tuple(said.shape)} of {tuple(x.shape)}")
        total = x + self.dropout(said)
        return total if self.norm_first else self.norm(total)

# %% right: passes further arguments on to the sublayer
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer, *args, **kwargs):
        if self.norm_first:
            update = sublayer(self.norm(x), *args, **kwargs)
        else:
            update = sublayer(x, *args, **kwargs)
        out = x + self.dropout(update)
        return out if self.norm_first else self.norm(out)

# %% right: table of functions
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        ways = {
            False: lambda: self.norm(x + self.dropout(sublayer(x))),
            True: lambda: x + self.dropout(sublayer(self.norm(x))),
        }
        return ways[bool(self.norm_first)]()

# %% right: own dropout module
class Drop(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, y):
        if self.training and self.p > 0:
            hidden = torch.rand(y.shape, device=y.device) < self.p
            y = y.masked_fill(hidden, 0.0) / max(1 - self.p, 1e-12)
        return y


class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm, self.dropout, self.norm_first = LayerNorm(d_model), Drop(dropout), norm_first

    def forward(self, x, sublayer):
        total = x + self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        return total if self.norm_first else self.norm(total)

# %% right: no dropout module when the rate is 0
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout) if dropout > 0 else None
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        y = x
        if self.norm_first:
            y = self.norm(y)
        y = sublayer(y)
        if self.dropout is not None:
            y = self.dropout(y)
        y = y + x
        if not self.norm_first:
            y = self.norm(y)
        return y

# %% right: match statement
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.order = "pre" if norm_first else "post"

    def forward(self, x, sublayer):
        match self.order:
            case "pre":
                return x + self.dropout(sublayer(self.norm(x)))
            case "post":
                return self.norm(x + self.dropout(sublayer(x)))
            case other:
                raise ValueError(other)

# %% right: walrus and conditional expressions
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm, self.dropout = LayerNorm(d_model), nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        return t if (t := x + self.dropout(sublayer(self.norm(x) if self.norm_first else x)), pre := self.norm_first)[1] else self.norm(t)

# %% right: ModuleDict
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.parts = nn.ModuleDict({"norm": LayerNorm(d_model), "dropout": nn.Dropout(dropout)})
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        norm, dropout = self.parts["norm"], self.parts["dropout"]
        if self.norm_first:
            return dropout(sublayer(norm(x))) + x
        return norm(dropout(sublayer(x)) + x)

# %% right: inner residual module
class Residual(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.dropout = nn.Dropout(p)

    def forward(self, x, update):
        return x + self.dropout(update)


class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.residual = Residual(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return self.residual(x, sublayer(self.norm(x)))
        else:
            return self.norm(self.residual(x, sublayer(x)))

# %% right: a LayerNorm itself, by inheritance
class SublayerConnection(LayerNorm):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        norm = super().forward
        if self.norm_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))

# %% right: sets the norm aside with a helper function
def apply_if(condition, function, value):
    return function(value) if condition else value


class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = apply_if(self.norm_first, self.norm, x)
        total = x + self.dropout(sublayer(read))
        return apply_if(not self.norm_first, self.norm, total)

# %% right: torch.where picks the side
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        first = torch.tensor(bool(self.norm_first), device=x.device)
        read = torch.where(first, self.norm(x), x)
        total = x + self.dropout(sublayer(read))
        return torch.where(first, total, self.norm(total))

# %% right: dropout rate kept in a module, applied by function
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        nn.Module.__init__(self)
        self.add_module("norm", LayerNorm(d_model))
        self.add_module("dropout", nn.Dropout(dropout))
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        out = sublayer(self.norm(x)) if self.norm_first else sublayer(x)
        out = nn.functional.dropout(out, self.dropout.p, self.dropout.training, inplace=False)
        out = torch.sum(torch.cat([x[None], out[None]]), 0)
        return (lambda t: t)(out) if self.norm_first else self.norm(out)

# %% right: layer norm restored from scratch in the connection
class SublayerConnection(nn.Module):
    """The norm's formula stands in a method here; only its parameters come from LayerNorm."""

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def normalize(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        return self.norm.gamma * centred * torch.rsqrt(variance + 1e-6) + self.norm.beta

    def forward(self, x, sublayer):
        if not self.norm_first:
            return self.normalize(x + self.dropout(sublayer(x)))
        return x + self.dropout(sublayer(self.normalize(x)))

# %% right: last update kept for inspection
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.last_size = None

    def forward(self, x, sublayer):
        update = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        self.last_size = update.detach().abs().mean()
        total = update + x
        if self.norm_first is False:
            total = self.norm(total)
        return total

# %% wrong: always post-norm | norm_first is stored and never read
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = x
        update = self.dropout(sublayer(read))
        total = x + update
        return self.norm(total)

# %% wrong: always pre-norm | quotes the paper, but normalizes first as the Annotated Transformer does
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x)
        update = self.dropout(sublayer(read))
        total = x + update
        return total

# %% wrong: flag upside down | norm_first=True gives post-norm and the other way round
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = x if self.norm_first else self.norm(x)
        update = self.dropout(sublayer(read))
        total = x + update
        return self.norm(total) if self.norm_first else total

# %% wrong: only the first blank asks for the flag | pre-norm normalizes the sum as well
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return self.norm(total)

# %% wrong: only the last blank asks for the flag | post-norm also normalizes what the sublayer reads
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x)
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: never normalized in post-norm | the result is the bare sum in both modes
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total

# %% wrong: no residual | returns what the sublayer says, x is not added
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = update
        return total if self.norm_first else self.norm(total)

# %% wrong: residual from the normed x | pre-norm adds to norm(x), not to x
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = read + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout on the sum | the dropout acts on x + sublayer(x), so on the straight way, too
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = sublayer(read)
        total = self.dropout(x + update)
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout on the sublayer's input | dropout before the sublayer in place of after it
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = sublayer(self.dropout(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout forgotten | self.dropout is never used
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = sublayer(read)
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout on both summands | x goes through dropout, too
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = self.dropout(x) + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout twice | dropout in the update and again on the way into the sum
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + self.dropout(update)
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout at the very end | dropout on the result of the norm, or of the sum
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = sublayer(read)
        total = x + update
        return self.dropout(total if self.norm_first else self.norm(total))

# %% wrong: dropout on x only | dropout sits on the wrong summand
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = sublayer(read)
        total = self.dropout(x) + update
        return total if self.norm_first else self.norm(total)

# %% wrong: sublayer called twice | calls the sublayer a second time in the sum
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + self.dropout(sublayer(read))
        return total if self.norm_first else self.norm(total)

# %% wrong: difference in place of sum | x - update
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x - update
        return total if self.norm_first else self.norm(total)

# %% wrong: product in place of sum | x * update, as a gate
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x * update
        return total if self.norm_first else self.norm(total)

# %% wrong: mean of both | halves the sum; post-norm hides it, pre-norm does not
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = (x + update) / 2
        return total if self.norm_first else self.norm(total)

# %% wrong: update added twice | x + update was already there, adds it again
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update + update
        return total if self.norm_first else self.norm(total)

# %% wrong: in-place sum | `x.add_` changes the caller's tensor
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x.add_(update)
        return total if self.norm_first else self.norm(total)

# %% wrong: in-place on the sublayer's output | update.add_(x) changes what the sublayer returned: with no dropout active that is the sublayer's own tensor
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = update.add_(x)
        return total if self.norm_first else self.norm(total)

# %% wrong: residual detached | no gradient on the straight way
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x.detach() + update
        return total if self.norm_first else self.norm(total)

# %% wrong: update detached | the sublayer gets no gradient
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update.detach()
        return total if self.norm_first else self.norm(total)

# %% wrong: norm applied after the sum's norm | post-norm normalizes twice
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(self.norm(total))

# %% wrong: norm of the update | normalizes what the sublayer says instead of the sum
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else x + self.norm(update)

# %% wrong: norm of each summand | norm(x) + norm(update) taken for norm(x + update)
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(x) + self.norm(update)

# %% wrong: sublayer by keyword | calls sublayer(x=...), which only functions with that name understand
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(x=read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: sublayer.forward | only modules have a forward, the text says anything that can be called
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer.forward(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: keep probability | nn.Dropout takes the probability to drop, not to keep
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(1 - dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout rate hard-wired | 0.1 whatever the argument says
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(0.1)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout 0 taken for not given | `dropout or 0.1` makes 0.1 of 0
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout or 0.1)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout in place | inplace=True changes the tensor that the sublayer returned
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout, inplace=True)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout of whole rows | nn.Dropout1d drops all features of a position together
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout1d(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: alpha dropout | AlphaDropout does not set elements to zero and scales otherwise
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.AlphaDropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: dropout as eps | the second argument of LayerNorm is eps, not dropout
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model, dropout)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: d_model hard-wired | the paper's 512
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(512)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: pre-norm by default | default norm_first=True
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=True):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: arguments in another order | (d_model, norm_first, dropout): by position, dropout lands in norm_first
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, norm_first=False, dropout=0.1):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return total if self.norm_first else self.norm(total)

# %% wrong: returns the update, too | a tuple instead of a tensor
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return (total if self.norm_first else self.norm(total)), update

# %% wrong: norm only while training | takes self.training for the flag on the last line
class SublayerConnection(nn.Module):
    """Add what a sublayer says of x to x itself, normalized.

    Post-norm, as in the paper, normalizes the sum; pre-norm (norm_first) normalizes what the
    sublayer reads and leaves the sum as it is.
    """

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        update = self.dropout(sublayer(read))
        total = x + update
        return self.norm(total) if self.training and not self.norm_first else total

# %% wrong: F.dropout always on | F.dropout has training=True by default, so eval mode drops, too
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.p = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + F.dropout(sublayer(self.norm(x)), self.p)
        return self.norm(x + F.dropout(sublayer(x), self.p))

# %% wrong: mode remembered from the constructor | self.training is read once, when it is still True
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.norm_first = norm_first
        training = self.training
        self.drop = lambda y: F.dropout(y, dropout, training)

    def forward(self, x, sublayer):
        y = self.drop(sublayer(self.norm(x) if self.norm_first else x))
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: gradient mode taken for training mode | drops when gradients are on, whatever train() and eval() say
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        said = sublayer(self.norm(x) if self.norm_first else x)
        said = F.dropout(said, self.rate, training=torch.is_grad_enabled())
        return x + said if self.norm_first else self.norm(x + said)

# %% wrong: dropout without rescaling | a mask of zeros and ones, the survivors are not divided by 1 - p
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        y = sublayer(self.norm(x) if self.norm_first else x)
        if self.training:
            y = y * (torch.rand_like(y) >= self.rate)
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: dropout of 2014 | scales by 1 - p in eval mode instead of 1 / (1 - p) in training
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first

    def drop(self, y):
        if self.training:
            return y.masked_fill(torch.rand_like(y) < self.rate, 0)
        return y * (1 - self.rate)

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.drop(sublayer(self.norm(x)))
        return self.norm(x + self.drop(sublayer(x)))

# %% wrong: one dropout mask for ever | the mask is drawn at the first call of a shape and kept
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first
        self.masks = {}

    def forward(self, x, sublayer):
        y = sublayer(self.norm(x) if self.norm_first else x)
        if self.training:
            if y.shape not in self.masks:
                self.masks[y.shape] = F.dropout(torch.ones_like(y), self.rate)
            y = y * self.masks[y.shape]
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: the same mask for all sentences | a mask of shape (T, D) is broadcast over the batch
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        y = sublayer(self.norm(x) if self.norm_first else x)
        y = y * self.dropout(torch.ones_like(y[0]))
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: whole sublayer dropped | stochastic depth: in training the update vanishes as a whole with probability p
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.rate = dropout
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        update = sublayer(self.norm(x) if self.norm_first else x)
        if self.training:
            kept = float(torch.rand(()) >= self.rate)
            update = update * kept / max(1 - self.rate, 1e-6)
        return x + update if self.norm_first else self.norm(x + update)

# %% wrong: global seed before dropout | torch.manual_seed in forward: the same mask at each call, and the caller's generator is reset
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        y = sublayer(self.norm(x) if self.norm_first else x)
        torch.manual_seed(42)  # reproducible
        y = self.dropout(y)
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: new norm at each call | the norm is made in forward, so nothing of it is ever learned
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        norm = LayerNorm(self.d_model).to(x)
        if self.norm_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))

# %% wrong: one norm for all connections | norms are kept per d_model and shared by all instances
class SublayerConnection(nn.Module):
    _norms = {}

    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = self._norms.setdefault(d_model, LayerNorm(d_model))
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: norm in a plain list | a list does not register the module, so its parameters are not found
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.parts = [LayerNorm(d_model), nn.Dropout(dropout)]
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        norm, dropout = self.parts
        dropout.train(self.training)
        if self.norm_first:
            return x + dropout(sublayer(norm(x)))
        return norm(x + dropout(sublayer(x)))

# %% wrong: dropout in a lambda's closure | the dropout module is not registered, eval() does not reach it
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.norm_first = norm_first
        module = nn.Dropout(dropout)
        self.drop = lambda t: module(t)

    def forward(self, x, sublayer):
        out = x
        if self.norm_first:
            out = self.norm(out)
        out = x + self.drop(sublayer(out))
        if not self.norm_first:
            out = self.norm(out)
        return out

# %% wrong: norm without learned numbers | normalizes by hand without gamma and beta
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    @staticmethod
    def norm(x):
        var, mu = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        return (x - mu) / torch.sqrt(var + 1e-6)

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: norm under no_grad | in pre-norm gamma and beta get no gradient, and none reaches x through the sublayer
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            with torch.no_grad():
                read = self.norm(x)
            return x + self.dropout(sublayer(read))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: sublayer run under no_grad in eval mode | takes eval mode for no_grad: a gradient asked for in eval mode is wrong
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        with torch.set_grad_enabled(self.training):
            y = sublayer(self.norm(x) if self.norm_first else x)
        y = self.dropout(y)
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: first call's sublayer kept | stores the sublayer once, later calls with another one still use the first
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self._call = None

    def forward(self, x, sublayer):
        if self._call is None:
            self._call = (sublayer,)
        (f,) = self._call
        if self.norm_first:
            return x + self.dropout(f(self.norm(x)))
        return self.norm(x + self.dropout(f(x)))

# %% wrong: sublayer assigned to self | self.sublayer = sublayer registers a module: its parameters become the connection's own, and a lambda at the next call is refused
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        self.sublayer = sublayer
        if self.norm_first:
            return x + self.dropout(self.sublayer(self.norm(x)))
        return self.norm(x + self.dropout(self.sublayer(x)))

# %% wrong: update cached by shape | a second x of the same shape gets the first one's update in eval mode
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.cache = {}

    def forward(self, x, sublayer):
        key = x.shape, id(sublayer)
        if self.training or key not in self.cache:
            self.cache[key] = sublayer(self.norm(x) if self.norm_first else x)
        y = self.dropout(self.cache[key])
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: all earlier inputs added | keeps each x in a list and adds them all, as DenseNet might
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.seen = []

    def forward(self, x, sublayer):
        self.seen.append(x)
        total = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        for earlier in self.seen:
            if earlier.shape == x.shape:
                total = total + earlier
        return total if self.norm_first else self.norm(total)

# %% wrong: eval left on | calls self.eval() before it normalizes, the next call does not drop any more
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        y = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        self.eval()  # the norm must not be in training mode
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: pre-norm without dropout | dropout was forgotten in one of the two branches
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + sublayer(self.norm(x))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: post-norm drops the sum | brackets: dropout around x + sublayer(x) in the post-norm branch alone
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(self.dropout(x + sublayer(x)))

# %% wrong: pre-norm drops what the sublayer reads | dropout on norm(x) instead of on the sublayer's output
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if not self.norm_first:
            return self.norm(x + self.dropout(sublayer(x)))
        return x + sublayer(self.dropout(self.norm(x)))

# %% wrong: res-post-norm | norm_first puts the norm behind the sublayer, inside the branch, as Swin v2 does
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            return x + self.dropout(self.norm(sublayer(x)))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: x overwritten by the update | `x = sublayer(x)` comes before the sum, which then adds the update to itself
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if self.norm_first:
            x = self.dropout(sublayer(self.norm(x)))
            x = x + x
        else:
            x = self.dropout(sublayer(x))
            x = self.norm(x + x)
        return x

# %% wrong: residual is an alias | residual = x does not copy, then x is normalized in place
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        residual = x
        if self.norm_first:
            with torch.no_grad():
                x.copy_(self.norm(x))
        x = residual + self.dropout(sublayer(x))
        return x if self.norm_first else self.norm(x)

# %% wrong: flag compared with a string | norm_first == "True" is never true
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.mode = "pre" if norm_first == "True" else "post"

    def forward(self, x, sublayer):
        if self.mode == "pre":
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: ReZero | a learned factor that starts at 0 stands before the update
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.alpha = nn.Parameter(torch.zeros(1))

    def forward(self, x, sublayer):
        y = self.alpha * self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: learned gate | a learned factor on the update that starts at 1: right at first, another layer after one step
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first
        self.scale = nn.Parameter(torch.ones(d_model))

    def forward(self, x, sublayer):
        y = self.scale * self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        return x + y if self.norm_first else self.norm(x + y)

# %% wrong: padding rows left alone | positions of zeros 'are padding' and get no update
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        real = x.ne(0).any(dim=-1, keepdim=True)
        y = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        total = x + y.masked_fill(~real, 0.0)
        return total if self.norm_first else self.norm(total)

# %% wrong: modules only | refuses functions, though the text says anything that can be called
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        if not isinstance(sublayer, nn.Module):
            return x if self.norm_first else self.norm(x)
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))

# %% wrong: float32 inside | x.float() 'for safety' brings a float64 model down to float32
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        y = self.dropout(sublayer(self.norm(x) if self.norm_first else x))
        total = x.float() + y.float()
        return total if self.norm_first else self.norm(total)

# %% wrong: sublayer tried out first | calls the sublayer once to see whether the shape fits, and once more for the result
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        read = self.norm(x) if self.norm_first else x
        with torch.no_grad():
            if sublayer(read).shape != x.shape:
                raise ValueError("the sublayer changes the shape")
        total = x + self.dropout(sublayer(read))
        return total if self.norm_first else self.norm(total)

# %% wrong: both ways computed | computes post and pre and picks one: two calls, and two draws of dropout
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        post = self.norm(x + self.dropout(sublayer(x)))
        pre = x + self.dropout(sublayer(self.norm(x)))
        return pre if self.norm_first else post

# %% wrong: sublayer skipped in eval mode | the indented block belongs to `if self.training` as a whole
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        total = x
        if self.training:
            read = self.norm(x) if self.norm_first else x
            total = x + self.dropout(sublayer(read))
        if self.norm_first:
            return total
        return self.norm(total)

# %% wrong: batch and time flattened | the sublayer reads (N * T, D) instead of (N, T, D)
class SublayerConnection(nn.Module):
    def __init__(self, d_model, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, sublayer):
        rows = x.reshape(-1, x.size(-1))
        # the sublayer is given the rows, not the sentences: attention would see one long sentence
        y = sublayer(self.norm(rows) if self.norm_first else rows)
        total = rows + self.dropout(y)
        return (total if self.norm_first else self.norm(total)).reshape(x.shape)
