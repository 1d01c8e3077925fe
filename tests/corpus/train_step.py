# %% right: skeleton
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: float of the detached loss
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad(set_to_none=True)
    log_probs = F.log_softmax(model(src, decoder_input), dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss.detach().cpu())

# %% right: own slices instead of shift_right
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch[0], batch[1]
    optimizer.zero_grad()
    out = model(src, tgt[:, :-1])
    loss = loss_fn(torch.log_softmax(out, -1), tgt[:, 1:])
    loss.backward()
    nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    optimizer.step()
    if scheduler:
        scheduler.step()
    return loss.item()

# %% right: zeros set by hand, not None
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=False)
    logits = model(src, decoder_input)
    log_probs = nn.LogSoftmax(dim=-1)(logits)
    loss = loss_fn(log_probs, labels)
    result = loss.detach().item()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return result

# %% right: zero after the forward pass
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    reads, says = shift_right(tgt)
    loss = loss_fn(model(src, reads).log_softmax(-1), says)
    # only backward adds to the gradients, so this is early enough
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is None:
        return loss.item()
    scheduler.step()
    return loss.item()

# %% right: model.zero_grad
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    model.zero_grad()
    source, target = batch
    inputs, outputs = shift_right(target)
    predictions = model(source, inputs)
    predictions = predictions.log_softmax(dim=2)
    error = loss_fn(predictions, outputs)
    error.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return error.item()

# %% right: gradients set to None in a loop
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    for parameter in model.parameters():
        parameter.grad = None
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_((p for p in model.parameters() if p.grad is not None), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: clipped by hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    square = 0.0
    for gradient in gradients:
        square += gradient.pow(2).sum().item()
    length = math.sqrt(square)
    if length > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / length)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: one long vector, its norm, and a clamped factor
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    with torch.no_grad():
        having = [p for p in model.parameters() if p.grad is not None]
        norm = torch.cat([p.grad.flatten() for p in having]).norm()
        factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
        for p in having:
            p.grad *= factor
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: autograd.grad instead of backward
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    learn = [p for p in model.parameters() if p.requires_grad]
    log_probs = torch.log_softmax(model(src, decoder_input), dim=-1)
    loss = loss_fn(log_probs, labels)
    gradients = torch.autograd.grad(loss, learn, allow_unused=True)
    optimizer.zero_grad()
    for parameter, gradient in zip(learn, gradients):
        # the old one is replaced, so nothing is added up
        parameter.grad = None if gradient is None else gradient.clone()
    nn.utils.clip_grad_norm_(learn, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: log-softmax by logsumexp
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    (src, tgt) = batch
    (decoder_input, labels) = shift_right(tgt)
    optimizer.zero_grad()
    scores = model(src, decoder_input)
    log_probs = scores - torch.logsumexp(scores, dim=-1, keepdim=True)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=2.0)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.tolist()

# %% right: type annotations and a helper function
from typing import Callable, Optional, Tuple


def _loss(model: nn.Module, batch: Tuple[torch.Tensor, torch.Tensor], loss_fn: Callable) -> torch.Tensor:
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    return loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)


def train_step(
    model: nn.Module,
    batch: Tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    optimizer: torch.optim.Optimizer,
    scheduler: Optional[object] = None,
    max_norm: float = 1.0,
) -> float:
    optimizer.zero_grad()
    loss = _loss(model, batch, loss_fn)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: grad mode is made sure of
@torch.enable_grad()
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: batch moved to the model's device
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    device = next(model.parameters()).device
    src, tgt = (part.to(device, non_blocking=True) for part in batch)
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: defensive, with errors that explain
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    if len(batch) != 2:
        raise ValueError("a batch is a pair of source and target")
    src, tgt = batch
    if tgt.dim() != 2 or tgt.size(1) < 2:
        raise ValueError("targets need two tokens or more to be shifted")
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    output = model(src, decoder_input)
    assert output.shape[:2] == labels.shape, "the model skipped positions"
    loss = loss_fn(output.log_softmax(dim=-1), labels)
    assert loss.dim() == 0
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    number = loss.item()
    assert isinstance(number, float)
    return number

# %% right: verbose beginner code
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    # unpack
    src = batch[0]
    tgt = batch[1]
    # shift
    both = shift_right(tgt)
    decoder_input = both[0]
    labels = both[1]
    # 1. zero
    optimizer.zero_grad()
    # 2. forward
    output = model(src, decoder_input)
    log_probs = output.log_softmax(dim=-1)
    # 3. loss
    loss = loss_fn(log_probs, labels)
    # 4. backward
    loss.backward()
    # 5. clip
    parameters = []
    for parameter in model.parameters():
        parameters.append(parameter)
    nn.utils.clip_grad_norm_(parameters, max_norm)
    # 6. step
    optimizer.step()
    # 7. schedule
    if scheduler != None:
        scheduler.step()
    # the number
    loss_as_a_number = loss.item()
    return loss_as_a_number

