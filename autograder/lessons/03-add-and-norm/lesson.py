# %% [markdown]
# ## Without the add, and without the norm
#
# "Add & Norm", the box after every attention layer in Figure 1, does two things. It adds the
# layer's result to the layer's input, and it brings the sum back to a known size. We take out one
# and then the other. In which of the two cases will a number still come out right?
#
# First the **add** goes, so that a layer's result replaces its input.

# %% name="without-residuals"
wb.translator.compare(8, 634, 15092, without="residuals")

# %% [markdown]
# The translator writes nothing, or the same word over and over, and not one number is right. Now we
# put the add back and take out the **norm**.

# %% name="without-norms"
wb.translator.compare(8, 634, 15092, without="norms")

# %% [markdown]
# The number of one word, 8, still comes out right, and in the others we recognize pieces of the
# answer. But inside the model, features that should be about 1 in size have grown to several
# hundred at the end, and no layer was trained on such numbers.
#
# ## What you will be able to do
#
# - say what the box "Add & Norm" of Figure 1 does, and why a deep Transformer needs it,
# - write layer normalization by hand, and say which numbers share a mean and which do not,
# - put an "Add & Norm" around any part of a layer, in the paper's way and in the way of most newer
#   models, and tell the two apart in code that you read.
#
# It takes about 90 minutes, and a quarter of an hour more with the parts that are marked as
# optional.
#
# *Where it sits.* Each attention layer and each feed-forward network (lesson 04) is a **sublayer**,
# and each has an "Add & Norm" after it. That makes five in a pair of encoder and decoder layers,
# and thirty in the paper's model.

# %% name="where-it-sits"
wb.progress(current=["LayerNorm", "SublayerConnection"])

# %% [markdown]
# ## Add: one plus something
#
# Why should a layer add its result to its input x? Training sends a gradient from the loss back to
# the first layer, and every layer on the way multiplies it by its own derivative. Let's take the
# smallest layer there is, $f(x) = 0.1\,x$, and stack ten of them:
#
# | | one layer | its derivative | ten layers |
# |---|---|---|---|
# | without the sum | $y = f(x)$ | 0.1 | $0.1^{10} = 0.0000000001$ |
# | with the sum | $y = x + f(x)$ | 1 + 0.1 | $1.1^{10} \approx 2.6$ |
#
# Without the sum, we lose practically all of the gradient, which is called a **vanishing
# gradient**. With the sum, the derivative becomes *one plus* something. That 1 opens a way straight
# through the layer, along which x passes forward unchanged, and the gradient passes back, unchanged
# in size and direction. We call this shortcut a **residual connection**, or **skip connection**
# ([He et al. 2016](https://arxiv.org/abs/1512.03385), section 3). It also makes a layer's task
# smaller, since the layer only needs to compute what should *change* about x.
#
# ## Four stacks of 24 sublayers
#
# We trained the translator with both parts, and took them out only afterwards. Could a model learn
# without them from the start? To find out, we train four stacks of 24 sublayers to tell four kinds
# of points apart. (You needn't read the code of this lesson's experiments.)


# %% name="deep-stack"
def draw_points(count):
    """Points with 8 features; two products of features decide which kind, 0 to 3, a point is."""
    x = torch.randn(count, 8)
    return x, (x[:, 0] * x[:, 1] > 0).long() + 2 * (x[:, 2] * x[:, 3] > 0).long()


class Stack(nn.Module):
    """Sublayers one after the other; `join(x, sublayer, norm)` says what each makes of x."""

    def __init__(self, join, last_norm=False, depth=24, size=32):
        super().__init__()
        torch.manual_seed(0)
        self.join = join
        self.first, self.last = nn.Linear(8, size), nn.Linear(size, 4)
        self.last_norm = nn.LayerNorm(size) if last_norm else nn.Identity()
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(depth))
        self.sublayers = nn.ModuleList(
            nn.Sequential(nn.Linear(size, size), nn.ReLU(), nn.Linear(size, size))
            for _ in range(depth)
        )
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.xavier_uniform_(layer.weight)  # as in the whole model, lesson 08

    def forward(self, x):
        x, self.inputs = self.first(x), []
        for sublayer, norm in zip(self.sublayers, self.norms, strict=True):
            self.inputs.append(x)
            x = self.join(x, sublayer, norm)
        return self.last(self.last_norm(x))


