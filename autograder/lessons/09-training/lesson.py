# %% [markdown]
# ## Drawn at random
#
# Every part of the translator is in its place, but now its weights are those of a new model, drawn
# at random. What will it write for 7?

# %% name="before-training"
wb.translator.compare(7, 725, without="training")

# %% [markdown]
# Your own model would write something like that now. The two columns differ only by **training**,
# on 20,000 numbers with their translations, each seen twelve times. (Yours will get 8000.) We never
# gave the translator a grammar, a dictionary or a rule.
#
# ## What you will be able to do
#
# - say what teacher forcing is, and which token each position reads and predicts,
# - write a step of training, and say why its parts come in that order,
# - measure a model without fooling yourself, and recognize one that only looks perfect,
# - write the loss and the learning rate of
#   [Attention Is All You Need](https://arxiv.org/abs/1706.03762) (sections 5.4 and 5.3),
# - train your own Transformer to translate German number words, in half a minute to four minutes.
#
# It takes about 90 minutes, without the folded parts and what we call optional. Within the first
# quarter of an hour, your model translates its first sentences, and all that follows makes it
# better.

# %% quick="training"
import dataclasses

# As many steps of a quarter of the size, and one epoch of twelve.
small, all_of_it = wb.number_words, wb.number_words.splits
small.LESSON = dataclasses.replace(small.LESSON, train=1600, epochs=1, batch_size=16)
small.Batches.__init__.__defaults__ = (16, 0, None)
small.splits = lambda train, validation, test, seed=0: all_of_it(
    min(train, 1600), min(validation, 60), min(test, 60), seed
)

# %% [markdown]
# *Where it sits.* Your model is complete, but it hasn't learned anything yet, and the outlined box
# beside Figure 1 changes that.

# %% name="where-it-sits"
wb.progress(current=["shift_right", "train_step", "evaluate", "LabelSmoothing", "noam_lr"])

# %% [markdown]
# ## Teacher forcing
#
# A decoder writes a translation token by token, and each token follows from those before it. To
# *learn* that, we could let it write, and correct it at the end. But then one wrong token at the
# start could spoil everything after it, and every token would have to wait for the one before.
#
# In training we avoid both, because we let the decoder read the **right** translation, whatever it
# would have written itself, and it has to predict at each position what comes next. We call that
# **teacher forcing**. With it, all positions learn at once, since the mask of lesson 06 keeps each
# from seeing the token that it has to predict.
#
# Suppose that the right translation is `<bos> seven hundred five <eos>`. On the left, the upper row
# is what the decoder reads, and the lower row, the **labels**, what it has to predict. The pale
# half shows what it might read if we let it write and it began with `eight`:

# %% name="teacher-forcing-drawn"
wb.show.teacher_forcing()

# %% [markdown]
# In training, both rows are windows of one sentence, shifted by one, and that's what Figure 1 means
# by "(shifted right)" below the outputs.
#
# *Predict now. The answer comes after the exercise.* `tgt` has the shape `(2, 6)`, two targets with
# their start and end tokens, and no padding. Which shape do the labels have, and how many
# predictions does the loss average over?

# %% name="guess-labels"
labels_shape = None  # for instance (1, 2)
how_many = None  # a number

# %% [markdown]
# ## Your turn: shift_right
#
# Rows are sentences, columns are positions, and you shift padding like everything else, since the
# loss will ignore it.

# %% answer="shift_right"

# %% check="shift_right"

# %% [markdown]
# Stuck? The blanks are called `decoder_input` and `labels`.

# %% name="hint-shift"
wb.hint("labels")

# %% name="reveal-labels"
shift = wb.use("shift_right")
reads, says = shift(torch.tensor([[1, 7, 8, 9, 4, 2], [1, 5, 6, 3, 4, 2]]))
wb.reveal(labels_shape, tuple(says.shape))
wb.reveal(how_many, says.numel())

# %% [markdown]
# ## First, five sentences
#
# Before we train a model for long, we train it for a few seconds on **five sentences**, which it
# must learn by heart. If it doesn't, something is broken, and more training wouldn't have helped.
#
# We take German number words, and translate them to English. Training repeats one step many times,
# and you'll write that step in a moment. Until then `wb.use` gives you the course's `train_step`:

# %% name="five-sentences"
# The underscore keeps `train_step_` apart from the function that you'll write.
make_model, train_step_ = wb.use("make_model", "train_step")
words = wb.number_words
for number in (7, 21, 725, 4013, 99999):
    print(" ".join(words.german_tokens(number)), "→", words.english(number))

pairs = [words.pair(number) for number in (7, 21, 725, 4013, 99999)]
src, tgt = (words.pad(list(side)) for side in zip(*pairs, strict=True))
print("source", tuple(src.shape), "target", tuple(tgt.shape))

