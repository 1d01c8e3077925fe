# %% [markdown]
# ## What you will be able to do
#
# - say what the box "Add & Norm" of Figure 1 does, and why a deep Transformer needs it,
# - write layer normalization by hand, and say which numbers share a mean and which do not,
# - wrap any sublayer in a residual connection, in the paper's way (**post-norm**) and in the way
#   of most newer models (**pre-norm**), and tell the two apart in code that you read.
#
# It takes about 50 minutes. torch has a LayerNorm ready made; the check of yours does not let your
# code call it, since it is what you build here.

# %% [markdown]
# ## Where it sits
#
# There is an "Add & Norm" after every attention and every feed-forward network: five of them in
# one pair of encoder and decoder layers, thirty in the paper's model of six such pairs.

# %% name="where-it-sits"
wb.progress(current=["LayerNorm", "SublayerConnection"])

# %% [markdown]
# ## Add: why a deep stack needs a way straight through
#
# Training sends a gradient back from the loss, through all layers, to the first. Each layer on
# the way multiplies it by its own derivative. Take the smallest layer there is, $f(x) = 0.1\,x$,
# and stack ten of them:
#
# | | one layer | its derivative | ten layers |
# |---|---|---|---|
# | without a residual | $y = f(x)$ | 0.1 | $0.1^{10} = 0.0000000001$ |
# | with a residual | $y = x + f(x)$ | 1 + 0.1 | $1.1^{10} \approx 2.6$ |
#
# Without the residual nothing of the gradient is left. With it, the derivative is *one plus*
# something: the 1 is a way straight through, on which the gradient passes a layer even if the
# layer itself has little to say. So a layer need not compute its result from nothing. It says
# what should be *changed* about x, and the sum applies it.
#
# The same with matrices in place of the number 0.1:

# %% name="residual-gradients"
wb.show.residual_gradients()

# %% [markdown]
# Both axes are logarithmic. Look at 16 layers: without residuals the gradient has lost many
# powers of ten, with them it is about as large as at the start. But look at the right end, too:
# with residuals it slowly *grows*, since every layer adds something, to the numbers on their way
# forward as to the gradient on its way back. That is what the second half of the box is for.

# %% [markdown]
# ## Norm: back to a known size
#
# **Layer normalization** ([Ba et al. 2016](https://arxiv.org/abs/1607.06450)) takes the features
# of *one position* and brings them to mean 0 and variance 1. Then it scales and shifts each
# feature by numbers that are learned:
#
# $$\mathrm{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$
#
# Here $\mu$ is the mean and $\sigma^2$ the variance of the D features of the position, $\gamma$
# and $\beta$ hold one number for each feature, and $\epsilon$ is tiny: it keeps the division from
# failing where all features are alike and the variance is 0. At first $\gamma$ and $\beta$ change
# nothing; training finds out what they should be.
#
# ### By hand
#
# One position with four features, $x = (1, 1, 5, 5)$:
#
# | step | | |
# |---|---|---|
# | mean | $(1 + 1 + 5 + 5) / 4$ | 3 |
# | minus the mean | | (-2, -2, 2, 2) |
# | variance: the mean of the squares of these | $(4 + 4 + 4 + 4) / 4$ | 4 |
# | divided by its root, 2 | | (-1, -1, 1, 1) |
# | times $\gamma = (1, 1, 2, 1)$ | | (-1, -1, 2, 1) |
# | plus $\beta = (0, 0, 0, 1)$ | | (-1, -1, 2, 2) |
#
# ### Predict, then run
#
# A new layer ($\gamma$ and $\beta$ change nothing yet) gets $(10, 10, 50, 50)$, ten times as much.
# What comes out? And what for $(103, 103, 107, 107)$? Write your guesses in place of `None`. (You
# find out below.)

# %% name="guess-norm"
ten_times = None  # four numbers, for instance (1, 2, 3, 4)
shifted = None