# %% name="losses-of-a-stack"
def losses_of(stack, progress, rate=0.001, steps=150):
    """Train a stack, and return the mean loss of every ten steps; `progress` counts them."""
    torch.manual_seed(1)
    optimizer, losses = torch.optim.Adam(stack.parameters(), rate), []
    for _ in zip(range(steps), progress, strict=False):
        points, kinds = draw_points(128)
        loss = F.cross_entropy(stack(points), kinds)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return torch.arange(5, steps, 10), torch.tensor(losses).view(-1, 10).mean(dim=1)


# %% quick="few-steps"
losses_of.__defaults__ = (0.001, 20)

# %% [markdown]
# Our loss is the **cross-entropy**, the mean of $-\ln p$, where $p$ is the probability that the
# model gave to the right answer. A model that guesses among four kinds gives each a probability of
# 1/4, so its loss is $\ln 4 = 1.39$.
#
# *Predict, then run.* The four stacks differ only in how they join a sublayer to the next. One has
# neither add nor norm, one the norm alone, one the add alone, and one has both. Which of them will
# learn? (A fifth curve shows two plain sublayers, and the vertical axis is logarithmic.)

# %% name="four-ways"
joins = {
    "neither": lambda x, sublayer, norm: sublayer(x),
    "norm alone": lambda x, sublayer, norm: norm(sublayer(x)),
    "add alone": lambda x, sublayer, norm: x + sublayer(x),
    "add and norm": lambda x, sublayer, norm: norm(x + sublayer(x)),
}
progress = wb.steps(5 * 150)
curves = {name: losses_of(Stack(join), progress) for name, join in joins.items()}
curves["2 sublayers, neither"] = losses_of(Stack(joins["neither"], depth=2), progress)
wb.show.curves(
    curves,
    title="24 sublayers, four ways to join them (pure guessing: 1.39)",
    x_label="step",
    y_label="loss",
    log_y=True,
)

# %% [markdown]
# Without the add, 24 sublayers hardly learn, and the curves of "neither" and "norm alone" lie on
# one another at 1.39, nearly to the end. With the add alone the stack learns, but it starts at a
# loss of about 30 and first has to come down from there. With both, it simply learns. (Two plain
# sublayers do better still, so we wouldn't build a deep stack for this task. But language is
# harder, and there each layer builds on what the ones below have found.)
#
# Why does "add alone" start so high? Every layer adds something to the numbers on their way
# forward, and to the gradient on its way back, so both keep growing. A model whose numbers have
# become huge is very sure of its wrong answers, so its loss is huge, too. That's why the box has a
# second half, which brings the numbers back to a known size.
#
# ## Norm: back to a known size
#
# **Layer normalization** ([Ba et al. 2016](https://arxiv.org/abs/1607.06450), section 3) takes the
# features of *one position* and brings them to mean 0 and variance 1. Then it scales and shifts
# each feature by numbers that are learned:
#
# $$\mathrm{LayerNorm}(x) = \gamma \cdot \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} + \beta$$
#
# Here $\mu$ is the mean and $\sigma^2$ the variance of the D features of the position, while
# $\gamma$ and $\beta$ hold one number for each feature. The tiny $\epsilon$ keeps the division from
# failing where all features are equal and the variance is 0. At first $\gamma$ and $\beta$ leave
# the result as it is, and training finds out what they should be.
#
# *By hand.* We take one position with four features, $x = (1, 1, 5, 5)$:
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
# ## Your turn: LayerNorm
#
# Now fill the five blanks.
#
# <details><summary>The fine print</summary>
#
# - x can be `(N, T, D)`, or have more axes in front, or fewer, or none, `(D,)`. It need not be
#   contiguous.
# - The parameters are called `gamma` and `beta`, have the shape `(D,)`, and nothing else is
#   learned.
# - The eps is the one that `__init__` gets, which is tiny as a rule, but need not be.
# - If you compute the variance by hand, subtract the mean *before* you square. The mean of $x^2$
#   minus $\mu^2$ is the same on paper, but for features around 1,000 the difference of the two
#   loses most of its digits.
# - PyTorch has this ready-made, as `nn.LayerNorm` and `F.layer_norm`, and its batch, group,
#   instance and RMS norm can be made to do the same. Here you write it yourself, so check and
#   grading accept none of them.
#
# </details>

# %% answer="LayerNorm"

# %% check="LayerNorm"

# %% [markdown]
# Stuck? The blanks are called `gamma`, `mean`, `variance`, `deviation` and `output`.

# %% name="hint"
wb.hint("gamma")