# %% [markdown]
# For now we take torch's **cross-entropy** as the loss, the mean of $-\ln p$ over all tokens but
# padding, where $p$ is the probability of the right token (lesson 03).
#
# *Predict, then run.* What loss does a model have that thinks all 34 tokens of the English
# vocabulary **equally likely**? A new model's loss, before its first step, shouldn't be far from
# that.

# %% name="guess-first-loss"
first_loss = None


# %% name="overfit"
def cross_entropy(log_probs, labels):
    """The mean over all real tokens of minus the log-probability of the right one."""
    return F.cross_entropy(log_probs.flatten(0, 1), labels.flatten(), ignore_index=words.PAD)


small = {"d_model": 32, "num_heads": 4, "num_layers": 1, "d_ff": 64}


def learn_by_heart(step):
    """A new model after 80 steps on the five sentences, and the loss of each step."""
    torch.manual_seed(0)
    model = make_model(len(words.GERMAN), len(words.ENGLISH), dropout=0.0, **small)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    return model, [step(model, (src, tgt), cross_entropy, optimizer) for _ in range(80)]


model, by_heart = learn_by_heart(train_step_)
wb.reveal(first_loss)
print(f"first loss {by_heart[0]:.2f}, last loss {by_heart[-1]:.4f}")
wb.show.curves(
    {"loss": by_heart}, title="Five sentences, by heart", x_label="step", y_label="loss", log_y=True
)

# %% [markdown]
# The last loss comes near 0, so your model can learn. (A model with a leaking mask would get there,
# too, so a loss near 0 doesn't say whether the masks work.) The first loss lies near that of pure
# guessing, usually a little above, because a new model prefers some tokens at random. Being wrong
# with some confidence costs more than having none. If the first loss were several times as high,
# we'd look for a mistake.
#
# Now we let your model translate, with a function that you'll write in the next lesson. It has
# never seen the last three of these numbers:

# %% name="first-translations"
greedy_decode = wb.use("greedy_decode")
for number in (7, 21, 725, 4013, 99999, 54, 721, 4021):
    print(f"{words.german(number)} → {words.translate(model, number, greedy_decode)}")

# %% [markdown]
# Your Transformer has learned five sentences, which it recites without a mistake, and it answers
# the other numbers with one of the five, or with pieces of them. A model that knows its examples by
# heart and fails on others is **overfitting**, and here we aimed for that. Before we give it more
# sentences, we look into the steps that taught it these five.
#
# ## One step
#
# What did each of these 80 steps do? Always the same seven things, in this order:
#
# 1. **zero**: `backward` *adds* to the gradients that are there, so those of the step before have
#    to go.
# 2. **forward**: the model reads the source and the right tokens so far, and returns
#    log-probabilities. (Yours returns them already. Others return logits, so `train_step` takes the
#    log-softmax, which changes nothing where the probabilities already sum to 1.)
# 3. **loss**: it compares the predictions with the labels.
# 4. **backward**: each parameter gets its gradient.
# 5. **clip**: now and then one odd batch gives a huge gradient. We see all gradients together as
#    one long vector, and shrink it if its **norm**, its length, exceeds `max_norm`. This has to
#    wait for `backward`, and it is too late after the step.
# 6. **step**: the optimizer moves the weights.
# 7. **schedule**: the **learning rate**, which says how far the weights move, changes after the
#    optimizer has used it. (In these 80 steps it stayed the same.)
#
# *Predict.* We could swap two neighbors in this list, and the weights would come out the same.
# Which two?
#
# Now we leave out **zero**, and call `backward` three times on $3w$, whose gradient is 3. What will
# the last line say?

# %% name="gradients-add-up"
w = torch.ones(1, requires_grad=True)
for _ in range(3):
    (3 * w).backward()
    print(w.grad)

# %% [markdown]
# The gradients add up, so without **zero** each step still pulls in the direction of all steps
# before. Only `backward` adds to them, so we could swap **zero** with **forward**.
#
# ## Your turn: train_step
#
# `batch` is a pair of source and target. `loss_fn(log_probs, labels)` returns the average over the
# real tokens. Clip *all* of the model's gradients together (`clip_grad_norm_` takes the parameters
# and shrinks their gradients), and return the loss as a plain float, because a tensor would keep
# the graph behind it in memory.
#
# <details><summary>The fine print</summary>
#
# - The model comes in train mode (dropout is on) and is trained in it.
# - A `scheduler` of None has no schedule to move on.
# - The check brings a tiny model of its own, which returns logits, and takes two steps with plain
#   gradient descent.
#
# </details>

# %% answer="train_step"

# %% check="train_step"

