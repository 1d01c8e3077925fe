# %% [markdown]
# ## How slow is adding 1?
#
# Your Transformer translates, but it takes its time. Where does the time go? A model does two kinds
# of work, products with matrices and small things such as a sum. For each number of its result, the
# product below needs 512 multiplications and 512 additions, while the sum needs one addition.
#
# *Predict, then run.* So the sum needs a thousandth of the operations. Is it then 1,000 times as
# fast as the product, 30 times, or hardly faster at all?

# %% name="guess-faster"
times_faster = None  # 1000, 30 or 1

# %% quick="one-round"
compare_in_rounds = wb.speed.compare
wb.speed.compare = lambda variants, rounds: compare_in_rounds(variants, rounds=1)

# %% name="two-kinds"
x, matrix = torch.randn(2000, 512), torch.randn(512, 512)
kinds = {"x @ matrix": lambda: x @ matrix, "x + 1": lambda: x + 1}
operations = {"x @ matrix": 2 * 512 * x.numel(), "x + 1": x.numel()}
times = wb.speed.compare(kinds, rounds=9)
for kind, seconds in times.seconds.items():
    rate = operations[kind] / seconds / 1e9
    print(f"{kind:10} {1000 * seconds:6.2f} ms  {rate:6.1f} billion operations a second")
wb.reveal(times_faster, times.gains("x @ matrix")["x + 1"])

# %% [markdown]
# On three CPUs, the sum was 24 to 57 times as fast. It isn't 1,000 times as fast because it, too,
# must fetch `x` from memory and write a result back, and memory is far slower than arithmetic. A
# Transformer is full of such **memory-bound** work, in its norms, softmaxes, dropouts and its loss.
# In this lesson you do that work in fewer trips to memory, and no result changes.
#
# ## What you will be able to do
#
# - find out where the time goes before you change anything,
# - say what a fused kernel saves, and put fused parts into your own model without changing what
#   it predicts,
# - compute a softmax without ever having its whole row, as FlashAttention does,
# - measure what each change gained, fairly, on a busy computer,
# - say what share of your device's speed you use.
#
# It takes about 75 minutes. At the end, your own translator of lesson 11 gets the fast parts.
#
# *Where it sits.* Figure 1 stays as it is, and the map shows this lesson at its side.

# %% name="where-it-sits"
wb.progress(current=["fuse"])

# %% name="setup"
split_heads, merge_heads = wb.use("split_heads", "merge_heads")

# %% [markdown]
# ## Measure first
#
# If we speed up a part that isn't slow, all we get is more code. So we measure first, and the cell
# below puts one training step of a small model into a function, which we can call again and again.

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
# name_parts adds the names that the fast parts will ask for, where your parts have others.
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
# The first thing that we measure is the computer itself. PyTorch cuts all but the smallest
# operations into parts, one for each thread, and before the next operation begins, all threads wait
# for the last of them. That pays for a large matrix product, but a small model may lose by it. So
# in the first cell, `wb.start` has timed a small task with one thread and with several, and chosen
# several only if they were clearly faster.
#
# *Predict, then run.* Your encoder reads the batch with one thread, with two, and if there are more
# cores, also with one for each. How many times as long does the slowest of these take as the
# fastest?

# %% name="guess-threads"
times_slower = None  # 1, 3, 10 or 30

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
wb.reveal(times_slower, max(medians.values()) / min(medians.values()))

# %% [markdown]
# From this table we learn how to measure:
#
# - **The first call does not count.** It loads code, asks for memory and starts threads. Call once
#   before you look at the clock, as a warm-up.
# - **One call is no measurement.** In each row, compare the fastest call with the slowest. Both did
#   the same work, but the fastest was disturbed least. The median is the time that you will mostly
#   wait, and one slow call does not move it.
# - **Ask what else could make the difference.** On two busy computers with two cores each, a small
#   model's training step took 15 and 30 times as long with two threads as with one.
#
# So we choose the number of threads again, this time by timing `read`.