# %% [markdown]
# <details><summary>What people mostly stumble over</summary>
#
# - **The axis.** The features are the last axis of x, however many axes stand in front of it.
# - **The axis's place.** A mean over an axis removes it, unless `keepdim=True` leaves it there,
#   with length 1.
# - **The variance.** LayerNorm's is the *mean* of the squares, so it divides by D. torch's `var`
#   divides by D - 1 if you say nothing (the "unbiased" estimate). The argument `unbiased` decides,
#   or `correction`, as PyTorch calls it since version 2.0.
# - **Parameters.** $\gamma$ and $\beta$ are to be learned, so they have to be `nn.Parameter`s,
#   which the optimizer finds and the model saves.
#
# </details>
#
# *The equation, piece by piece.*
#
# | in the formula | your code |
# |---|---|
# | $\gamma$, as it is at first | the blank `gamma` |
# | $\mu$ | the blank `mean` |
# | $\sigma^2$ | the blank `variance` |
# | $\sqrt{\sigma^2 + \epsilon}$ | the blank `deviation` |
# | $\gamma \cdot \ldots + \beta$ | the blank `output` |
#
# *Predict, then run.* What does a new layer return for $(10, 10, 50, 50)$, ten times as much as in
# the example by hand, and what for $(7, 7, 7, 7)$?

# %% name="guess-norm"
ten_times = None  # four numbers, for instance (1, 2, 3, 4)
all_alike = None  # four numbers, too

# %% name="reveal-norm"
Norm = wb.use("LayerNorm")
norm = Norm(4)
wb.reveal(ten_times, norm(torch.tensor([10.0, 10.0, 50.0, 50.0])))
wb.reveal(all_alike, norm(torch.tensor([7.0, 7.0, 7.0, 7.0])))

# %% [markdown]
# For the first we get (-1, -1, 1, 1), as by hand before $\gamma$, because LayerNorm removes the
# level and size of a position's features and keeps their pattern. The second has no pattern, so
# only zeros remain.
#
# *The same as torch's?* (This cell is optional.) To find out, we copy your $\gamma$ and $\beta$
# into torch's own layer, where they are called `weight` and `bias`.

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
# ## One word in 40 batches
#
# LayerNorm takes its mean over the features of one position. **Batch normalization**, which you may
# know from networks for images, uses the same formula, but takes the mean over other numbers:

# %% name="norm-axes"
wb.show.norm_axes()

# %% [markdown]
# The numbers in the blue cells share one mean and one variance. **LayerNorm**, on the left, stays
# inside one position, so every word is normalized by its own features alone. **BatchNorm**, on the
# right, takes one feature and goes through all words of all sentences, padding included.
#
# To see what that changes, we take the vectors that the translator's first norm gets, and put one
# sentence, 725, into 40 real batches, each time with other number words. Then we watch one feature
# of its word "fünf", once after each norm. Before you run the cell, decide for each norm whether
# the other sentences can change even the *sign* of this feature.

# %% name="batch-norm"
words = wb.number_words
others = words.splits(1240, 0, 0, seed=5).train
watched = {"BatchNorm": [], "LayerNorm": []}
for start in range(0, 1240, 31):
    vectors, tokens = wb.translator.before_a_norm([725, *others[start : start + 31]])  # (32, T, 64)
    whole_batch = nn.BatchNorm1d(64, affine=False)(vectors.flatten(0, 1)).unflatten(
        0, vectors.shape[:2]
    )
    each_word = F.layer_norm(vectors, (64,))
    for name, normed in (("BatchNorm", whole_batch), ("LayerNorm", each_word)):
        watched[name].append(normed[0, tokens[0].index("fünf"), 4].item())
wb.show.curves(
    watched,
    title='One feature of the word "fünf" of 725, in 40 batches',
    x_label="batch",
    y_label="after the norm",
)

# %% [markdown]
# The word is the same, the sentence is the same, and BatchNorm gives it another value in every
# batch, by chance, and now and then another sign. In training, BatchNorm uses the mean and variance
# of the whole batch, while LayerNorm never looks at the rest of it, so its line is flat.
#
# So with BatchNorm, a sentence's result depends on the sentences that happen to share its batch.
# For translating, BatchNorm replaces the batch's mean and variance by running averages from
# training, which fit worse the more the batches differ. LayerNorm needs no such averages.
#
# ## What each half lacks
#
# Now the numbers have a known size, so why didn't "norm alone" learn? We go back to the four stacks
# before any training, and draw how much of the loss's gradient arrives at the input of each
# sublayer. Decide in which of the four hardly any of it will reach the first sublayer.