# %% [markdown]
# Stuck? The blanks are called `log_probs`, `loss`, `clip` and `result`.

# %% name="hint-step"
wb.hint("log_probs")

# %% [markdown]
# Now a model learns the five sentences once more, from the same seed, but with *your* step. Which
# last loss do you expect?

# %% name="with-your-step"
train_step_ = wb.use("train_step")
model, losses = learn_by_heart(train_step_)
print(f"last loss {losses[-1]:.4f}, before {by_heart[-1]:.4f}")
print(f"{words.german(725)} → {words.translate(model, 725, greedy_decode)}")

# %% [markdown]
# The same start and the same steps lead to the same loss, so your step does what the course's did,
# and from here on we train with yours. To translate numbers that it has never seen, a model needs
# more than five sentences, and we need a measure of how far it has come.
#
# ## Measure
#
# The loss on the batches that a model learns from, its **training loss**, says how well it
# remembers, but we need its loss on **unseen** sentences. To measure that, we put the model in
# **eval mode**, which switches dropout off, and record no gradients. Then we turn the losses of
# many batches into one number, and there a mistake waits.
#
# *Predict now. The answer comes after the exercise.* A first batch has 2 real tokens and an average
# loss of 3. A second one has 8 real tokens and an average loss of 1. What is the average loss per
# token?

# %% name="guess-mean"
per_token = None

# %% [markdown]
# ## Your turn: evaluate
#
# `batches` is a list of pairs, and `loss_fn` gives the average over the real tokens of one batch.
# `model.pad_id` tells you which labels are real, namely all except that token. The result is a
# plain float, as in `train_step`.
#
# <details><summary>The fine print</summary>
#
# - Leave the model in the mode in which you found it, since the training that continues will not
#   set the mode again. (The lines under `finally` run even after an error.)
#
# </details>

# %% answer="evaluate"

# %% check="evaluate"

# %% [markdown]
# Stuck? The blanks are called `eval_log_probs`, `real`, `total` and `mean`.

# %% name="hint-evaluate"
wb.hint("real")

# %% name="reveal-mean"
wb.reveal(per_token)

# %% [markdown]
# Much published code averages over batches, so its result depends on which sentences happened to
# share a batch.
#
# <details><summary>The same mistake in training</summary>
#
# Where a batch is too large for the memory, we can let `backward` add up the gradients of four
# quarters of it, and step once, which is called **gradient accumulation**. But then we have to
# weight each quarter's loss by its share of the batch's **real tokens**. If we divide each by 4
# instead, a token counts more in a quarter of short sentences than in one of long ones. (A widely
# used library did just that [until 2024](https://github.com/huggingface/transformers/pull/34191).)
#
# </details>
#
# ## Between guessing and knowing
#
# A loss also means something between that of pure guessing and 0. Imagine three writers who never
# look at the German. The first knows nothing. The second knows how *frequent* each English word is.
# The third also knows which word was written *just before*. The loss of each is again the mean of
# $-\ln p$, where $p$ is 1/34 for the first, and counted in the training data for the others. Before
# you run it, how far do you think the third one gets, from the 3.53 of the first? (You need not
# read the code.)

# %% name="three-writers"
from collections import Counter
from itertools import pairwise

alone, pairs_of_two, before = Counter(), Counter(), Counter()
for number in words.LESSON.splits().train:
    for first, then in pairwise(words.pair(number)[1]):
        alone[then] += 1
        pairs_of_two[first, then] += 1
        before[first] += 1
count = sum(alone.values())
frequent = -sum(n / count * math.log(n / count) for n in alone.values())
last_word = -sum(n / count * math.log(n / before[word]) for (word, _), n in pairs_of_two.items())
print(f"knows nothing:                 {math.log(len(words.ENGLISH)):.2f}")
print(f"knows how frequent words are:  {frequent:.2f}")
print(f"and which word came before:    {last_word:.2f}")

# %% [markdown]
# The second and the third writer are called a **unigram** and a **bigram model**. A model first
# learns just what they know, which words are frequent, and then which word follows which. But
# without reading the German it can't come near 0, so in the next picture these numbers tell us what
# a model has learned.
#
# ## What if we don't shift the labels?
#
# In published examples you'll meet labels that aren't shifted. Then each prediction is compared
# with the token that the decoder has *read* at its position. Which model will have the lower loss
# on unseen numbers, one with shifted labels or one without?
#
# Below, we train two models alike on 3000 number words, except that their labels differ. We measure
# them on numbers that they've never seen, and draw the losses of the second and the third writer
# beside them. Guess, too, after how many steps the model with shifted labels falls below each of
# these lines. (It takes a few seconds to a minute, and you need not read the rest of the code.)