# %% name="choose-threads"
print("threads:", wb.choose_threads(read))

# %% [markdown]
# ### Where does the time go?
#
# Now we look at the operations in one step of training, in the order of the time that they take.
# Which do you expect at the top, and with what share of the time?

# %% name="profile"
print(wb.speed.profile(slow_step))

# %% [markdown]
# Matrix products (`addmm`, `mm`, `bmm`) do the real work of a Transformer, and yet on one CPU they
# took only a third of the time. Everything else mostly moves numbers about, so that is where we can
# save. Your norms appear as many small operations (`mul`, `sub`, `var`), dropout as `bernoulli_`,
# and the loss as `_log_softmax`. (If the course's parts stand in for yours, some of these are
# missing, because they are partly fused already.)
#
# Before we change any of it, we need two more rules, by which we can tell whether a change has
# helped:
#
# - Python does not wait for a GPU, which still computes when the next line runs. So wait for it
#   (`torch.cuda.synchronize`) before you look at the clock, as `hardware.wait()` does.
# - Because other programs come and go, run the variants **in turns**, compare medians, and believe
#   the ratio rather than the milliseconds.
#
# `wb.speed.compare` follows all of these rules. On a CPU it uses one thread, and reads the time
# that this program has used rather than the clock on the wall.
#
# ## One kernel instead of many
#
# PyTorch runs an operation as a **kernel**, which reads a tensor from memory and writes its result
# back. Several kernels in a row mostly wait for memory, while one **fused kernel** does the work of
# all of them in one pass.
#
# *Predict, then run.* We count the LayerNorm of lesson 03 on a tensor of 1000 numbers as six
# kernels, one each for the mean, the variance, the difference from the mean, the division, the
# product with gamma and the sum with beta. How many numbers do they read and write in all, if we
# neglect those of the mean, the variance, gamma and beta? And how many does one kernel move that
# does the work of all six?

# %% name="guess-trips"
moved_by_six = None
moved_by_one = None

# %% name="reveal-trips"
wb.reveal(moved_by_six)
wb.reveal(moved_by_one)

# %% name="kernel-trips"
wb.show.kernel_trips()

# %% [markdown]
# Each pair of arrows is one trip. So where memory alone counts, one kernel should be five times as
# fast as six, and further down, we measure whether it is. But first we look at attention, which can
# move even more numbers than a norm.
#
# ### Attention without its table
#
# *Predict, then run.* Attention writes its scores to memory, as a table with a row for each query,
# and reads them again. Take a batch of 8 sentences, and 4 heads. How many scores are there for 100
# positions, and how many for 200?

# %% name="guess-scores"
scores_of_100 = None
scores_of_200 = None

# %% name="reveal-scores"
wb.reveal(scores_of_100)
wb.reveal(scores_of_200)

# %% [markdown]
# Twice the length makes four times the scores. And it seems that we must store them all, because a
# softmax divides by the sum of its whole row. Could you keep that sum if you saw the row only piece
# by piece, and had to forget each piece at once? **FlashAttention** ([Dao et al.
# 2022](https://arxiv.org/abs/2205.14135), section 3.1) can, since it reads the keys block by block,
# and remembers only three things for each query:
#
# - the largest score so far, $m$,
# - the sum of $e^{s - m}$ over all scores $s$ so far,
# - the sum of the values that belong to these scores, each weighted with its $e^{s - m}$.
#
# You can do it by hand. The first block holds the scores 1 and 3, so the largest is 3, and you note
# down the sum $e^{1 - 3} + e^{3 - 3} = 1.135$. Then you forget the 1 and the 3, and a block comes
# with the score 5.
#
# *Predict, then run.* Now 5 is the largest. By which factor do you multiply the 1.135, so that it
# is as if you had known the 5 from the start? And what is the sum of all three, once the 5 is in
# it?

# %% name="guess-factor"
factor = None
sum_of_three = None

