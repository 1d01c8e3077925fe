# %% [markdown]
# ## What you will be able to do
#
# - find out where the time goes before you change anything,
# - say what a fused kernel saves, and put fused parts into your own model without changing what
#   it predicts,
# - decode with a cache of keys and values, one position at each step,
# - measure what each step gained, fairly, on a busy computer,
# - say what share of your device's speed you use.
#
# It takes about two hours, in two halves: faster training, then decoding with a cache. You can do
# them on two days; the break is marked. At the end, your own translator of lesson 11 gets all of
# it.

# %% [markdown]
# ## The translator without it
#
# To write "seven hundred twenty-five", the translator's decoder runs once for each new token, and
# reads everything from the start each time. Counted for translations of three lengths:

# %% name="without-a-cache"
for length in (5, 20, 100):
    read = sum(range(1, length + 1))
    print(f"{length:3} tokens: {read:5} positions computed, {length} of them new")

# %% [markdown]
# At 100 tokens, 49 of 50 positions are computed for nothing: they come out as they did before.
#
# ## Where it sits
#
# Nowhere in Figure 1: it stays as it is, and so do its predictions.

# %% name="where-it-sits"
wb.progress(current=["fuse", "CachedDecoder"])

# %% name="setup"
split_heads, merge_heads = wb.use("split_heads", "merge_heads")
padding_mask, target_mask = wb.use("padding_mask", "target_mask")

# %% [markdown]
# ## Measure first
#
# If you speed up a part that is not slow, all you get is more code. So measure first. Here is a
# small model, and one step of its training, as a function that you can call again and again.

# %% quick="one-round"
compare_in_rounds = wb.speed.compare
wb.speed.compare = lambda variants, rounds: compare_in_rounds(variants, rounds=1)

# %% name="model"
import copy

from transformer_workbook.lessons.translation.hardware import detect, keep_freed_memory

keep_freed_memory()  # on some virtual machines, requesting it again takes half of the time
make_model, train_step, LossOf09 = wb.use("make_model", "train_step", "LabelSmoothing")
hardware = detect()
device = hardware.device
V, PAD, BOS, EOS = 2000, 0, 1, 2
sizes = {"d_model": 128, "num_heads": 4, "num_layers": 2, "d_ff": 256, "dropout": 0.1}
wb.seed_everything(0)
plain = wb.speed.name_parts(make_model(V, V, **sizes), 4, 0.1).to(device)