# %% quick="few-numbers"
some_of_it = words.splits
words.splits = lambda *counts: all_of_it(320, 60, 60)

# %% name="not-shifted"
evaluate_ = wb.use("evaluate")


def not_shifted(model):
    """A loss with a mistake: it compares each prediction with the token that was read there."""
    forward = model.forward

    def remember(src, tgt):
        model.just_read = tgt
        return forward(src, tgt)

    model.forward = remember
    return lambda log_probs, labels: cross_entropy(log_probs, model.just_read)


numbers = words.splits(3000, 200, 300)
unseen = list(words.Batches(numbers.validation, 200))
batches = words.Batches(numbers.train)
progress = wb.steps(2 * 4 * len(batches))
models, measured = {}, {}
ways = (("labels shifted", lambda model: cross_entropy), ("not shifted", not_shifted))
for name, loss_of in ways:
    torch.manual_seed(0)
    model = make_model(len(words.GERMAN), len(words.ENGLISH), dropout=0.0, **small)
    loss_fn = loss_of(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    models[name], measured[name] = model, []
    for epoch in range(4):
        for (step, batch), _ in zip(enumerate(batches(epoch)), progress, strict=False):
            if step % 12 == 0:
                measured[name].append(evaluate_(model, unseen, loss_fn))
            train_step_(model, batch, loss_fn, optimizer)
steps = torch.arange(len(measured["labels shifted"])) * 12
for name, loss in (("frequent words", frequent), ("and the word before", last_word)):
    measured[name] = [loss] * len(steps)
wb.show.curves(
    {name: (steps, torch.tensor(values)) for name, values in measured.items()},
    title="Loss per token on unseen numbers, with teacher forcing",
    x_label="step",
    y_label="loss",
)

# %% [markdown]
# Within a dozen steps the model with shifted labels is below the writer who knows how frequent
# words are, and within 25 below the one who also knows the word before. No writer who knows only
# the word before gets lower than that. All words before would help a little more, but only the
# German says which digit comes next, so to get far below, the model has to read it.
#
# The other model, whose labels aren't shifted, is far ahead. Which of the two would you hand in?
# Before you decide, let both **write by themselves**, from the source alone:

# %% name="copy-decodes"
for name, model in models.items():
    print(f"{name}: {words.exact_match(model, numbers.test, greedy_decode):.0%} right")
    for number in numbers.test[:4]:
        said = words.translate(model, number, greedy_decode)
        print(f"   {words.english(number)}")
        print(f"      →  {said or '(nothing)'}")

# %% [markdown]
# The model without shifted labels only had to copy the token that it reads, and that's easily
# learned. When it writes by itself, it reads the start token, predicts the start token, and so on
# until it runs out of room. The other one still makes mistakes, but it translates about half of the
# numbers or more. (We got 45 to 71%, by the seed.)
#
# A loss near 0 was right for five sentences, but on unseen ones, so early, it should make us
# suspicious. **So don't trust a very good loss until the model has written by itself.** A mask that
# leaks (lesson 06), labels that are not shifted, and a decoder that reads its own labels all look
# like this.
#
# Now that training works, we change its loss and its learning rate, and measure each time.
#
# ## Never quite sure
#
# At each position the model gives a probability to every token of the vocabulary, and cross-entropy
# asks for 1 for the right token and 0 for all others. But a softmax never quite gets there, so the
# model pushes its logits further and further apart. On unseen sentences that makes it
# **overconfident**, ever more certain even where it is wrong.
#
# So the paper trains with a little doubt, $\epsilon_{ls} = 0.1$, which is called **label
# smoothing** (section 5.4). Which tokens get that 0.1 of the probability? The paper leaves that
# open, but in the work that it cites ([Szegedy et al. 2016](https://arxiv.org/abs/1512.00567),
# section 7), every token gets an equal part. Here we follow the Annotated Transformer, where the
# right token gives $\epsilon_{ls}$ away and the others share it, all but **padding**, which is
# never predicted.
#
# *By hand.* We take a vocabulary of 6, `<pad> <bos> <eos> seven hundred five`, where `hundred` is
# the right token:
#
# | | `<pad>` | `<bos>` | `<eos>` | `seven` | `hundred` | `five` |
# |---|---|---|---|---|---|---|
# | target | 0 | 0.025 | 0.025 | 0.025 | 0.9 | 0.025 |
#

# %% name="smoothed-target"
tokens = ["<pad>", "<bos>", "<eos>", "seven", "hundred", "five"]
wb.show.smoothed_target(tokens, "hundred", "<pad>")

# %% [markdown]
# To say how far the model is from that target, we take the **Kullback-Leibler divergence**, with
# $q$ for the target and $p$ for the model:
#
# $$D(q \parallel p) = \sum_i q_i \, (\ln q_i - \ln p_i)$$
#
# It is 0 if the model predicts exactly the target, and larger otherwise. A token with $q_i = 0$
# drops out of the sum. If our model thinks all six tokens equally likely, $p_i = 1/6$, then we get
# $0.9 \ln(0.9 \cdot 6) + 4 \cdot 0.025 \ln(0.025 \cdot 6) = 1.518 - 0.190 = 1.328$.
#
# For the loss of a batch we average over its **real** tokens, because we don't ask for a prediction
# where the target is padding.
#
# ## Your turn: LabelSmoothing
#
# `forward` first puts all positions of all sentences one after another, M of them. For each it
# makes one row of the table above, into which `scatter_` writes a number at the place of the right
# token. Then it compares, and averages.
#
# To compare, you have `F.kl_div(input, target, reduction=...)`, which computes the terms of the sum
# above. Its input is log-probabilities and its target probabilities, and with `reduction="none"`
# all terms stay apart. It takes 0 · ln 0 as 0, where the formula in code gives nan.
#
# <details><summary>The fine print</summary>
#
# - The result is a tensor with one number and no axes, so that `backward` can start from it.
# - A batch may have no padding at all. A batch of padding alone has a loss of 0, and a gradient of
#   0. `backward` has to work there, too, and it raises an error at a new `torch.tensor(0.0)`.
# - The labels that `shift_right` gives are not contiguous, so `view(-1)` refuses them, and
#   `reshape(-1)` does not.
# - `pad_id` may be any token.
#
# </details>

# %% answer="LabelSmoothing"

# %% check="LabelSmoothing"

# %% [markdown]
# Stuck? The blanks are called `share`, `confidence`, `divergence`, `masked` and `average`.

# %% name="hint-smoothing"
wb.hint("share")

# %% [markdown]
# The formula, line by line:
#
# | label smoothing | your code |
# |---|---|
# | what each wrong token gets of $\epsilon_{ls}$ | the blank `share` |
# | $1 - \epsilon_{ls}$ | the blank `confidence` |
# | $D(q \parallel p)$, for each position | the blank `divergence` |
# | no padding in the sum | the blank `masked` |
# | per real token | the blank `average` |
#
# Suppose the model gives the right token the probability $p$, and the rest to all others alike. At
# which $p$ will the loss be lowest, with a smoothing of 0, of 0.1 and of 0.3?

# %% name="loss-by-confidence"
Smoothing = wb.use("LabelSmoothing")
confidence = torch.linspace(0.3, 0.999, 200)
rest = (1 - confidence) / 4
guesses = torch.stack([rest, rest, confidence, rest, rest], dim=1)  # of five real tokens
log_probs = torch.cat([torch.full((200, 1), 1e-9), guesses], dim=1).log()
losses = {}
for smoothing in (0.0, 0.1, 0.3):
    criterion = Smoothing(6, pad_id=0, smoothing=smoothing)
    values = [criterion(row[None], torch.tensor([3])).item() for row in log_probs]
    losses[f"smoothing {smoothing}"] = (confidence, torch.tensor(values))
wb.show.curves(
    losses,
    title="The loss, by the probability of the right token",
    x_label="probability of the right token",
    y_label="loss",
)

# %% [markdown]
# Without smoothing more certainty always helps. With smoothing, the loss falls to 0 where the model
# is as certain as the target, at 0.9 or 0.7, and rises steeply beyond, so it punishes a model that
# is too sure. The paper reports that smoothing makes **perplexity** (e to the mean of $-\ln p$)
# worse, but translations better (section 5.4).
#
# We trained the translator with a smoothing of 0.1. Before you run the cell, how sure will it be of
# the next word, where only one is right?

# %% name="how-sure"
for so_far in ("", "seven", "seven hundred", "seven hundred twenty"):
    word, probability = wb.translator.next_words(725, so_far)[0]
    print(f"{so_far or '(nothing yet)':22} → {word:8} {probability:.2f}")

# %% [markdown]
# Each probability is close to the 0.9 of the targets, so the translator is right, and never quite
# sure.
#
# *The same as torch's?* (This cell is optional.) Without smoothing it is. With smoothing it is not
# quite, because torch's `label_smoothing` follows Szegedy, so every token shares the doubt, and
# because it gives a cross-entropy, which with smoothing is never 0. But the gradients are nearly
# the same.

# %% name="compare-with-torch"
torch.manual_seed(0)
log_probs, target = torch.randn(2, 5, 6).log_softmax(dim=-1), torch.tensor([[3, 1, 5, 2, 0]] * 2)
for smoothing in (0.0, 0.1):
    mine = Smoothing(6, pad_id=0, smoothing=smoothing)(log_probs, target)
    torchs = F.cross_entropy(
        log_probs.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=smoothing
    )
    print(f"smoothing {smoothing}: yours {mine:.4f}, torch's {torchs:.4f}")

# %% [markdown]
# Does label smoothing help? We train the model from above once more, from the same seed, and change
# nothing but the loss. So that we can compare the two, we measure both by cross-entropy without
# smoothing.

# %% name="with-smoothing"
torch.manual_seed(0)
smooth = make_model(len(words.GERMAN), len(words.ENGLISH), dropout=0.0, **small)
criterion = Smoothing(len(words.ENGLISH), words.PAD, smoothing=0.1)
optimizer = torch.optim.Adam(smooth.parameters(), lr=0.005)
progress = wb.steps(4 * len(batches))
for epoch in range(4):
    for batch, _ in zip(batches(epoch), progress, strict=False):
        train_step_(smooth, batch, criterion, optimizer)
compared = {"plain cross-entropy": models["labels shifted"], "label smoothing": smooth}
for name, learner in compared.items():
    loss = evaluate_(learner, unseen, cross_entropy)
    right = words.exact_match(learner, numbers.test, greedy_decode)
    print(f"trained with {name}: loss {loss:.2f} on unseen numbers, {right:.0%} right")

# %% [markdown]
# The loss got worse, because the model keeps a doubt that cross-entropy punishes, but, as the paper
# reports, the translations got better. In our runs we got:
#
# | right | one seed | a second | a third |
# |---|---|---|---|
# | without smoothing | 64% | 45% | 65% |
# | with smoothing | 74% | 58% | 68% |
#
# One pair alone wouldn't have shown that, and yours may even show the opposite, because two seeds
# may differ by more than the smoothing gains.
#
# ## A learning rate that rises and falls
#
# How far should a step go? So far we've left that to the optimizer **Adam** ([Kingma and Ba
# 2015](https://arxiv.org/abs/1412.6980), sections 2 and 3), with the same learning rate throughout.
# For each weight Adam keeps two running averages. The average of the gradients, the **momentum**,
# smooths out the noise of single batches. The root of the average of their squares says how large
# they usually are. The step is the momentum divided by that root, times the learning rate, so all
# weights move about equally far.
#
# <details><summary>betas, eps and the bias correction</summary>
#
# `betas` says how much of each average is kept from step to step, and `eps` keeps Adam from
# dividing by zero. Since both averages begin at 0 and stay too small at first, Adam divides them by
# $1 - \beta^{step}$, its **bias correction**.
#
# </details>
#
# At the start, while the weights are random, the gradients tell little about what will help later,
# so large steps then do lasting harm. Large steps taken later help, and at the end small ones let
# the weights settle. So we want small steps, then large ones, then small ones again. The paper's
# rate (Eq. 3), known as the **Noam schedule**, gives them, and begins with a rise, the **warm-up**:
#
# $$\mathrm{lrate} = d_{\mathrm{model}}^{-0.5} \cdot
# \min(\mathrm{step}^{-0.5},\; \mathrm{step} \cdot \mathrm{warmup}^{-1.5})$$
#
# *By hand.* With a width of 4 and a warm-up of 4 steps (so small that we can follow), $4^{-0.5} =
# 0.5$ and $4^{-1.5} = 0.125$:
#
# | step | $\mathrm{step}^{-0.5}$ | $\mathrm{step} \cdot 0.125$ | the smaller | rate |
# |---|---|---|---|---|
# | 1 | 1 | 0.125 | 0.125 | 0.0625 |
# | 2 | 0.707 | 0.25 | 0.25 | 0.125 |
# | 4 | 0.5 | 0.5 | 0.5 | 0.25 |
# | 16 | 0.25 | 2 | 0.25 | 0.125 |
#
# *Predict now. The answer comes after the exercise.* With the paper's 4000 steps of warm-up, at
# which step is the rate highest, and how many times lower is it at step 9000?

# %% name="guess-rate"
highest_at = None
times_lower = None

# %% [markdown]
# ## Your turn: noam_lr
#
# Steps count from 1; step 0, with which PyTorch's schedulers begin, is taken as step 1. `factor` (1
# in the paper) scales everything, and the result is a plain float.

# %% answer="noam_lr"

# %% check="noam_lr"

# %% [markdown]
# Stuck? The blanks are called `rise`, `fall` and `rate`.

# %% name="hint-rate"
wb.hint("rise")

# %% [markdown]
# | Eq. 3 | your code |
# |---|---|
# | $\mathrm{step} \cdot \mathrm{warmup}^{-1.5}$ | the blank `rise` |
# | $\mathrm{step}^{-0.5}$ | the blank `fall` |
# | $d_{\mathrm{model}}^{-0.5} \cdot \min(\ldots)$ | the blank `rate` |

# %% name="reveal-rate"
rate_of = wb.use("noam_lr")
rates = {step: rate_of(step, 512) for step in range(1, 20001)}
wb.reveal(highest_at, max(rates, key=rates.get))
wb.reveal(times_lower, round(max(rates.values()) / rates[9000], 2))

# %% name="schedule"
wb.show.noam_explorer(yours=rate_of)

# %% [markdown]
# Your curve lies on the paper's. A straight line rises, a slow curve falls, and they meet at the
# end of the warm-up. If you move the sliders, you see that a longer warm-up makes the peak lower,
# and later, while a wider model makes everything lower.
#
# ### What if the rate stays the same?
#
# (This experiment is optional.) We give the model 64 features this time, and let it learn for 200
# steps, three times from the same start. The first time it follows your schedule, with a warm-up of
# 60 steps. The second time it keeps the highest rate throughout, and the third time a tenth of
# that. Which one do you expect to come last? This takes ten seconds to two minutes.

# %% quick="more-numbers"
words.splits = some_of_it

# %% name="warm-up"
setting = words.LESSON
numbers = setting.splits()
highest = rate_of(60, 64, 60, 0.5)
ways = {
    "your schedule": lambda step: rate_of(step, 64, 60, 0.5),
    "highest from the start": lambda step: highest,
    "a tenth of it": lambda step: highest / 10,
}
curves, progress = {}, wb.steps(3 * 200)
for name, way in ways.items():
    wb.seed_everything(1)
    learner = make_model(len(words.GERMAN), len(words.ENGLISH), **{**setting.sizes, "d_ff": 128})
    loss_fn = Smoothing(len(words.ENGLISH), words.PAD, setting.smoothing)
    optimizer = torch.optim.Adam(learner.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done, way=way: way(done + 1))
    batches = [batch for epoch in (0, 1) for batch in words.Batches(numbers.train[:6400])(epoch)]
    losses = [
        train_step_(learner, batch, loss_fn, optimizer, scheduler)
        for batch, _ in zip(batches, progress, strict=False)
    ]
    curves[name] = (torch.arange(5, 201, 10), torch.tensor(losses).view(20, 10).mean(dim=1))
    right = words.exact_match(learner, numbers.test[:300], greedy_decode)
    print(f"{name}: {right:.0%} of 300 unseen numbers are right")
wb.show.curves(
    curves, title="Training loss, each point the mean of ten steps", x_label="step", y_label="loss"
)

# %% [markdown]
# With the highest rate from the start, the model is even ahead for about fifty steps. Then it falls
# behind, since its large first steps have thrown the random weights to a place from which the model
# learns slowly. Small steps are safe but slow, so the schedule wins. With several seeds, we got:
#
# | rate | right, of the unseen numbers |
# |---|---|
# | your schedule | 72 to 85% |
# | its highest rate throughout | 1 to 10% |
# | a tenth of that | 22 to 35% |
#
# <details><summary>Why are the first steps dangerous?</summary>
#
# Adam divides by the usual size of a gradient, which it has to guess at first from a handful of
# batches ([Liu et al. 2020](https://arxiv.org/abs/1908.03265), section 3, take this for the cause).
# [Ma and Yarats 2021](https://arxiv.org/abs/1910.04209) doubt it, and point to the steps
# themselves. The very first one moves every weight by the full learning rate, while later ones are
# shorter, because gradients of changing sign cancel in the momentum. And in a deep post-norm stack
# the loss is steepest in the last layers (lesson 03), where a step of the same length does most
# harm.
#
# </details>
#
# ## Now for real
#
# Your **training set** has 8000 numbers. Of the others, 500 are there to validate on and 2000 to
# test on, with no overlap. With one layer of 64 features, the model has about 120 thousand
# parameters. `wb.fit` only repeats your `train_step`, 1500 times, and calls your `evaluate` after
# each **epoch**, one round through the data. All of that takes half a minute to four minutes.
#
# This is how `wb.fit` joins Adam and your `noam_lr`, with the paper's numbers for Adam (section
# 5.3), a warm-up of 400 steps and a factor of 0.5. `LambdaLR` multiplies `lr` by what your function
# returns:
#
# ```python
# optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
# scheduler = torch.optim.lr_scheduler.LambdaLR(
#     optimizer, lambda done: noam_lr(done + 1, 64, 400, 0.5)
# )
# ```

# %% name="train"
setting = words.LESSON
numbers = setting.splits()
wb.seed_everything(0)
model = make_model(len(words.GERMAN), len(words.ENGLISH), **setting.sizes)
run = wb.fit(
    model,
    words.Batches(numbers.train, setting.batch_size),
    epochs=setting.epochs,
    train_step=train_step_,
    loss_fn=Smoothing(len(words.ENGLISH), words.PAD, setting.smoothing),
    noam_lr=rate_of,
    evaluate=evaluate_,
    validation=list(words.Batches(numbers.validation)),
    warmup=setting.warmup,
    factor=setting.factor,
)

# %% [markdown]
# The loss on unseen numbers comes out *lower* than the training loss. That's no mistake, because
# with dropout only part of the model is active while it learns, but we measure the whole model.
#
# How many of the 2000 unseen numbers does your model translate without a single mistake?

# %% name="exact-match"
right = words.exact_match(model, numbers.test, greedy_decode)
print(f"{right:.2%} of {len(numbers.test)} unseen numbers")
for number in numbers.test[:5]:
    print(words.german(number))
    print("   →", words.translate(model, number, greedy_decode))

# %% [markdown]
# It has never seen any of these numbers. (We got 99.85% to 100%, by the seed.)
#
# Did it need both your label smoothing and your schedule? We stopped half-way, after 750 steps, and
# measured all four combinations, with one seed:
#
# | loss | learning rate | right, of 2000 |
# |---|---|---|
# | cross-entropy | 0.001 throughout | 99.35% |
# | label smoothing | 0.001 throughout | 99.55% |
# | cross-entropy | your schedule | 99.65% |
# | label smoothing | your schedule | 99.50% |
#
# The four lie at most six numbers of 2000 apart, so we can't tell anything from one seed. In the
# optional experiment above, of only 200 steps, the schedule decided, but with enough steps, a small
# constant rate and plain cross-entropy get there as well. In lesson 11 we ask the same question
# again, on real sentences.

# %% name="keep"
print("kept in", wb.save_weights(model, "number_words.safetensors"))

# %% [markdown]
# ## Bug hunt
#
# We took `clip_grad_norm_` ready-made, and the function below does the same by hand, for a list of
# gradients. Their common length is that of one long vector with all their numbers. For $(3, 4)$ it
# is 5, so with `max_norm=1` the gradient becomes $(0.6, 0.8)$, while with `max_norm=10` it stays as
# it is. The function runs, but there are **two bugs** in it for you to find and fix. (Here the
# check accepts neither PyTorch's `clip_grad_norm_` nor the functions that it is made of.)

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** With teacher forcing the decoder reads the right translation, never its own. What
# is gained by that? And what does the model meet, when it writes by itself, that it has never seen
# in training?

# %% [markdown] rubric="1"
# 1 point: all positions are trained at once, in one pass (the causal mask makes that honest), and
# one early mistake does not spoil the rest of the sentence. 1 point: in decoding it reads its own
# output, mistakes included; in training what came before was always right, so it has not learned to
# continue after a mistake (exposure bias), and one error can lead to more.

# %% [markdown] model="1"
# All positions of a sentence are trained in one pass, which the causal mask makes honest, and an
# early mistake does not spoil the rest of the sentence. When the model writes by itself, it reads
# its own output, mistakes included. In training everything before a position was right, so it has
# never learned to continue after a mistake, and one error can lead to more.

# %% [markdown] question="2" points="2"
# **Question 2.** After one minute a friend's model has a loss of 0.001 in training, and the same on
# unseen sentences. Its translations are nonsense. Name two mistakes that would explain it, and a
# quick test for one of them.

# %% [markdown] rubric="2"
# 1 point: two of: a target mask that does not hide the future; labels that are not shifted (a
# position compared with itself); a decoder that reads the labels. 1 point: a test that fits, such
# as: change a later token of the target and see whether an earlier output changes; print what each
# position reads and has to predict, side by side; let the model write by itself after a few steps.

# %% [markdown] model="2"
# Either the target mask does not hide the future, or the labels are not shifted, so that each
# position is compared with the token it has just read. In both cases the model copies. To test the
# mask, change a later token of the target and see whether an earlier output changes. To test the
# labels, print what each position reads beside what it has to predict.

# %% [markdown]
# ## In its place
#
# Your training fits on one page, and your own Transformer has learned German number words with it.
# We take the pair of numbers from the beginning of the lesson once more (both are among its 8000),
# and this time the weights are yours:

# %% name="in-its-place"
for number in (7, 725):
    print(f"{words.german(number)} → {words.translate(model, number, greedy_decode)}")

# %% [markdown]
# We borrowed the function that wrote these translations. In lesson 10 you write this **decoding**
# yourself, first with the likeliest next token again and again, and then with something better.
# There we begin by asking the translator which word comes next in its translation of 725, once
# after a right beginning, and once after "five", which is wrong. Guess what it says after "five",
# and how sure it is of that, before you open the lesson.

# %% name="progress"
wb.progress()