# %% name="reveal-factor"
wb.reveal(factor)
wb.reveal(sum_of_three)

# %% name="two-blocks"
wb.show.online_softmax()

# %% [markdown]
# The values' sum shrinks by the same factor, and because we divide only at the end, we get what the
# softmax of all three scores would give. This is the **online softmax**, and it takes five lines.
# Here they run for one query and a hundred keys. Find your factor in them before you run the cell.

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
# Your factor is `shrink`. We never held more than ten scores at a time, and yet the result is the
# same but for rounding. FlashAttention does all of this in one kernel. In the backward pass it
# computes the scores once more (**recomputation**), since that takes less time than reading them
# would. The price is that we have no weights to look at any more. In PyTorch,
# `F.scaled_dot_product_attention` does all of Eq. 1 in one call, and chooses among several such
# kernels.
#
# <details><summary>Which kernel is it, and what about masks?</summary>
#
# On a CPU, PyTorch has FlashAttention only without dropout, so it still makes the table when you
# train with dropout. On a GPU, FlashAttention takes no mask, so with one a slower kernel steps in.
# A GPT that reads texts without padding can pass `is_causal=True` instead, which hides every later
# key (with as many queries as keys) and stores no table. Your model needs masks, since they hide
# padding.
#
# </details>
#
# ## Your turn: FusedMultiHeadAttention
#
# In lesson 01 you wrote `F.scaled_dot_product_attention` yourself, so now you may use it. It takes
# the place of the softmax, the dropout and both products. Its arguments are query, key, value, the
# mask (True where a key may be seen) and the rate of dropout, and it drops at that rate in eval
# mode, too. You make each fast part **from** a part of your model, whose weights it shares.
#
# <details><summary>The fine print</summary>
#
# - The parameters are exactly the same ones, under the same names, and no copies.
# - The check counts calls of `F.scaled_dot_product_attention` and `F.layer_norm`, and expects one.
#
# </details>

# %% answer="FusedMultiHeadAttention"

# %% check="FusedMultiHeadAttention"

# %% [markdown]
# Stuck? The blanks are called `dropped` and `one_kernel`.

# %% name="hint-attention"
wb.hint("one_kernel")

# %% [markdown]
# | Eq. 1 | your code |
# |---|---|
# | $\mathrm{softmax}(QK^T / \sqrt{d_k})\,V$ | the blank `one_kernel` |
# | (dropout on the softmax) | the blank `dropped` |
#
# ## Your turn: FusedLayerNorm
#
# For the norm, one call of `F.layer_norm` is enough, since it also scales by `gamma` and adds
# `beta`. Its arguments are `x`, the shape of what one norm covers (here the size of the last axis,
# in a tuple), `gamma`, `beta` and `eps`.

# %% answer="FusedLayerNorm"

# %% check="FusedLayerNorm"

# %% [markdown]
# Stuck? The blank is called `layer_norm`.

# %% name="hint-norm"
wb.hint("layer_norm")

# %% [markdown]
# ### Is it five times as fast?
#
# We expected a factor of five for the fused norm. Perhaps we needn't even fuse by hand, since
# `torch.compile` reads Python code and writes fused kernels for it. So here we also give it the
# LayerNorm that you wrote in lesson 03. (On a CPU it needs a compiler, g++ or clang++, and the
# first call takes ten seconds or more.) Of the three bars of speed, which will be the longest, and
# how long?

# %% name="compile"
PlainNorm, FastNorm = wb.use("LayerNorm", "FusedLayerNorm")
norm = wb.speed.name_parts(PlainNorm(512), 4, 0.1).to(device)
x = torch.randn(2000, 512, device=device)
fast_norm = FastNorm(norm)
norms = {"lesson 03": lambda: norm(x), "fused by hand": lambda: fast_norm(x)}
try:
    compiled = torch.compile(norm)
    print("largest difference:", f"{(compiled(x) - norm(x)).abs().max():.1e}")
    norms["compiled"] = lambda: compiled(x)