# %% [markdown]
# ## Which numbers share a mean?
#
# You may know batch normalization from networks for images. It uses the same formula, on other
# numbers:

# %% name="norm-axes"
wb.show.norm_axes()

# %% [markdown]
# The dark numbers share one mean and one variance. **LayerNorm**, on the left, stays inside one
# position: every word is normalized by its own features alone. **BatchNorm**, on the right, takes
# one feature and goes through all words of all sentences. So there a word's result depends on
# what else happens to be in the batch:

# %% name="batch-norm"
batch_norm = nn.BatchNorm1d(4, affine=False)
row = torch.tensor([1.0, 1.0, 5.0, 5.0])
for neighbour in (torch.zeros(4), torch.full((4,), 9.0)):
    print("beside", neighbour.tolist(), "it becomes", batch_norm(torch.stack([row, neighbour]))[0])

# %% [markdown]
# The same row, all plus 1 beside one neighbour, all minus 1 beside another. With sentences it is
# worse: they differ in length, so the padding would take part; and when a model writes a
# translation word by word there is no batch to take a mean of. LayerNorm has none of these
# troubles, and it does the same in training and afterwards.
#
# ## Your turn: LayerNorm
#
# Five things that people stumble over:
#
# - **The axis.** x can be `(N, T, D)`, or have more axes in front, or fewer, or none: `(D,)`. The
#   features are the last one. x need not be contiguous.
# - **Its place.** A mean over an axis removes it, and `(N, T)` does not line up with `(N, T, D)`.
#   `keepdim=True` leaves the axis there, with length 1.
# - **The variance.** LayerNorm's is the *mean* of the squares: it divides by D. torch's `var`
#   divides by D - 1 if you say nothing (the "unbiased" variance, which guesses the variance of a
#   population from a sample; nobody guesses here). The argument `unbiased` decides. By hand,
#   subtract the mean *before* you square: the mean of $x^2$ minus $\mu^2$ is the same on paper, but
#   for features around 1,000 the difference of the two loses most of its digits.
# - **Parameters.** $\gamma$ and $\beta$ are to be learned, so they have to be `nn.Parameter`s:
#   only these are found by the optimizer and saved with the model. They are called `gamma` and
#   `beta`, have the shape `(D,)`, and nothing else is learned.
# - **The eps** is the one that `__init__` gets. It is tiny as a rule, but it need not be.
#
# Check and grading refuse PyTorch's own norms here (`nn.LayerNorm`, `F.layer_norm`, and batch,
# group, instance and RMS norm, which can do the same): write it yourself.
#
# Fill the five blanks, then run the cell and the check below it.

# %% answer="LayerNorm"

# %% check="LayerNorm"

# %% [markdown]
# Stuck? Run this cell, more than once if you like. The blanks are called `gamma`, `mean`,
# `variance`, `deviation` and `output`.

# %% name="hint"
wb.hint("gamma")

# %% [markdown]
# ### The equation, piece by piece
#
# | in the formula | your code |
# |---|---|
# | $\gamma$, as it is at first | the blank `gamma` |
# | $\mu$ | the blank `mean` |
# | $\sigma^2$ | the blank `variance` |
# | $\sqrt{\sigma^2 + \epsilon}$ | the blank `deviation` |
# | $\gamma \cdot \ldots + \beta$ | the blank `output` |
#
# And now for your guesses from above. (`wb.use` gives your own class if it passed its check, else
# a stand-in.)

# %% name="reveal-norm"
Norm = wb.use("LayerNorm")
norm = Norm(4)
wb.reveal(ten_times, norm(torch.tensor([10.0, 10.0, 50.0, 50.0])))
wb.reveal(shifted, norm(torch.tensor([103.0, 103.0, 107.0, 107.0])))