# %% name="gradients"
def sizes_of_gradients(stack):
    loss = F.cross_entropy(stack(points), kinds)
    sizes = [gradient.norm() for gradient in torch.autograd.grad(loss, stack.inputs)]
    return torch.arange(1, 25), torch.stack(sizes)


torch.manual_seed(2)
points, kinds = draw_points(500)
stacks = {name: Stack(join) for name, join in joins.items()}
wb.show.curves(
    {name: sizes_of_gradients(stack) for name, stack in stacks.items()},
    title="How large the gradient is that arrives at each sublayer",
    x_label="sublayer (the loss is at the right end)",
    y_label="size of the gradient",
    log_y=True,
)

# %% [markdown]
# Read each curve from right to left, the way the gradient travels. With neither half, hardly any of
# it arrives at the first sublayer, as in the table of ten layers. The add alone has the opposite
# trouble, an **exploding gradient**, which grows all the way, and arrives there about a hundred
# times as large as with both. But with the norm alone it arrives about as large as with both, so
# size can't be what this stack lacks.
#
# Does it lack a steady **direction**? A training step changes the weights a little, so it only
# helps if the gradient still points about the same way afterwards. To test that, we move every
# point by a tenth of its size, which is simpler than moving the weights and also changes what every
# layer reads. Then we compare the loss's gradient with respect to the point before and after the
# move. For that we take the **cosine similarity**, the cosine of the angle between the two. It is 1
# if the direction has stayed, and less if it has turned. Decide in which of the four stacks the
# gradient turns least, on average over the points.


# %% name="directions"
def direction_kept(stack):
    found = []
    for x in (points, moved):
        x = x.clone().requires_grad_()
        found += torch.autograd.grad(F.cross_entropy(stack(x), kinds), x)
    return F.cosine_similarity(*found, dim=1).mean()


moved = points + 0.1 * torch.randn(500, 8)
for name, stack in stacks.items():
    print(f"{name}: direction {direction_kept(stack):.2f}")

# %% [markdown]
# With the norm alone it turns most, because all of the gradient passes through 24 random layers,
# and each of them treats a neighboring point slightly differently. With the add, part of it goes
# straight. "Neither" has the steadiest direction of all, but only because each of its layers makes
# the points more alike. After the last they differ by less than a thousandth of their size, so
# moving a point changes next to nothing there. For the same reason, a change in the first sublayer
# hardly reaches the loss, either.
#
# If direction is the trouble of "norm alone", smaller steps should help, and they do. With twice as
# many steps its loss stayed at 1.39. Once these steps were also a tenth as large, it fell to about
# 1.2.
#
# Here are the numbers of all four, from one computer. (On yours, the losses will differ a little.)
#
# | | size of the gradient, at sublayer 1 | its direction | loss, at the end |
# |---|---|---|---|
# | neither | 0.000003 | 0.75 | 1.37 |
# | norm alone | 0.10 | 0.31 | 1.39 |
# | add alone | 8.9 | 0.59 | 1.16 |
# | add and norm | 0.09 | 0.69 | 0.45 |
#
# For "neither" and "add alone" the gradient's size is far off, and for "norm alone" its direction.
# Only "add and norm" starts with neither trouble. A wrong size only delays a stack here, since our
# optimizer, Adam, divides each gradient by its usual size. So with twice the steps the loss of
# "neither" fell to 0.8. A direction that turns does more harm, as "norm alone" was still at 1.39 by
# then.
#
# ## Add & norm: in which order?
#
# So a deep stack needs both halves, but in which order? The paper puts the norm last (section 3.1):
#
# $$\mathrm{LayerNorm}(x + \mathrm{Sublayer}(x))$$
#
# We call this order **post-norm**, because the norm comes after the sum. Most newer models use
# **pre-norm**, which moves the norm to the front of the sublayer and leaves the sum alone. So no
# norm lies on the straight way, and the gradient travels back along it unchanged:

# %% name="orders-drawn"
wb.show.norm_orders()