except Exception as error:
    print("torch.compile does not work here:", type(error).__name__)
with torch.no_grad():
    times_of_norms = wb.speed.compare(norms, rounds=9)
print(times_of_norms)
times_of_norms.picture("lesson 03")

# %% [markdown]
# On CPUs we measured the fused norm at 6 to 18 times the speed of lesson 03's. It can be more than
# five there because PyTorch's `var` is slow on a CPU, where it alone once took nine tenths of the
# norm's time. On an H200 the fused norm was 3.3 times as fast. The compiled norm reached only 0.6
# times the speed on one CPU, but up to 11 times on others. We haven't found out why the H200 gained
# less than five, or why compiling lost on that one CPU. (A stand-in for `LayerNorm` is one kernel
# already, so then don't compare the first two bars.)
#
# ## The loss without its table
#
# Attention isn't alone in writing a table that nobody needs. The loss of lesson 09 makes a table of
# targets, with M rows (positions) and V columns (tokens). For 1000 positions and 8000 tokens it has
# eight million numbers, but since nearly all of them are alike, we needn't write them down. For
# token $i$, let $q_i$ be the probability that the target gives it, and $p_i$ the one that the model
# gives it. With a smoothing of $\epsilon$, each of the others (all tokens but the right one and
# padding) has the same share, $q_i = s$. Then the loss, the KL divergence of lesson 09, is
#
# $$\sum_i q_i (\ln q_i - \ln p_i) = \underbrace{\sum_i q_i \ln q_i}_{\text{a constant}}
# - (1 - \epsilon) \ln p_{\text{right}} - s \sum_{\text{others}} \ln p_i$$
#
# So from each row of log-probabilities we need two numbers, and no table. The code has the constant
# as `self.certainty` (`torch.xlogy(a, b)` is $a \ln b$, and 0 for $a = 0$).
#
# *By hand.* We take the six tokens of lesson 09, with all $p_i = 1/6$. Four tokens share 0.1, so $s
# = 0.025$, and the constant is $0.9 \ln 0.9 + 0.1 \ln 0.025 = -0.464$. The rest is $0.9 \cdot 1.792
# + 4 \cdot 0.025 \cdot 1.792 = 1.792$. Together they make 1.328, as in lesson 09.
#
# ## Your turn: FusedLabelSmoothing
#
# Compute the two numbers of each row, and put them together by the formula.
#
# <details><summary>The fine print</summary>
#
# - It is the same loss in every case, so also with any `pad_id`, without smoothing, and 0 for a
#   batch of padding alone. The result is a tensor without axes.
# - No table of M rows and V columns is filled in on the way, nor by `F.one_hot`, and the check
#   looks at that, too. (What you compute from `log_probs` itself, such as
#   `log_probs.masked_fill(...)`, is no such table.)
#
# </details>

# %% answer="FusedLabelSmoothing"

# %% check="FusedLabelSmoothing"

# %% [markdown]
# Stuck? The blanks are called `right`, `others` and `divergence`.

# %% name="hint-loss"
wb.hint("others")

# %% [markdown]
# | the formula | your code |
# |---|---|
# | $\ln p_{\text{right}}$ | the blank `right` |
# | $\sum_{\text{others}} \ln p_i$ | the blank `others` |
# | all of it | the blank `divergence` |
#
# ## Your turn: fuse
#
# `fuse` goes through a model and puts your fast parts in place of attention layers (which have a
# `w_q`) and norms (which have a `gamma`).

# %% answer="fuse"

# %% check="fuse"

# %% [markdown]
# Stuck? The blanks are called `fused` and `mode`.

# %% name="hint-fuse"
wb.hint("fused")