def sentences(count, longest):
    """Random ids, (count, longest), in rows of at least half that length."""
    ids = torch.randint(4, V, (count, longest))
    lengths = torch.randint(longest // 2, longest + 1, (count, 1))
    return ids.masked_fill(torch.arange(longest) >= lengths, PAD).to(device)


src, tgt = sentences(32, 14), sentences(32, 15)
tgt[:, 0] = BOS


def copy_of(model):
    """A copy with weights of its own."""
    with torch.no_grad():  # a part may keep its last result, which must not hold a graph
        model(src, tgt)
    return copy.deepcopy(model)


def step_of(model, loss_fn, fused_adam=False):
    """A function that takes one step of training, whenever it is called."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=fused_adam or None)
    return lambda: train_step(model.train(), (src, tgt), loss_fn, optimizer)


slow_step = step_of(plain, LossOf09(V, PAD))

# %% [markdown]
# ### Two threads, or one?
#
# The first thing to measure is the computer itself. PyTorch cuts each operation into parts, one for
# each thread. Before the next operation begins, all threads wait for the last of them. A large
# matrix product is worth that. The operations of a small model take some millionths of a second
# each, so the waiting may cost more than the second thread gains.
#
# ### Predict, then run
#
# Your encoder reads the batch once, with one thread, and with one thread for each core. Which is
# faster here?

# %% name="guess-threads"
faster_with = None  # "one thread" or "several threads"

# %% name="threads"
import os
import statistics
import time


def seconds_of(call, repeats=15, limit=2.0):
    """How many seconds each of several calls takes, by the clock on the wall.

    At least three calls; no further ones after `limit` seconds.
    """
    seconds = []
    while len(seconds) < 3 or (len(seconds) < repeats and sum(seconds) < limit):
        start = time.perf_counter()
        call()
        hardware.wait()
        seconds.append(time.perf_counter() - start)
    return seconds


@torch.no_grad()
def read():
    plain.encode(src)


chosen_before, medians = torch.get_num_threads(), {}
print("threads   first  fastest   median  slowest   (milliseconds)")
for threads in sorted({1, 2, os.cpu_count()}):
    torch.set_num_threads(threads)
    first, *others = (1000 * value for value in seconds_of(read))
    medians[threads] = statistics.median(others)
    rest = min(others), medians[threads], max(others)
    print(f"{threads:7} {first:7.1f} " + " ".join(f"{value:8.1f}" for value in rest))
torch.set_num_threads(chosen_before)
one_is_faster = medians[1] <= min(medians.values())
wb.reveal(faster_with, "one thread" if one_is_faster else "several threads")

# %% [markdown]
# The table shows how to measure:
#
# - **The first call does not count.** It loads kernels, asks for memory and starts threads. Call
#   once before you look at the clock: the warm-up.
# - **One call is no measurement.** Compare the fastest with the slowest call of the same function.
#   The fastest was disturbed least. The median is what you will mostly wait for, and one slow call
#   does not move it.
# - **What you do not measure may decide.** On two busy computers with two cores each we measured a
#   small model's training step 15 and 30 times slower with two threads than with one.
#
# So `wb.start`, in the first cell, has chosen a number of threads with a small step. Here the
# choice is made again, with this lesson's step, `read`:

# %% name="choose-threads"
threads = wb.choose_threads(read)

# %% [markdown]
# ### Where the time goes
#
# Now the operations in that step, the longest first:

# %% name="profile"
print(wb.speed.profile(slow_step))

# %% [markdown]
# Matrix products (`addmm`, `mm`, `bmm`) are the work that a Transformer does. Everything else only
# moves numbers about, and that is what can be saved: norms of many small operations (`mul`, `add`,
# `mean`), softmax and dropout on tables, the optimizer, copies (`copy_`).
#
# ### To compare two ways
#
# Two rules more:
#
# - Python does not wait for a GPU, which still computes when the next line runs. So wait for it
#   (`torch.cuda.synchronize`) before you look at the clock, as `hardware.wait()` does.
# - Other programs come and go. So run the variants **in turns**, compare medians, and believe the
#   ratio rather than the milliseconds.
#
# `wb.speed.compare` does all of that: a warm-up, turns, medians. On a CPU it uses one thread, and
# reads the time that this program has used, not the clock on the wall.
#
# ## One kernel instead of many
#
# An operation on a large tensor reads it from memory and writes its result back. Memory is far
# slower than arithmetic, so ten small operations in a row mostly wait. A **fused kernel** does them
# in one pass.
#
# ### By hand
#
# LayerNorm of lesson 03 on a tensor of 1000 numbers:
#
# | operation | reads | writes |
# |---|---|---|
# | mean | 1000 | few |
# | variance | 1000 | few |
# | $x - $ mean | 1000 | 1000 |
# | divide | 1000 | 1000 |
# | times gamma | 1000 | 1000 |
# | plus beta | 1000 | 1000 |
# | **one kernel** | **1000** | **1000** |
#
# 10,000 against 2,000: 5 times as fast, where memory is all that counts.
#
# ### Predict, then run
#
# Attention writes its scores to memory and reads them again. For 8 sentences, 4 heads and 100
# positions: how many scores are that? And how many with 200 positions?

# %% name="guess-scores"
scores_of_100 = None
scores_of_200 = None

# %% name="reveal-scores"
wb.reveal(scores_of_100)
wb.reveal(scores_of_200)

# %% [markdown]
# Twice the length, four times the scores. Must they all be stored, since a softmax needs the sum of
# its whole row? **FlashAttention** ([Dao et al. 2022](https://arxiv.org/abs/2205.14135), section
# 3.1) takes the keys block by block. For each query it remembers the largest score so far and, both
# relative to that, a sum of exponentials and a sum of values. When a block brings a larger score,
# what was summed before shrinks to match. Here is this **online softmax**, for one query:

# %% name="online-softmax"
torch.manual_seed(0)
query, keys, values = torch.randn(16), torch.randn(100, 16), torch.randn(100, 16)
largest, total, summed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(16)
for some_keys, some_values in zip(keys.split(10), values.split(10), strict=True):
    scores = some_keys @ query / 4  # the root of d_k
    before, largest = largest, torch.maximum(largest, scores.max())
    shrink, parts = (before - largest).exp(), (scores - largest).exp()
    total = shrink * total + parts.sum()
    summed = shrink * summed + parts @ some_values
at_once = (keys @ query / 4).softmax(dim=0) @ values
print(f"largest difference: {(summed / total - at_once).abs().max():.1e}")

# %% [markdown]
# No more than ten scores existed at a time, and the result is the same but for rounding. On the way
# back the kernel computes the scores once more, which takes less time than reading them would. The
# price is that there are no weights to look at any more. (Yours keeps those of its last call for
# the pictures, which made the peak memory of a training step 5 % higher in four layers that read
# 256 positions.) `F.scaled_dot_product_attention` is all of Eq. 1 in one call, and chooses among
# several such kernels. (On a CPU, PyTorch has this one only without dropout: to train with dropout,
# it still makes the table.)
#
# A mask is a table, too: `causal_mask(T)` has $T \cdot T$ entries, and on a GPU, PyTorch's
# FlashAttention takes no mask at all, so a slower kernel steps in. For the causal mask there is an
# argument instead: with as many queries as keys, `is_causal=True` hides every later key and stores
# nothing. Your model passes masks, since they hide padding as well. A GPT that reads texts without
# padding needs no other.
#
# In lesson 01 you wrote that function yourself, so now you may use it.
#
# ## Your turn: fused attention and norm
#
# Both are made **from** a part of your model and share its weights: exactly the same parameters,
# under the same names, no copies. (An attention will be found by its `w_q` further down.) The check
# counts the calls of `F.scaled_dot_product_attention` and `F.layer_norm`: one. The norm's kernel
# scales by `gamma` and adds `beta`, too, so nothing is left to do after it.

# %% answer="FusedMultiHeadAttention"

# %% check="FusedMultiHeadAttention"

# %% name="hint-attention"
wb.hint("one_kernel")

# %% [markdown]
# | Eq. 1 | your code |
# |---|---|
# | $\mathrm{softmax}(QK^T / \sqrt{d_k})\,V$ | the blank `one_kernel` |
# | (dropout on the softmax) | the blank `dropped` |

# %% answer="FusedLayerNorm"

# %% check="FusedLayerNorm"

# %% name="hint-norm"
wb.hint("layer_norm")

# %% [markdown]
# ## The loss without its table
#
# The loss of lesson 09 makes a table of M rows and V columns of targets: with 1000 positions and
# 8000 tokens, 8 million numbers, nearly all alike. But with the share $s$ for each of the others
#
# $$\sum_i q_i (\ln q_i - \ln p_i) = \underbrace{\sum_i q_i \ln q_i}_{\text{a constant}}
# - (1 - \epsilon) \ln p_{\text{right}} - s \sum_{\text{others}} \ln p_i$$
#
# The code has the constant as `self.certainty` (`torch.xlogy(a, b)` is $a \ln b$, and 0 for
# $a = 0$). With the six tokens of lesson 09 and all $p_i = 1/6$: the constant is
# $0.9 \ln 0.9 + 0.1 \ln 0.025 = -0.464$, and the rest $0.9 \cdot 1.792 + 4 \cdot 0.025 \cdot 1.792
# = 1.792$; together 1.328, as there.
#
# It is the same loss in every case: with any `pad_id`, without smoothing, and 0 for a batch of
# padding alone. And no table of M rows and V columns is filled in on the way, nor by `F.one_hot`:
# the check looks at that, too. (What you compute from `log_probs` itself, such as
# `log_probs.masked_fill(...)`, is no such table. The result is a tensor without axes.)

# %% answer="FusedLabelSmoothing"

# %% check="FusedLabelSmoothing"

# %% name="hint-loss"
wb.hint("others")

# %% [markdown]
# | the formula | your code |
# |---|---|
# | $\ln p_{\text{right}}$ | the blank `right` |
# | $\sum_{\text{others}} \ln p_i$ | the blank `others` |
# | all of it | the blank `divergence` |
#
# ## Into your model
#
# `fuse` goes through a model and puts your fast parts in place of attentions (which have a `w_q`)
# and norms (which have a `gamma`).

# %% answer="fuse"

# %% check="fuse"

# %% name="hint-fuse"
wb.hint("fused")

# %% [markdown]
# **Equal?** A faster model that predicts something different is a wrong model. The same weights,
# the same batch, without dropout:

# %% name="equal"
Fuse, FusedLoss = wb.use("fuse", "FusedLabelSmoothing")
fused = wb.speed.name_parts(Fuse(copy_of(plain)), 4, 0.1)
with torch.no_grad():
    slowly, quickly = plain.eval()(src, tgt), fused.eval()(src, tgt)
print("largest difference of log-probabilities:", f"{(slowly - quickly).abs().max():.1e}")
log_probs, labels = slowly[:, :-1].log_softmax(dim=-1), tgt[:, 1:]
losses = LossOf09(V, PAD)(log_probs, labels), FusedLoss(V, PAD)(log_probs, labels)
print("losses:", f"{losses[0]:.5f} {losses[1]:.5f}")

# %% [markdown]
# ## What each has gained
#
# Three more things cost a line or two each:
#
# - **one log-softmax**: your model takes it, and `train_step` takes it again, because other models
#   return logits. The second one changes nothing, so here the model leaves it out,
# - **fused Adam**: all weights in one kernel, instead of several (`fused=True`),
# - **mixed precision** (lesson 11): matrix products in 16 bits, where the device has them.


# %% name="gains"
def with_logits(model):
    """The same model, which returns its logits: the loss's log-softmax is the only one."""
    model.generator = model.generator.proj
    return model


variants = {
    "lesson 09": slow_step,
    "fused parts": step_of(Fuse(copy_of(plain)), LossOf09(V, PAD)),
    "fused loss": step_of(copy_of(plain), FusedLoss(V, PAD)),
    "one log-softmax": step_of(with_logits(copy_of(plain)), LossOf09(V, PAD)),
    "fused Adam": step_of(copy_of(plain), LossOf09(V, PAD), fused_adam=True),
    "all of these": step_of(with_logits(Fuse(copy_of(plain))), FusedLoss(V, PAD), fused_adam=True),
}
if hardware.dtype is None:
    print("This device computes best in float32: mixed precision would gain nothing.")
else:
    mixed_precision_step = wb.use("mixed_precision_step")
    half, half_loss = with_logits(Fuse(copy_of(plain))).train(), FusedLoss(V, PAD)
    adam = torch.optim.Adam(half.parameters(), lr=1e-4, fused=True)
    precision = {"scaler": hardware.scaler(), "dtype": hardware.dtype}
    variants["and mixed precision"] = lambda: mixed_precision_step(
        half, (src, tgt), half_loss, adam, **precision
    )
times = wb.speed.compare(variants, rounds=5)
print(times)
times.picture("lesson 09")

# %% [markdown]
# On a CPU the matrix products take more time than any other kind of operation, and of these changes
# only mixed precision is about them. For a model this small it may even cost time, because
# converting to 16 bits and back can take longer than it saves (compare the last two bars). On a GPU
# the products are so fast that everything else shows. On an H200 we measured 1.6 times the speed
# for the three fused ones together, but only 1.3 with mixed precision on top, since its conversions
# are more kernels. What one log-softmax saves grows with the vocabulary. On one thread of a CPU, a
# step took 5 % less time with 2,000 words, and 8 % less with 8,000. (Stand-ins are partly fused
# already, so with them you gain less.)

# %% [markdown]
# ### torch.compile
#
# `torch.compile` reads Python code and writes fused kernels for it. Here it gets the LayerNorm that
# you wrote in lesson 03 and does to it what you have done by hand. (It needs a compiler, and the
# first call takes about ten seconds.)

# %% name="compile"
PlainNorm, FastNorm = wb.use("LayerNorm", "FusedLayerNorm")
norm = PlainNorm(512).to(device)
x = torch.randn(2000, 512, device=device)
fast_norm = FastNorm(norm)
norms = {"lesson 03": lambda: norm(x), "fused by hand": lambda: fast_norm(x)}
reason = wb.speed.why_not_compile()
if not reason:
    try:
        compiled = torch.compile(norm)
        print("largest difference:", f"{(compiled(x) - norm(x)).abs().max():.1e}")
        norms["compiled"] = lambda: compiled(x)
    except Exception as error:
        reason = f"torch.compile does not work here: {type(error).__name__}"
if reason:
    print(reason)
with torch.no_grad():
    times_of_norms = wb.speed.compare(norms, rounds=9)
print(times_of_norms)
times_of_norms.picture("lesson 03")

# %% [markdown]
# We measured the fused norm at 6 to 13 times the speed of lesson 03's on one CPU, and at 3.3 times
# on an H200. The compiled one was 8 times as fast on one CPU, 0.6 times on another, and 1.5 times
# on the H200. (A stand-in for `LayerNorm` is one kernel already, so then the first two bars say
# nothing.)
#
# Usually one compiles a *whole model*, `torch.compile(model)`. Then steps are fused across its
# parts, and Python is called less often, which is what small models on a GPU wait for. A batch of
# a new shape may be compiled again, so it pays in a long training with few shapes.
#
# ## How much of the device is used?
#
# Each weight of a matrix is multiplied and added once for each token: 2 operations. Backward it is
# twice as much, once for the gradient of the input and once for that of the weight. So a step needs
# about $6 \cdot \text{weights} \cdot \text{tokens}$ operations (FLOPs). Divide them by what the
# device could do in that time: the **model FLOPs utilization** ([Chowdhery et al.
# 2022](https://arxiv.org/abs/2204.02311), section 4.1). The manufacturers state, for 16 bits, in
# trillions a second: B200 2250, H100 and H200 989, A100 312, T4 65. For a CPU we measure a large
# matrix product.

# %% name="utilization"
threads = torch.get_num_threads()
if device.type == "cpu":
    torch.set_num_threads(1)  # one thread against one thread
halved = device.type == "cuda" and hardware.dtype is not None
best_step = variants["and mixed precision" if halved else "all of these"]
seconds = wb.speed.compare({"step": best_step}, rounds=3).seconds["step"]
could = wb.speed.peak(device, None if device.type == "cpu" else hardware.dtype)
did = wb.speed.work(best_step) / seconds
print(f"{did / 1e9:,.0f} of {could / 1e9:,.0f} billion operations a second")
print(f"model FLOPs utilization: {100 * did / could:.3g} %")
torch.set_num_threads(threads)

# %% [markdown]
# Llama 3 with 405 billion parameters reached 38 to 43 % on up to 16,000 GPUs ([Grattafiori et al.
# 2024](https://arxiv.org/abs/2407.21783), Table 4). Ours is so small that a GPU mostly waits for
# Python: on an H200 we measured 0.014 %. On CPUs it was 25 and 37 %: only matrix products count as
# work, and the rest of the step takes time, too.
#
# ## Bug hunt
#
# The function below should compute that share, and count **real** tokens only. It runs, but there
# are **two bugs** in it. Find and fix them.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# **The second half begins here.** If you continue on another day, run these cells first: the very
# first, the one with `"split_heads"`, the one below "Measure first", and the one below "Equal?".
#
# ## Decoding with a cache
#
# `greedy_decode` reads all that it has written again for each new token. But the keys and values of
# earlier positions do not change, because no earlier position sees a later one. So we keep them.
#
# Here is what a decoder layer computes and keeps, for one sentence, step by step:

# %% name="cache-drawn"
wb.show.cache(
    ["die", "Katze", "schläft", "<eos>"],
    ["<bos>", "the", "cat", "is", "sleeping"],
)

# %% [markdown]
# Each step reads one token. Self-attention computes one new key and value, and puts them after
# those that it has kept. Cross-attention computes everything before the first step, since the
# memory does not change.
#
# ## Your turn: a cache
#
# We could put each new key behind the others with `torch.cat`. But that copies all of them at every
# step. Since we know how long a translation can get, we make room for `max_len` positions at once,
# and write each new key into the next free place. So a `KeyValueCache` holds two tensors,
# `(N, H, max_len, d_k)`, and a `length`, the number of places that are taken. It makes the tensors
# when the first keys come, for these show all of their other sizes. A prompt may bring several
# positions in one call.
#
# `reorder(rows)` is for beam search, where a prefix continues another one and needs its past: row n
# gets the keys and values of row `rows[n]`.

# %% answer="KeyValueCache"

# %% check="KeyValueCache"

# %% name="hint-cache"
wb.hint("end")

# %% [markdown]
# ## Your turn: attention in two halves
#
# What does an attention do with a cache? Your `MultiHeadAttention` does everything in one call, so
# there is no place for a cache in it. We cut its work in two, at the place where the cache belongs:
#
# | | works on | can be kept |
# |---|---|---|
# | `keys_and_values` | the vectors that are looked at | yes |
# | `attend` | the vectors that ask, and keys and values | no: each query asks once |
#
# Both take an attention of your model, fused or not, and use its `w_q`, `w_k`, `w_v`, `w_o` and
# `num_heads`. Nothing in it changes. (In decoding nothing is dropped.)

# %% answer="keys_and_values"

# %% check="keys_and_values"

# %% answer="attend"

# %% check="attend"

# %% name="hint-halves"
wb.hint("kept")

# %% [markdown]
# ## Your turn: a layer with a cache
#
# Your `DecoderLayer` calls its three sublayers by itself, and passes no cache on. `cached_layer`
# calls the same sublayers, with the same norms and weights, but it puts a cache between the two
# halves of self-attention. Cross-attention needs none: its keys and values are computed once, and
# given as `memory`. (The parts are called as in lesson 07: `self_attn`, `cross_attn`,
# `feed_forward` and `sublayers`.)
#
# In a beam, each of the N sources has B rows, one after the other. Their memory is the same, so
# nobody has to copy it: all rows of one source ask it together, `(N, B, D)`, as if they were the
# positions of one sentence.
#
# An `EncoderLayer` has no memory. With a causal mask it is a layer of GPT, so this function serves
# lesson 14, too.

# %% answer="cached_layer"

# %% check="cached_layer"

# %% name="hint-layer"
wb.hint("remembered")

# %% [markdown]
# ## Your turn: the decoder, step by step
#
# `CachedDecoder` has a cache for each layer. At each step it is given all ids so far, reads the
# newest one alone, and returns the log-probabilities of the next. Two things do not come by
# themselves any more. The newest token stands at the end, and not at position 0, so its position is
# passed as `start` (lesson 05; `tgt_embed` holds the tokens' embedding and the positions, in this
# order, as in lesson 08). And no future has to be hidden, only padding: a model may write padding
# as any other token, and `greedy_decode` hides it.

# %% answer="CachedDecoder"

# %% check="CachedDecoder"

# %% name="hint-decoder"
wb.hint("tgt_mask")

# %% [markdown]
# ## Your turn: greedy decoding with it
#
# It writes the same ids as lesson 10's, stops as soon as all rows have ended, and leaves the model
# in its mode even if something goes wrong (that is what `finally` is for). Rows that have ended
# read padding until the last one ends. Only `eos_id` ends a row, as there.

# %% answer="cached_greedy_decode"

# %% check="cached_greedy_decode"

# %% name="hint-greedy"
wb.hint("decoder")

# %% [markdown]
# ### Beam search
#
# This one is written for you. It is lesson 10's `beam_search`, changed in three places: it makes a
# `CachedDecoder`, it asks that at each step, and then it lets every prefix continue with the past
# of its *parent*, which is row `first + parent` of the batch.

# %% name="beam-search"
StepByStep = wb.use("CachedDecoder")


def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            decoder = StepByStep(model, src, max_len)
            first = beam_size * torch.arange(batch, device=src.device).unsqueeze(1)  # (N, 1)
            ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            while not (ended.all() or ids.size(2) == max_len):
                log_probs = decoder.step(ids.flatten(0, 1))  # (N*B, V)
                # Only the best few continuations of a prefix can be among the best of all.
                width = min(beam_size, log_probs.size(1))
                added, tokens = log_probs.topk(width)
                added, tokens = (best.view(*ended.shape, width) for best in (added, tokens))
                added = added.masked_fill(ended.unsqueeze(2), minus_inf)
                added[:, :, 0].masked_fill_(ended, 0.0)
                tokens = tokens.masked_fill(ended.unsqueeze(2), model.pad_id)

                totals = added + total.unsqueeze(2)  # (N, B, width)
                length = length + ~ended
                shrink = ((length + 5) / 6) ** length_penalty
                ranked = (totals / shrink.unsqueeze(2)).flatten(1)  # (N, B * width)
                best = ranked.topk(beam_size).indices  # (N, B)
                total = totals.flatten(1).gather(1, best)
                parent = best // width
                token = tokens.flatten(1).gather(1, best)

                decoder.reorder((first + parent).flatten())  # each has its parent's past
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids


# %% [markdown]
# ## Equal, and how much faster?
#
# Beam search on a model that is not trained, but made to be as sure of itself as a trained one.
# Some of its 16 translations end early, at several lengths; the others never end, and are cut off
# at 32 tokens:

# %% quick="few-sentences"
src = src[:4]

# %% name="decoding"
beam = wb.use("beam_search")
greedy, cached_greedy = wb.use("greedy_decode", "cached_greedy_decode")
wb.seed_everything(0)
writer = Fuse(make_model(V, V, **sizes)).to(device).eval()
with torch.no_grad():
    writer.generator.proj.weight.mul_(30)
    writer.generator.proj.bias[PAD] = -100
    writer.generator.proj.bias[EOS] = 20
some, limits = src[:16], (32, BOS, EOS)
for name, search, cached in (("greedy", greedy, cached_greedy), ("beam", beam, cached_beam_search)):
    ids, again = search(writer, some, *limits), cached(writer, some, *limits)
    print(name, "equal:", torch.equal(ids, again))
ids = cached_beam_search(writer, some, *limits, beam_size=5)
print("lengths:", sorted((ids != PAD).sum(1).tolist()))
searches = {
    "beam search of lesson 10": lambda: beam(writer, some, *limits, beam_size=5),
    "cached": lambda: cached_beam_search(writer, some, *limits, beam_size=5),
}
wb.speed.compare(searches, rounds=2).picture("beam search of lesson 10")

# %% [markdown]
# The gain grows with the length of the translations. On a GPU these few short sentences may gain
# nothing, or even lose. When a model reads a source or a prompt, called the **prefill**, all
# positions pass through each matrix at once. In **decoding**, each step brings one position a row,
# and still needs every weight from memory. In the time in which an H100 fetches a weight of 2
# bytes, it could compute with it for about 300 positions. So decoding is **bound by memory**, and
# the positions that a cache saves would have taken little longer in the same step. (A model as
# small as ours mostly waits for Python to start its kernels, and the cache adds some.) This is why
# servers decode many texts together, and why a small cache is worth so much (lesson 15).
#
# ## Your own translator
#
# All of this is for the model that you trained in lesson 11. Its weights go into a model of your
# own classes. (If the three files of lesson 11 are not here, the course's small translator of
# number words stands in. Its sentences are shorter, so it gains less.)

# %% name="own-translator"
from dataclasses import replace

own = wb.own_translator()
slow = own.translator
with_kernels = wb.speed.name_parts(Fuse(copy.deepcopy(slow.model)), own.num_heads, 0.0)
fast = replace(slow, model=with_kernels)
ways = {
    "as in lesson 11": lambda: slow.translate(own.sentences, beam, beam_size=5),
    "fused parts": lambda: fast.translate(own.sentences, beam, beam_size=5),
    "fused parts, and caches": lambda: fast.translate(
        own.sentences, cached_beam_search, beam_size=5
    ),
}
before, fused_only, now = (way() for way in ways.values())
for german, english in list(zip(own.sentences, now, strict=True))[:6]:
    print(german)
    print("   →", english)

# %% [markdown]
# The same translations, all of them?

# %% name="own-equal"
for name, english in (("fused parts", fused_only), ("fused parts, and caches", now)):
    equal = sum(old == new for old, new in zip(before, english, strict=True))
    print(f"{name}: {equal} of {len(before)} translations are the same")

# %% [markdown]
# (A sum in a different order is rounded differently, in the seventh digit. If two translations are
# that close to each other, one may change. None should here.)
#
# And how long does it take?

# %% name="own-gain"
times_of_own = wb.speed.compare(ways, rounds=3)
print(times_of_own)
times_of_own.picture("as in lesson 11", "Your translator, with a beam of 5")

# %% [markdown]
# With the stand-in we measured 2.8 times the speed on one thread, and 1.5 times with fused parts
# alone. Longer sentences gain more.
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** Why may keys and values of earlier positions be kept in the decoder, but not in
# the encoder, if a source grew word by word? And why are the queries of earlier positions not kept?

# %% [markdown] rubric="1"
# 1 point: under the causal mask no earlier position sees a later one, so its vectors (and keys and
# values in every layer) stay what they are; in the encoder every position sees all others, so a new
# word changes all of them. 1 point: a query is used once, to compute its own position's output,
# which has been read off already; later positions ask with their own queries.

# %% [markdown] model="1"
# With the causal mask, no earlier position of the decoder sees a later one, so its vectors, keys
# and values stay as they are in every layer. In the encoder each position sees all others: a new
# word would change all of them. A query is used once, for the output of its own position, which has
# already been read. Later positions have queries of their own.

# %% [markdown] question="2" points="2"
# **Question 2.** Someone reports: "with fused attention a step takes 9 ms instead of 10, measured
# one after the other, once each, on a GPU". Name two things that are wrong with this measurement,
# and say why a fused kernel can be faster although it does the same arithmetic.

# %% [markdown] rubric="2"
# 1 point for two of: no waiting for the GPU before reading the clock; the first call counts
# (loading, compiling, memory); only one call, no median; not in turns, so other load falls on one
# of them; equality of results not shown. 1 point: memory traffic: intermediate results are neither
# written to memory nor read again (and fewer kernels are launched).

# %% [markdown] model="2"
# A GPU computes while Python continues, so without waiting for it the clock is read too early; and
# one call each proves nothing, because the first one loads kernels and other programs disturb.
# Better: wait, leave out the first call, take turns, and compare medians. A fused kernel is faster
# because intermediate results are neither written to memory nor read again, and memory is far
# slower than arithmetic.

# %% [markdown]
# ## What you built
#
# The same model, the same numbers, trained faster and decoded several times as fast: attention,
# norm, loss and optimizer in one pass each, decoding that reads every position once.

# %% name="the-whole-figure"
wb.progress()

# %% [markdown]
# That is Figure 1, and you know every box of it. Those that you built are lit.
#
# ## What comes after
#
# The models that you read about are built from these boxes, and most keep one half:
#
# - **GPT** (Radford et al. 2018, section 3.1) and its successors keep the **decoder**, without
#   cross-attention. It predicts the next token of any text. You build it in lesson 14.
# - **BERT** ([Devlin et al. 2019](https://aclanthology.org/N19-1423/)) keeps the **encoder**, with
#   `padding_mask` alone. Some tokens of the text are hidden, and a `Generator` predicts them from
#   both sides; the loss counts these positions only (section 3.1).
# - **T5** ([Raffel et al. 2020](https://jmlr.org/papers/v21/20-074.html)) keeps **both**. It is
#   your `Transformer`, trained to answer any task in text. Positions enter as a number that is
#   added to each score, one for each small distance and one for each range of larger ones (section
#   2.1).
#
# What else has changed is smaller than it sounds, and you build it in lesson 15. But the models
# grew. GPT-3 ([Brown et al. 2020](https://arxiv.org/abs/2005.14165), Table 2.1) has 96 layers with
# 96 heads and a `d_model` of 12,288, which are other numbers for arguments that you know. A small
# model of its kind learns in a minute, in lesson 14.