# %% [markdown]
# | | the sublayer reads | result |
# |---|---|---|
# | post-norm (the paper) | x | the norm of the sum |
# | pre-norm (`norm_first=True`) | the norm of x | the sum |
#
# The picture leaves out dropout, which in both orders acts on the sublayer's output, *before* we
# add this to the x that was passed in (section 5.4). So no dropout lies on the straight way,
# although in post-norm a norm does.
#
# ## Your turn: SublayerConnection
#
# Now fill the four blanks. `sublayer` is anything that we can call with one tensor, `(N, T, D)`,
# and that returns one of that shape, such as a function of x that calls your attention with x as
# query, key and value. For the dropout of lesson 01 there is `nn.Dropout`, which drops only in
# **train mode**, the mode that a new module is in. In **eval mode**, which `.eval()` turns on, it
# changes no number.
#
# <details><summary>The fine print</summary>
#
# - The sublayer is called once, and neither x nor what the sublayer returns is changed in place.
# - Dropout is drawn again in each call.
# - The norm is a layer normalization with a $\gamma$ and a $\beta$ of its own, yours or torch's.
#
# </details>

# %% answer="SublayerConnection"

# %% check="SublayerConnection"

# %% [markdown]
# The blanks are called `read`, `update`, `total` and `result`.

# %% name="hint-connection"
wb.hint("read")

# %% [markdown]
# *The equation, line by line.*
#
# | section 3.1 and 5.4 | your code |
# |---|---|
# | the argument of $\mathrm{Sublayer}(\ldots)$, in pre-norm | the blank `read` |
# | $\mathrm{Sublayer}(\ldots)$, with dropout | the blank `update` |
# | $x + \ldots$ | the blank `total` |
# | $\mathrm{LayerNorm}(\ldots)$ around the sum, in post-norm | the blank `result` |
#
# **Beware when you read other code.** [The Annotated
# Transformer](https://nlp.seas.harvard.edu/annotated-transformer/), a notebook from which much code
# has been copied, quotes the paper's formula and then, "for code simplicity", normalizes first. So
# don't believe the text, but find the line with the sum, and look whether the norm is outside it or
# inside the sublayer's parentheses.
#
# ## Which of them stays at 1?
#
# To see which order keeps the numbers at a known size, we send random vectors through 32 random
# linear sublayers with residuals, once without any norm, once in pre-norm, and once in post-norm.
# At the start, the vectors' standard deviation is 1. In which of the three will it stay there?
# Write your answer in place of `None`.

# %% name="guess-sizes"
stays_at_1 = None  # "no norm", "pre-norm" or "post-norm"

# %% name="reveal-sizes"
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
    ("no norm", lambda x, sublayer: x + sublayer(x)),
    ("pre-norm", pre),
    ("post-norm", post),
):
    x, sizes[label] = start, [1.0]
    with torch.no_grad():
        for sublayer in sublayers:
            x = step(x, sublayer)
            sizes[label].append(x.std().item())
wb.reveal(stays_at_1)
wb.show.curves(
    sizes,
    title="Size of x (its standard deviation) after each sublayer",
    x_label="sublayers passed",
    y_label="size",
    log_y=True,
)

# %% [markdown]
# Without a norm, x grows by the same factor again and again, while post-norm brings it back to 1
# after every sum. In pre-norm we never normalize the sum, so x grows, but slowly, because every
# sublayer reads a normalized x and adds about as much as the one before. To bring x back to a known
# size, a pre-norm stack has **one more norm at its very end**, which you'll put there in lesson 07.
#
# ## Optional: pre-norm against post-norm
#
# To find out which of the two orders learns better, we put your own `SublayerConnection` into the
# deep stack of 24 sublayers, and look at the gradients of the weights first, before any training.
# With which order will they be about equally large in all sublayers?


# %% name="gradients-of-both"
class Joined(nn.Module):
    """One of your connections for each sublayer."""

    def __init__(self, norm_first, depth=24):
        super().__init__()
        self.own = nn.ModuleList(Connection(32, 0.0, norm_first) for _ in range(depth))
        self.place = 0

    def forward(self, x, sublayer, norm):
        connection = self.own[self.place % len(self.own)]
        self.place += 1
        return connection(x, sublayer)


def sizes_in_weights(stack):
    F.cross_entropy(stack(points), kinds).backward()
    sizes = [sublayer[0].weight.grad.norm() for sublayer in stack.sublayers]
    return torch.arange(1, 25), torch.stack(sizes)


ways = {"post-norm": False, "pre-norm": True}
stacks = {name: Stack(Joined(first), first) for name, first in ways.items()}
for name, stack in stacks.items():
    print(f"{name}: direction {direction_kept(stack):.2f}")
wb.show.curves(
    {name: sizes_in_weights(stack) for name, stack in stacks.items()},
    title="How large the gradient of each sublayer's weights is",
    x_label="sublayer (the loss is at the right end)",
    y_label="size of the gradient",
)