# %% [markdown]
# A faster model that predicts something different is simply wrong, so before we time it, we compare
# it with the plain one on the same weights and the same batch, without dropout.

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
# ## What has each gained?
#
# Before we measure, we add three more things, of a line or two:
#
# - **One log-softmax.** Your model takes one, and `train_step` takes another, because other models
#   return logits. Since the log-softmax of a log-softmax changes nothing, the model leaves out its
#   own here.
# - **Fused Adam** (`fused=True`) updates all weights in one kernel instead of several.
# - **Mixed precision** (lesson 11) computes matrix products in 16 bits, where the device can.
#
# *By hand.* Let norms take a tenth of a step, and become 18 times as fast. Then the step takes
# $0.9 + 0.1 / 18 = 0.906$ of its time, so it is only 1.1 times as fast. However fast the norms get,
# we can't gain more than the tenth that they took, which is called **Amdahl's law**.
#
# *Predict, then run.* How many times as fast will a step be with all of this but mixed precision?

# %% name="guess-together"
all_together = None  # 1.2, 2 or 5


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

# %% name="reveal-together"
wb.reveal(all_together, times.gains("lesson 09")["all of these"])

# %% [markdown]
# On one thread of a CPU we measured 1.3 times the speed for all of these together. A norm that is
# 18 times as fast had promised more, but these changes reach only some parts of the step (Amdahl's
# law). The matrix products (a third of the time) and much else, such as ReLU and the dropout
# outside attention, take as long as before. Only mixed precision makes the products faster, and
# with it we got 1.5 on a CPU that computes in bfloat16. (Compare the last two bars. In a model so
# small that converting to 16 bits and back takes longer than it saves, mixed precision gains
# nothing.)
#
# On a GPU the products are so fast that everything else shows. On an H200 we measured 1.6 times the
# speed for fused parts, loss and Adam together, but only 1.3 with mixed precision on top, since its
# conversions are more kernels. (Stand-ins are partly fused already, so with them you'll gain less.)
#
# ## How much of the device is used?
#
# A step is now 1.3 times as fast on our CPU, and 1.6 times on the GPU. Is there more to get? To
# find out, we compare what a step has to compute with what the device could compute in that time.
# Forward, each weight of a matrix is multiplied and added once for each token, which makes 2
# operations. Backward it is twice as much, once for the gradient of the input and once for that of
# the weight. So a step needs about $6 \cdot \text{weights} \cdot \text{tokens}$ floating-point
# operations (FLOPs). Only real tokens count, since no result needs what is computed for padding.
#
# If we divide these operations by the number that the device could do in the same time, we have the
# **model FLOPs utilization** ([Chowdhery et al. 2022](https://arxiv.org/abs/2204.02311), section
# 4.1). A GPU's maker states what it could do, and for a CPU we measure a large matrix product. In
# place of the formula, the cell lets PyTorch count the operations of all matrix products, and
# multiplies them by the share of real tokens, about three quarters.
#
# *Predict, then run.* What share of your device does a step with all of these changes use, in
# percent?

# %% name="guess-utilization"
utilization_in_percent = None  # 1, 10, 30 or 90

# %% name="utilization"
threads = torch.get_num_threads()
if device.type == "cpu":
    torch.set_num_threads(1)  # one thread against one thread
halved = device.type == "cuda" and hardware.dtype is not None
best_step = variants["and mixed precision" if halved else "all of these"]
seconds = wb.speed.compare({"step": best_step}, rounds=3).seconds["step"]
could = wb.speed.peak(device, None if device.type == "cpu" else hardware.dtype)
real = (torch.cat([src, tgt], dim=1) != PAD).float().mean().item()  # of all tokens
did = real * wb.speed.work(best_step) / seconds
print(f"{did / 1e9:,.0f} of {could / 1e9:,.0f} billion operations a second")
wb.reveal(utilization_in_percent, 100 * did / could)
torch.set_num_threads(threads)