# %% right: terse
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    (x, y), step = batch, (scheduler.step if scheduler is not None else lambda: None)
    i, o = shift_right(y)
    optimizer.zero_grad(), (loss := loss_fn(model(x, i).log_softmax(-1), o)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm), optimizer.step(), step()
    return loss.item()

# %% right: a class with a call
class _Step:
    def __init__(self, model, loss_fn, optimizer, scheduler, max_norm):
        self.model, self.loss_fn = model, loss_fn
        self.optimizer, self.scheduler, self.max_norm = optimizer, scheduler, max_norm

    def loss(self, src, tgt):
        decoder_input, labels = shift_right(tgt)
        return self.loss_fn(self.model(src, decoder_input).log_softmax(dim=-1), labels)

    def update(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()

    def __call__(self, src, tgt):
        self.optimizer.zero_grad()
        loss = self.loss(src, tgt)
        loss.backward()
        self.update()
        return loss.item()


def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    return _Step(model, loss_fn, optimizer, scheduler, max_norm)(*batch)

# %% right: log-softmax twice does no harm
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    log_probs = log_probs.log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    torch.autograd.backward(loss)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm, foreach=False)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return float(loss)

# %% right: scheduler by getattr, extra optional arguments
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0, *, verbose=False):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    getattr(scheduler, "step", lambda: None)()
    if verbose:
        print(f"loss {loss.item():.4f}, gradients {float(norm):.4f} long")
    return loss.item()

# %% right: norm of the norms, in place with foreach
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    def clip(gradients):
        norms = torch.stack([torch.linalg.vector_norm(g) for g in gradients])
        total = torch.linalg.vector_norm(norms)
        if total > max_norm:
            torch._foreach_mul_(gradients, float(max_norm / total))

    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    clip([p.grad for p in model.parameters() if p.grad is not None])
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: graph freed before the step
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    value = loss.item()
    del log_probs, loss
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return value

