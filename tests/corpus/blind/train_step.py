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