# %% [markdown]
# Both times the same four numbers as by hand: LayerNorm removes the level and the size of a
# position's features, and keeps their pattern.
#
# ### Is it the same as torch's?
#
# We copy your $\gamma$ and $\beta$ into torch's own layer, where they are called `weight` and
# `bias`, and compare the results.

# %% name="compare-norm"
torch.manual_seed(0)
mine, theirs = Norm(8, eps=1e-5), nn.LayerNorm(8, eps=1e-5)
with torch.no_grad():
    for own, copy in ((mine.gamma, theirs.weight), (mine.beta, theirs.bias)):
        own.normal_()
        copy.copy_(own)
x = 3 * torch.randn(2, 5, 8) + 1
print("largest difference:", (mine(x) - theirs(x)).abs().max().item())

# %% [markdown]
# A difference of a few ten-millionths is rounding.
#
# ### A variant that you will meet
#
# The Annotated Transformer, from which much code has been copied, divides by $s + \epsilon$, where
# $s$ is the *unbiased* deviation: D - 1 in place of D, and $\epsilon$ outside of the root. For our
# $(1, 1, 5, 5)$ the variance is then 16/3, its root 2.31, and what comes out is 0.87 where it was 1
# before. With 512 features the two differ by a thousandth, so a model learns just as well with
# it. But a model trained with one and run with the other is a slightly different model, and no
# comparison with torch will ever come out even. The check above tells them apart.
#
# ## Add & norm: in which order?
#
# Now the whole box. The paper (section 3.1) writes
#
# $$\mathrm{LayerNorm}(x + \mathrm{Sublayer}(x))$$
#
# where the sublayer is attention or the feed-forward network, and says in section 5.4 where
# dropout goes: on the output of each sublayer, *before* it is added and normalized. That is
# **post-norm**: the norm comes after the sum. Most newer models use **pre-norm**: the norm moves
# to the front of the sublayer, and the sum is left alone.
#
# | | the sublayer reads | what it says goes through | result |
# |---|---|---|---|
# | post-norm (the paper) | x | dropout | the norm of the sum |
# | pre-norm (`norm_first=True`) | the norm of x | dropout | the sum |
#
# In both, the sum is of the same two things: x as it came in, and what the sublayer said, after
# dropout. x itself never goes through dropout: the way straight through stays undamaged.
#
# **Beware when you read other code.** Much of it says one thing and does the other. The Annotated
# Transformer quotes the paper's formula and then, as it says "for code simplicity", normalizes
# first. Do not believe the text or the picture: find the line with the sum, and look whether the
# norm is outside of it or inside of the sublayer's brackets.
#
# ## Your turn: SublayerConnection
#
# `sublayer` is anything that can be called with one tensor, `(N, T, D)`, and returns one of that
# shape. It is called once, and what it returns is not changed in place, as little as x is. Dropout
# is the usual one of lesson 01: in train mode each number of what the sublayer says becomes 0 with
# probability `dropout`, drawn anew in each call; in eval mode nothing is changed. The norm is a
# layer normalization with a $\gamma$ and a $\beta$ of its own, yours or torch's.
#
# The two ways share most of their lines: they differ in what the sublayer reads, and in what
# happens to the sum. Fill the four blanks.

# %% answer="SublayerConnection"

# %% check="SublayerConnection"

# %% [markdown]
# The blanks are called `read`, `update`, `total` and `result` (the last
# line).

# %% name="hint-connection"
wb.hint("read")

# %% [markdown]
# ### The equation, line by line
#
# | section 3.1 and 5.4 | your code |
# |---|---|
# | what stands in the brackets of $\mathrm{Sublayer}(\ldots)$ | the blank `read` |
# | $\mathrm{Sublayer}(\ldots)$, with dropout | the blank `update` |
# | $x + \ldots$ | the blank `total` |
# | $\mathrm{LayerNorm}(\ldots)$ around the sum, or nothing | the blank `result` |
#
# ## Look at it
#
# What becomes of the size of x on its way through 32 sublayers? We send random vectors through
# three stacks of the same random linear sublayers: with residuals but no norm at all, with
# pre-norm, and with post-norm. Before you run it: which of them will stay at 1?