# %% right: names of parameters, contiguous labels
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = [part.contiguous() for part in shift_right(tgt)]
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    parameters = [parameter for _, parameter in model.named_parameters()]
    nn.utils.clip_grad_norm_(parameters, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% right: try and else
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    try:
        advance = scheduler.step
    except AttributeError:
        pass
    else:
        advance()
    return loss.item()

# %% right: softmax and logarithm done stably by hand
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    scores = model(src, decoder_input)
    scores = scores - scores.detach().amax(dim=-1, keepdim=True)
    log_probs = scores - scores.exp().sum(dim=-1, keepdim=True).log()
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: no zero | the gradients of the step before stay and are added to
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    """Learn from one batch of (src, tgt) and return its loss per real token as a float."""
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    log_probs = model(src, decoder_input).log_softmax(dim=-1)  # (N, T - 1, V)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: zero between backward and step | the gradients are gone before they are used
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: zero only at the end | gradients that are there before the first step are added to
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    loss = loss_fn(F.log_softmax(model(src, decoder_input), dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    optimizer.zero_grad()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: zero_grad without call | names the method and does not run it
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step
    return loss.item()

# %% wrong: zeroes the weights' data, not the gradients | the parameters themselves are set to 0
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    for parameter in model.parameters():
        parameter.grad = None
        parameter.data.zero_()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: zeroes only the first group | the gradients of other parameter groups are added up
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    for p in optimizer.param_groups[0]["params"]:
        p.grad = None
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: reads the labels | the decoder reads what it has to say
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, labels).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: says what it reads | the loss compares with the decoder's input
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, decoder_input)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: not shifted at all | reads tgt and is compared with tgt
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    optimizer.zero_grad()
    log_probs = model(src, tgt).log_softmax(dim=-1)
    loss = loss_fn(log_probs, tgt)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: the wrong window of the output | the output loses its first position, so each reads its own label
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    optimizer.zero_grad()
    out = model(src, tgt)
    loss = loss_fn(out[:, 1:].log_softmax(dim=-1), tgt[:, 1:])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: shift_right unpacked the wrong way round | labels, decoder_input
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    labels, decoder_input = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: batch unpacked as target and source | the labels come from the source
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    tgt, src = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: model called with its arguments swapped | the encoder reads the target
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(decoder_input, src).log_softmax(dim=-1)
    log_probs = log_probs[:, : labels.size(1)]
    loss = loss_fn(log_probs, labels[:, : log_probs.size(1)])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: raw output | models that return logits get no log-softmax
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: softmax | probabilities where log-probabilities are due
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    probs = model(src, decoder_input).softmax(dim=-1)
    loss = loss_fn(probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: log-softmax over time | dim=1 normalises over the positions
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: log of a softmax that is applied to probabilities | softmax twice is not harmless
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    probs = F.softmax(model(src, decoder_input), dim=-1)
    loss = loss_fn(F.log_softmax(probs, dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: log-softmax over everything flattened | one distribution for the whole batch
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    out = model(src, decoder_input)
    log_probs = out.flatten().log_softmax(dim=0).view_as(out)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: own cross entropy | loss_fn is not used
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    logits = model(src, decoder_input)
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=0)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: loss arguments swapped | labels first
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(labels, log_probs)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: no clipping | max_norm is ignored
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: always clips to 1 | the value of max_norm is not used
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clip before backward | there is nothing to clip yet
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    loss.backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clip after the step | too late, the weights have moved
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clip_grad_value_ | each number is cut off, not the whole vector shrunk
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_value_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: each parameter clipped by itself | the length is that of all gradients together
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    for parameter in model.parameters():
        nn.utils.clip_grad_norm_(parameter, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: each group clipped by itself | parameter groups are shrunk separately
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clip by the largest number | norm_type inf
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=float("inf"))
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clips the gradients' gradients | a list of grads has no .grad, so nothing happens
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_([p.grad for p in model.parameters() if p.grad is not None], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: used up generator | the first loop leaves nothing of model.parameters() to clip
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    params = model.parameters()
    for p in params:
        p.grad = None
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(params, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: always normalised | short gradients are made longer
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.stack([g.pow(2).sum() for g in grads]).sum().sqrt()
    for g in grads:
        g.mul_(max_norm / (norm + 1e-6))
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: root forgotten in the norm | the squared length is compared with max_norm
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = sum(float((g**2).sum()) for g in grads)
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: lengths added up | the norm of all is not the sum of the norms
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = sum(g.norm() for g in grads)
    factor = (max_norm / norm).clamp(max=1.0)
    for g in grads:
        g.mul_(factor)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: clipped copies | grad = grad * factor in the loop changes only a local name
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.cat([g.flatten() for g in gradients]).norm()
    for gradient in gradients:
        gradient = gradient * min(1.0, max_norm / float(norm))
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: biases are not clipped | only matrices are shrunk, and counted
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_([p for p in model.parameters() if p.dim() > 1], max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: the loss is clipped | a clamped loss has no gradient above max_norm
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.clamp(max=max_norm).backward()
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: skips the step when the gradient is long | shrinking is asked for, not skipping
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if norm <= max_norm:
        optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: scaled loss is unscaled after clipping | the scaled gradients are clipped, then shrunk again
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0, scale=1024.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    (loss * scale).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    for p in model.parameters():
        if p.grad is not None:
            p.grad.div_(scale)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: never steps | the optimizer's step is forgotten
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: steps before backward | the weights move by nothing, or by old gradients
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    optimizer.step()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: two steps with a scheduler | the optimizer moves once more in the branch
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        optimizer.step()
        scheduler.step()
    return loss.item()

# %% wrong: scheduler or optimizer | with a scheduler the optimizer does not step
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    (optimizer if scheduler is None else scheduler).step()
    return loss.item()

# %% wrong: schedule before the step | the rate moves on before the optimizer has used it
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if scheduler is not None:
        scheduler.step()
    optimizer.step()
    return loss.item()

# %% wrong: no schedule | the scheduler is accepted and never used
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()

# %% wrong: scheduler needed | None has no step
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    scheduler.step()
    return loss.item()

# %% wrong: scheduler gets the loss | as for ReduceLROnPlateau; others take it for the epoch
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step(loss.item())
    return loss.item()

# %% wrong: schedule once per sentence | the scheduler steps as often as the batch has rows
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        for _ in src:
            scheduler.step()
    return loss.item()

# %% wrong: returns only with a scheduler | the return is indented too far
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
        return loss.item()

# %% wrong: returns the loss tensor | it holds on to its graph
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss

# %% wrong: returns a detached tensor | still a tensor, not a float
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad(set_to_none=True)
    loss = loss_fn(torch.log_softmax(model(src, decoder_input), dim=-1), labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.detach().cpu()

# %% wrong: returns the sum | loss times the number of tokens
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item() * labels.numel()

# %% wrong: averages once more | divides a loss that is an average already by the tokens
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item() / max((labels != 0).sum().item(), 1)

# %% wrong: returns perplexity | exp of the loss
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return math.exp(loss.item())

# %% wrong: returns the gradients' norm | the result of clipping instead of the loss
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    loss = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: returns the loss after the step | measured again with the new weights
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    def compute():
        return loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)

    optimizer.zero_grad()
    compute().backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    with torch.no_grad():
        return compute().item()

# %% wrong: returns loss and rate | a pair instead of a float
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item(), optimizer.param_groups[0]["lr"]

# %% wrong: running mean in a mutable default | later calls return the mean of all losses so far
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0, losses=[]):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    losses.append(loss.item())
    return sum(losses) / len(losses)

# %% wrong: rounded | the loss is cut to two digits
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return round(loss.item(), 2)

# %% wrong: eval mode | dropout is off, and stays off
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    model.eval()
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: left in eval mode | trains rightly once, and then without dropout for whoever calls the model next
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    model.eval()
    return loss.item()

# %% wrong: seeded each time | dropout draws the same units in every step, and the caller's random numbers repeat
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    torch.manual_seed(0)
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: forward without gradients | no_grad belongs to measuring
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    with torch.no_grad():
        log_probs = model(src, decoder_input).log_softmax(dim=-1)
    log_probs.requires_grad_()
    loss = loss_fn(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: gradients switched off for the update | set_grad_enabled(False) stays on for everybody
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    torch.set_grad_enabled(True)
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    torch.set_grad_enabled(False)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: labels moved to the left in place | the caller's target changes
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input = tgt[:, :-1].clone()
    labels = tgt
    labels[:, :-1] = tgt[:, 1:].clone()  # move everything to the left
    labels = labels[:, :-1]
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: loss times tokens backward | the gradient is that of the sum, only the returned number is the average
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    (loss * labels.numel()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: loss divided by the batch | an average is averaged again over the sentences
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels) / src.size(0)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: one update per sentence | the batch is taken apart, and each row is a step
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    losses = []
    for one, other in zip(src, tgt):
        decoder_input, labels = shift_right(other[None])
        optimizer.zero_grad()
        loss = loss_fn(model(one[None], decoder_input).log_softmax(dim=-1), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    if scheduler is not None:
        scheduler.step()
    return sum(losses) / len(losses)

# %% wrong: mean of the sentences' losses | accumulates row by row, so short sentences count as much as long ones
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    optimizer.zero_grad()
    total = 0.0
    for i in range(src.size(0)):
        decoder_input, labels = shift_right(tgt[i : i + 1])
        loss = loss_fn(model(src[i : i + 1], decoder_input).log_softmax(dim=-1), labels) / src.size(0)
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return total

# %% wrong: plain descent by hand | uses the optimizer's rate, but not the optimizer
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    with torch.no_grad():
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p -= group["lr"] * p.grad
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: a new optimizer each step | momentum and Adam's averages are lost, scheduler too
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    optimizer = type(optimizer)(model.parameters(), lr=optimizer.param_groups[0]["lr"])
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: weight decay of its own | adds an L2 term to the loss that nobody asked for
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    penalty = sum(p.pow(2).sum() for p in model.parameters())
    (loss + 1e-3 * penalty).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: backward twice | retain_graph silences the error, and the gradient doubles
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels)
    loss.backward(retain_graph=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: accumulates over two calls | updates only in every second call
_calls = 0


def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    global _calls
    _calls += 1
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    (loss / 2).backward()
    if _calls % 2 == 0:
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        if scheduler is not None:
            scheduler.step()
    return loss.item()

# %% wrong: first model remembered | parameters to clip are cached from the first call
_parameters = []


def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    if not _parameters:
        _parameters.extend(model.parameters())
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    loss = loss_fn(model(src, decoder_input).log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(_parameters, max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: autocast to bfloat16 | the forward pass loses most of its digits
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    with torch.autocast("cpu" if not src.is_cuda else "cuda", dtype=torch.bfloat16):
        out = model(src, decoder_input)
    loss = loss_fn(out.bfloat16().float().log_softmax(dim=-1), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: only the last position learns | takes the output of the last time step
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs[:, -1:], labels[:, -1:])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()

# %% wrong: the loss is a number too early | item before backward
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)

    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    loss = loss_fn(log_probs, labels).item()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss

# %% wrong: criterion is built here | a LabelSmoothing of its own, whatever loss_fn is given
def train_step(model, batch, loss_fn, optimizer, scheduler=None, max_norm=1.0):
    src, tgt = batch
    decoder_input, labels = shift_right(tgt)
    optimizer.zero_grad()
    log_probs = model(src, decoder_input).log_softmax(dim=-1)
    criterion = LabelSmoothing(log_probs.size(-1), getattr(model, "pad_id", 0), 0.1)
    loss = criterion(log_probs, labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    if scheduler is not None:
        scheduler.step()
    return loss.item()