# %% [markdown]
# On CPUs we measured only 19 to 35 %, because only matrix products count as work, and the rest of
# the step takes time, too. On an H200 it was 0.01 %, since our model is so small that a GPU mostly
# waits for Python. Large models use a GPU far better, and the largest Llama 3 reached 38 to 43 %
# ([Grattafiori et al. 2024](https://arxiv.org/abs/2407.21783), Table 4).
#
# ## Bug hunt
#
# The function below should compute the model FLOPs utilization of a step by the formula. It runs,
# but there are **two bugs** in it for you to find and fix.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** Someone reports: "with fused attention a step takes 9 ms instead of 10, measured
# one after the other, once each, on a GPU". Name two things that are wrong with this measurement,
# and say why a fused kernel can be faster although it does the same arithmetic.

# %% [markdown] rubric="1"
# 1 point for two of: no waiting for the GPU before reading the clock; the first call counts
# (loading, compiling, memory); only one call, no median; not in turns, so other load falls on one
# of them; equality of results not shown. 1 point: memory traffic: intermediate results are neither
# written to memory nor read again (and fewer kernels are launched).

# %% [markdown] model="1"
# A GPU computes while Python continues, so without waiting for it the clock is read too early; and
# one call each proves nothing, because the first one loads kernels and other programs disturb.
# Better: wait, leave out the first call, take turns, and compare medians. A fused kernel is faster
# because intermediate results are neither written to memory nor read again, and memory is far
# slower than arithmetic.

# %% [markdown] question="2" points="2"
# **Question 2.** A softmax divides by the sum of its whole row. How can FlashAttention begin to
# average the values before it has seen the last score? And why is it faster, although it computes
# the scores once more in the backward pass?

# %% [markdown] rubric="2"
# 1 point: it keeps sums relative to the largest score so far, of exponentials and of values; when a
# larger score comes, both shrink by the same factor, and the division is left to the end. 1 point:
# the table of scores is neither written to memory nor read again, and to compute a score once more
# takes less time than to fetch it.

# %% [markdown] model="2"
# It keeps two sums for each query, of the exponentials and of the values that they weight, both
# relative to the largest score so far. When a larger score comes, both are multiplied by the same
# factor, so they are what they would have been with that score from the start. It divides one by
# the other at the end. It is faster because the large table of scores never goes to memory and
# back. Memory is so slow that computing a score again takes less time than reading it.

# %% [markdown]
# ## In its place
#
# The translator that you trained in lesson 11 is made of the same parts, so `fuse` works on it,
# too. We load its weights into a model of your own classes. (Without the three files of lesson 11,
# the course's small translator of number words stands in, which gains less, since its sentences are
# shorter.) Does the fused one still write the same translations?

# %% name="own-translator"
from dataclasses import replace

own, beam = wb.own_translator(), wb.use("beam_search")
slow = own.translator
with_kernels = wb.speed.name_parts(Fuse(copy.deepcopy(slow.model)), own.num_heads, 0.0)
fast = replace(slow, model=with_kernels)
ways = {
    "as in lesson 11": lambda: slow.translate(own.sentences, beam, beam_size=5),
    "fused parts": lambda: fast.translate(own.sentences, beam, beam_size=5),
}
before, now = (way() for way in ways.values())
for german, english in list(zip(own.sentences, now, strict=True))[:6]:
    print(german)
    print("   →", english)
equal = sum(old == new for old, new in zip(before, now, strict=True))
print(f"{equal} of {len(before)} translations are the same")

# %% name="own-gain"
times_of_own = wb.speed.compare(ways, rounds=3)
print(times_of_own)
times_of_own.picture("as in lesson 11", "Your translator, with a beam of 5")

# %% [markdown]
# With the stand-in we measured 1.5 times the speed on one thread. (A sum in a different order is
# rounded differently, in the seventh digit. So where two translations are that close to each other,
# one may take the other's place, but here none should.)
#
# So the same model now trains and translates faster, because attention, norm, loss and optimizer
# take one pass each, and no result has changed. But the largest waste is untouched. To write 100
# tokens, the decoder runs 100 times, and each time it reads everything from the start. Guess how
# many positions that makes in all, before you open lesson 13, **cached decoding**.

# %% name="progress"
wb.progress()