# %% name="sizes"
Connection = wb.use("SublayerConnection")
width, depth = 64, 32
post, pre = (Connection(width, norm_first=first).eval() for first in (False, True))
torch.manual_seed(2)
sublayers = [nn.Linear(width, width, bias=False) for _ in range(depth)]
for sublayer in sublayers:
    nn.init.normal_(sublayer.weight, std=width**-0.5)
start = torch.randn(20, 5, width)
sizes = {}
for label, step in (
    ("no norm", lambda x, sublayer: torch.add(x, sublayer(x))),
    ("pre-norm", pre),
    ("post-norm", post),
):
    x, sizes[label] = start, [1.0]
    with torch.no_grad():
        for sublayer in sublayers:
            x = step(x, sublayer)
            sizes[label].append(x.std().item())
wb.show.curves(
    sizes,
    title="Size of x (its standard deviation) after each sublayer",
    x_label="sublayers passed",
    y_label="size",
    log_y=True,
)

# %% [markdown]
# The vertical axis is logarithmic. Without a norm, x grows by the same factor again and again.
# Post-norm brings it back to 1 after every sum. In pre-norm the sum is never normalized, so x
# grows, but slowly: every sublayer reads a normalized x, so it adds about as much as the one
# before. That is why a pre-norm stack has **one more norm at its very end**, which you will
# put there in lesson 07.
#
# Which is better? Post-norm normalizes the straight way itself, so the gradient has to pass every
# norm; such models need a careful start with a small learning rate, the *warm-up* of lesson 09.
# Pre-norm leaves the way free, and deep stacks train more easily
# ([Xiong et al. 2020](https://arxiv.org/abs/2002.04745)).
#
# ## Bug hunt
#
# Many of today's large models use a simpler norm, RMSNorm
# ([Zhang and Sennrich 2019](https://arxiv.org/abs/1910.07467)). It subtracts no mean; it only
# divides by the **root mean square**: the root of the mean of the squares, with eps under the
# root. For (1, 1, 5, 5) the squares are 1, 1, 25, 25, their mean is 13, and its root 3.6; so
# (0.28, 0.28, 1.39, 1.39) comes out.
#
# The function below should do that. It runs, and its result has the right shape, but it is wrong:
# there are **two bugs** in it. Find and repair them. (`nn.RMSNorm` and `F.rms_norm`, PyTorch's own,
# are refused here.)

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A friend leaves the residual out: "the next layer can learn to copy x, if it
# needs it". What happens to the gradient in a stack of many layers without residuals, and what
# exactly does the residual change about it?

# %% [markdown] rubric="1"
# 1 point: without residuals the gradient is a product of the layers' derivatives, so it shrinks
# (or grows) like a power of the depth and hardly anything reaches the first layers. 1 point: with
# the residual the derivative of each layer is the identity plus the sublayer's derivative, so one
# path carries the gradient through unchanged, whatever the sublayers do.

# %% [markdown] question="2" points="2"
# **Question 2.** You read the line `x = x + dropout(attention(norm(x)))` in code whose README says
# "post-norm, as in the paper". Who is right? And what would you expect to find at the end of the
# stack, and why?

# %% [markdown] rubric="2"
# 1 point: the code is pre-norm: the norm is applied to what the sublayer reads, and the sum is not
# normalized; the paper normalizes the sum. 1 point: one last norm after the last layer, because
# in pre-norm nothing normalizes the sum, which grows with depth.

# %% [markdown]
# ## What you built, and what comes next
#
# You have the frame that holds every sublayer of the Transformer: it lets gradients through, and
# keeps numbers at a known size. It works around anything: attention, or the last kind of sublayer
# that is still missing. That one is the **feed-forward network** of lesson 04.

# %% name="progress"
wb.progress()