# %% [markdown]
# In pre-norm the gradient is about equally large everywhere, while in post-norm it grows, from 0.30
# at the first sublayer to 1.8 at the last. And in post-norm its direction is less steady, at 0.69
# against 0.87, since post-norm normalizes the straight way itself.
#
# Now we train both, at three learning rates. What do you expect of each where we take large steps?

# %% name="pre-or-post"
curves, progress = {}, wb.steps(6 * 150)
for name, norm_first in ways.items():
    for rate in (0.001, 0.003, 0.01):
        stack = Stack(Joined(norm_first), norm_first)
        curves[f"{name}, rate {rate}"] = losses_of(stack, progress, rate)
wb.show.curves(curves, title="24 sublayers, pre-norm and post-norm", x_label="step", y_label="loss")

# %% [markdown]
# With small steps the two are alike. With larger ones pre-norm still learns, while post-norm hardly
# gets going, or never does.
#
# [Xiong et al. 2020](https://arxiv.org/abs/2002.04745), sections 3.3 and 3.4, blame the large
# gradients near the loss. In our stack that can't be all, since giving smaller steps to the *first*
# sublayers helped about as much as giving them to the last. Either way, post-norm needs a careful
# start with a small learning rate, the **warm-up** of lesson 09.
#
# ## Bug hunt
#
# Does a norm need the mean at all? Many of today's large models do without it, and use **RMSNorm**
# ([Zhang and Sennrich 2019](https://arxiv.org/abs/1910.07467), section 4). It subtracts no mean and
# only divides by the **root mean square**, the root of the mean of the squares, with eps under the
# root. For (1, 1, 5, 5) the mean of the squares is 13, and its root is 3.6, so we get (0.28, 0.28,
# 1.39, 1.39).
#
# The function below should do that. It runs, and its result has the right shape, but there are
# **two bugs** in it for you to find and fix. (PyTorch's own, `nn.RMSNorm` and `F.rms_norm`, are not
# accepted here.)

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Stuck? There are hints for the bug hunt, too.

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A friend leaves the residuals out of a deep stack and keeps the norms: "the
# gradient that arrives is as large as before". What does it lack all the same? And what exactly
# does a residual change about the derivative of a layer?

# %% [markdown] rubric="1"
# 1 point: size is not enough. Without residuals x and the gradient are made again by every layer,
# so that the gradient's direction holds only very near, and a step of the usual size hardly helps.
# (That without norms it would vanish exponentially with depth, too, is right, but not what was
# asked.) 1 point: with the residual the derivative of each layer is the identity plus the
# sublayer's derivative, so one path carries x and the gradient past the sublayers unchanged (but
# for the norms).

# %% [markdown] model="1"
# The gradient may be as large as before, but its direction is right only for very small steps,
# because every layer has made x and the gradient again; so a step of the usual size hardly lowers
# the loss. With a residual, the derivative of a layer is the identity plus the derivative of the
# sublayer. So there is always one path past the sublayers, on which x and the gradient pass
# unchanged, but for the norms.

# %% [markdown] question="2" points="2"
# **Question 2.** You read the line `x = x + dropout(attention(norm(x)))` in code whose README says
# "post-norm, as in the paper". Who is right? And what would you expect to find at the end of the
# stack, and why?

# %% [markdown] rubric="2"
# 1 point: the code is pre-norm: the norm is applied to what the sublayer reads, and the sum is not
# normalized; the paper normalizes the sum. 1 point: one last norm after the last layer, because
# in pre-norm nothing normalizes the sum, which grows with depth.

# %% [markdown] model="2"
# The README is wrong: the norm is applied to what the sublayer reads, and nothing normalizes the
# sum, so this is pre-norm. The paper normalizes the sum. At the end of the stack I expect one more
# norm, because in pre-norm the sum grows from layer to layer, and nothing else would bring it back
# to a fixed size.

# %% [markdown]
# ## In its place
#
# You have the frame that holds every sublayer of the Transformer, lets gradients through, and keeps
# numbers at a known size. Now we put your two parts around each of the translator's ten sublayers:

# %% name="with-yours"
wb.translator.with_yours("LayerNorm", "SublayerConnection", sentences=(8, 634, 15092))

# %% [markdown]
# We still need one more kind of sublayer, the **feed-forward network**. Lesson 04 begins with a
# translator whose six attention layers all work, while the networks after them are switched off.
# Before you open it, guess whether 54 will come out right, and whether 725 will.

# %% name="progress"
wb.progress()
