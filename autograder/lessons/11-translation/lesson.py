# %% [markdown]
# ## How much German does it know?
#
# The translator of lesson 00 gets every number right, but how much does it know of a plain German
# sentence? Guess how many of the six words below it has ever met.

# %% name="without-sub-words"
known = wb.number_words.GERMAN.tokens
sentence = "zwei hunde laufen durch den schnee"
for word in sentence.split():
    print(f"{word:8}", "known" if word in known else "unknown")
print(len(known) - 4, "German pieces are all that it knows")

# %% [markdown]
# The translator knows one word in six, and has never met the others. So here we give it a
# vocabulary for all of German and English, and many sentences to learn from. That costs time, and
# five questions lie on the way:
#
# 1. How do we handle words that aren't in the vocabulary?
# 2. How do we avoid computing padding?
# 3. How does a step get cheaper?
# 4. How does a training come to rest?
# 5. How good is the result, if we don't fool ourselves?
#
# ## What you will be able to do
#
# - cut text into sub-words that two languages share,
# - make batches with about the same number of tokens each, and hardly any padding,
# - train in half the precision, and know where full precision is needed,
# - average checkpoints, choose on validation what helps, and state a BLEU that others can compare,
# - train **your own Transformer**, whose every part you wrote, to translate German into English.
#
# It takes about 90 minutes of your time, which you can split at "The run". The training comes on
# top, with a few minutes on a GPU. Without one, a small setting takes 7 minutes, or up to 30 on a
# slow processor, and gives a modest model.
#
# *Where it sits.* All of Figure 1 is yours by now, and the outlined box turns it into a translator
# of sentences.

# %% name="where-it-sits"
wb.progress(current=["token_batches", "mixed_precision_step", "average_weights"])

# %% name="setup"
shift_right = wb.use("shift_right")

# %% [markdown]
# ## What this runs on
#
# On Colab choose *Runtime, Change runtime type, GPU* first, because we choose the settings by the
# hardware that we find here. Without a GPU you get the setting `cpu`, which takes less than 1 GB of
# memory, so it runs on Binder, too. If you have more time, `translation.choose(hardware,
# "cpu-long")` trains the larger model that a GPU would train.
#
# | setting | runs on | training |
# |---|---|---|
# | `cpu` | one thread of a processor | 7 minutes |
# | `cpu-long` | one thread of a processor | 70 minutes |
# | `gpu` | a GPU, here an H200 | 3 minutes |

# %% name="hardware"
translation = wb.translation
hardware = translation.detect()
setting = translation.choose(hardware)
print(hardware.name)
print(setting)

# %% [markdown]
# ## The sentences
#
# [Multi30k](https://aclanthology.org/W16-3210/) holds 30,000 descriptions of photographs in German
# and English, in everyday words and sentences of about 12 words. We fetch it from its public
# repository, once. If you already have the files, set the environment variable `MULTI30K_DIR` to
# their folder, and if there's no way to get them, the lesson continues with number words.

# %% name="corpus"
corpus = translation.find_corpus().cut(setting.pairs)
print(corpus.name, len(corpus.train), len(corpus.validation), len(corpus.test))
for german, english in corpus.train[:3]:
    print(german)
    print("   →", english)

# %% [markdown]
# The sentences come in three parts, each with a use of its own. The model learns from `train`,
# **you** choose with `validation` (how long, how large, how much dropout), and we see `test` only
# **once**, at the end.
#
# ## Sub-words
#
# Could we make every German word of `train` a token? That makes 18,000 tokens, most of which occur
# only once. Even then, more than a quarter of the sentences in `validation` have an
# **out-of-vocabulary** word, one that isn't among them. Single letters would always be enough, but
# then we'd get long rows.
#
# **Byte pair encoding** stands between the two, since it cuts text into **sub-words** (section 5.1
# of the paper; [Sennrich et al. 2016](https://aclanthology.org/P16-1162/), section 3.2). It begins
# with single characters, or since GPT-2, as here, with single bytes. Again and again it **merges**
# the pair of neighbors that occurs most often, though never across words, until the vocabulary is
# full. So frequent words become one token and rare ones a few, and with bytes no text is ever
# unknown.
#
# *By hand.* We take three words, "low", "lower" and "low" again:
#
# | the text so far | most frequent pair |
# |---|---|
# | `l o w` `l o w e r` `l o w` | `l o` (or `o w`): 3 times |
# | `lo w` `lo w e r` `lo w` | `lo w`: 3 times |
# | `low` `low e r` `low` | `low e` (or `e r`): once |
#
# A new word is cut by the same merges, in the order in which they were learned, so "slow" becomes
# `s` and `low`.
#
# We let both languages share one vocabulary, since "in", names, numbers and many stems are the same
# in both. So one matrix can serve both embeddings and the last projection, tied as in lesson 08
# (section 3.4). With the setting `cpu`, that saves 1.0 million parameters, and leaves 1.5 million.
#
# *Predict, then run.* With a vocabulary of 4,000 pieces, "Fahrradrennen" (a bicycle race) becomes
# `Fahrrad` and `rennen`, and "Schlittenhunde" (sled dogs) `Schl`, `itten`, `hund` and `e`. Into how
# many pieces does your own vocabulary cut "Hundeschlittenrennen" (a dog sled race)?

# %% name="guess-pieces"
number_of_pieces = None

# %% name="sub-words"
sentences = [sentence for pair in corpus.train for sentence in pair]
subwords = translation.Subwords.learn(sentences, setting.vocabulary)
pieces = subwords.pieces_of("Hundeschlittenrennen")
wb.reveal(number_of_pieces, len(pieces))
print(pieces)

# %% [markdown]
# From Multi30k we got `Hund`, `esch`, `l`, `itten` and `rennen`. On its own, "Hunde" is one piece.
# But here `e` and `s` are neighbors, too, and were merged first, since they occur together more
# often than `Hund` and `e` do. So no `e` was left for `Hund`, and `esch`, which is `es` with `ch`,
# reaches across the seam of two words. (From number words alone you get 15 pieces.) Byte pairs know
# nothing of how a word is built, and yet a sentence survives the way to pieces and back. We try one
# in both languages:

# %% name="there-and-back"
for sentence in corpus.train[3]:
    print(subwords.pieces_of(sentence))
    print(subwords.decode(subwords.encode(sentence)) == sentence)

# %% [markdown]
# ## Batches with about the same number of tokens
#
# A batch is one tensor, so we pad every row to the length of the longest one. If we draw 64
# sentences at random, a single one of 40 tokens makes all other rows as long. We compute their
# padding like everything else, only to throw it away. How do we waste less?
#
# We put sentences of about the same length together, which is called **bucketing**, and we limit a
# batch by **tokens**, not by sentences (section 5.1 says "approximately 25000 source tokens"), so
# that it holds many short ones, or a few long ones. Here are eight sentences both ways, with their
# lengths, and padding in gray:

# %% name="padding-drawn"
wb.show.padding()

# %% [markdown]
# *By hand.* Take sentences of 3, 9, 4 and 8 tokens, and at most 12 numbers in a batch, padding
# included. How many batches do you need? Decide before you read the table. Sorted, the lengths are
# 3, 4, 8, 9, and we ask of each whether it still fits:
#
# | next | the batch with it | numbers | |
# |---|---|---|---|
# | 3 | 1 row of 3 | 3 | fits |
# | 4 | 2 rows of 4 | 8 | fits |
# | 8 | 3 rows of 8 | 24 | too many, so the 8 begins a new batch |
# | 9 | 2 rows of 9 | 18 | too many, so the 9 begins a new one |
#
# We end with the three batches (3, 4), (8) and (9), and with one padded position in all.
#
# ## Your turn: token_batches
#
# `lengths` is a list of whole numbers, and a batch is a list of *indices* into it. Each sentence
# goes into one batch, beside others of about its length, and no batch holds more than `max_tokens`
# numbers, padding included.
#
# <details><summary>The fine print</summary>
#
# - There are no more batches than needed, and none at all for no sentences.
# - Batches don't overlap in length. Of any two, the longest sentence of one is no longer than the
#   shortest of the other. The order of the batches doesn't matter, nor the order within one.
# - The list `lengths` stays as it is.
#
# </details>

# %% answer="token_batches"

# %% check="token_batches"

# %% [markdown]
# Stuck? The blanks are called `by_length`, `padded_tokens` and `too_many`.

# %% name="hint-batches"
wb.hint("padded_tokens")

# %% [markdown]
# *Predict, then run.* The eight lengths above were chosen to differ. If we put 64 real sentences at
# random into each batch, how much of all numbers will be padding, 10, 25 or 50 percent?

# %% name="guess-padding"
padding_in_percent = None  # 10, 25 or 50

# %% name="padding"
grouping = wb.use("token_batches")


def at_random(lengths, max_tokens):
    indices = list(range(len(lengths)))  # the file is in no order, so any 64 in a row are random
    return [indices[start : start + 64] for start in range(0, len(indices), 64)]


some = corpus.train[:4000]
share = {}
for name, way in (("at random", at_random), ("by length", grouping)):
    share[name] = translation.padding_of(translation.TokenBatches(some, subwords, way, 2048))
wb.reveal(padding_in_percent, round(100 * share["at random"]))
print(f"at random {share['at random']:.0%}, yours {share['by length']:.0%}")

# %% [markdown]
# Among 64 sentences of Multi30k, the longest is about twice as long as a usual one, so at random
# about half of a batch is padding.
#
# ## Half the precision
#
# With hardly any padding left, what else could make a step cheaper? Shorter numbers could, since a
# GPU multiplies matrices of 16-bit numbers several times as fast as those of 32 bits. We pay in
# digits, or in range:
#
# | | bits | largest | smallest above 0 | decimal digits |
# |---|---|---|---|---|
# | float32 | 32 | 3·10³⁸ | 10⁻⁴⁵ | 7 |
# | bfloat16 | 16 | 3·10³⁸ | 10⁻⁴⁰ | 2 to 3 |
# | float16 | 16 | 65504 | 6·10⁻⁸ | 3 to 4 |
#
# GPUs since 2020 have **bfloat16**, and so have some processors. It reaches as far as float32, but
# has few digits, which does little harm, since gradients are noisy anyway. We keep the weights in
# float32, and sums of many terms, too, such as that of a softmax over the vocabulary. Since both
# precisions are in use, this is called **mixed precision**. On a GPU, `torch.autocast` chooses the
# precision of each operation that runs inside it. (On a CPU it leaves a softmax in 16 bits, so your
# code has to see to that.) With bfloat16 we need no more than that.
#
# Older GPUs, such as the T4 of Colab, have only float16, so what becomes of the many gradients that
# are smaller than 6·10⁻⁸?
#
# *Predict, then run.* Add two gradients of 10⁻⁸ in float16. How much is left? And if we multiply
# such a gradient by 1024 first, is it 0 then, too?

# %% name="guess-underflow"
without_scale = None  # a number
with_scale_is_zero = None  # True or False

# %% name="underflow"
gradient = torch.tensor(1e-8)
wb.reveal(without_scale, (gradient.half() + gradient.half()).item())
wb.reveal(with_scale_is_zero, (1024 * gradient).half().item() == 0)

# %% [markdown]
# float16 rounds whatever is less than half of its smallest number to 0, which is called
# **underflow**. The remedy is **loss scaling**, where we multiply the loss by a large number, the
# scale. By the chain rule all gradients grow by the same factor, and we divide them by it again
# before we use them. (By then they are float32, like the weights that they belong to, so none of
# them becomes 0 a second time.)
#
# <details><summary>What a GradScaler does</summary>
#
# `torch.amp.GradScaler` looks for the scale itself. If its scale is too large, some gradient
# becomes infinite, so the scaler leaves out that step and halves the scale. After 2,000 good steps
# it doubles the scale again. With bfloat16 or float32 we switch the scaler off, so its calls change
# nothing.
#
# </details>
#
# ## Your turn: mixed_precision_step
#
# It's your `train_step` again, with four new calls, all to the scaler. Here they are in the order
# of the alphabet:
#
# - `scaler.scale(...)` returns a loss, multiplied by the scale,
# - `scaler.step(...)` lets an optimizer step, unless a gradient is infinite,
# - `scaler.unscale_(...)` divides an optimizer's gradients by the scale, in place,
# - `scaler.update()` adapts the scale, at the end.
#
# The last one is in its place already. Put the other three in theirs, so that you clip the
# gradients by their **true** size, and leave everything else as it was. (The first blank isn't a
# call to the scaler, but converts the output to float32.)

# %% answer="mixed_precision_step"

# %% check="mixed_precision_step"

# %% [markdown]
# Stuck? The blanks are called `float32`, `scaled_loss`, `true_gradients` and `step`.

# %% name="hint-step"
wb.hint("true_gradients")

# %% [markdown]
# ## How does a training come to rest?
#
# With Noam's schedule of lesson 09, the rate falls like 1 over the square root of the step, and
# never reaches 0. So even in the last steps each batch still pulls the weights its own way, and
# they keep moving around a good place. How do we get them to settle?
#
# If we know how long we'll train, we can let the rate fall in a straight line after the warm-up, so
# that it reaches 0 at the end (**linear decay**). The last steps are then so small that the weights
# come to rest.

# %% name="schedules"
noam = wb.use("noam_lr")
total = 4000
straight = translation.linear_rate(total)
steps = list(range(1, total + 1, 20))
wb.show.curves(
    {
        "Noam": (steps, [noam(step, 256, 800, 0.45) for step in steps]),
        "to 0 in a line": (steps, [straight(step, 256, 800, 1e-3) for step in steps]),
    },
    title="Two schedules, 800 steps of warm-up",
    x_label="step",
    y_label="learning rate",
)

# %% [markdown]
# ## Averaged checkpoints
#
# The paper kept its schedule, and let the weights settle afterwards. If they move around a good
# place, the mean of the last few **checkpoints** (weights saved on the way) lies nearer to its
# middle, so the paper averages the last 5 (base) or 20 (big) of them (section 6.1). They have to be
# **late** ones, because the mean of a good place and a bad one is not a good place. Do we still
# need that when the rate ends at 0? You'll find out on your own model, with a function of your own.
#
# ## Your turn: average_weights
#
# `states` are state dicts of one model, which map the same names, in any order, to tensors of
# floating-point numbers. The states stay as they are, and the average is a new dict, of new
# tensors.

# %% answer="average_weights"

# %% check="average_weights"

# %% [markdown]
# Stuck? The blanks are called `entries` and `mean`.

# %% name="hint-average"
wb.hint("entries")

# %% [markdown]
# ## The run
#
# **You can stop here.** After a restart of the kernel, or on another day, run the very first cell,
# the one below "What this runs on" and the one below "The sentences". Then continue with the next
# cell here.
#
# Every part is yours now, or a stand-in where one of your checks hasn't passed:

# %% name="parts"
parts = translation.Parts.of_student()

# %% [markdown]
# To see how long the training will take here, we time a few steps:

# %% name="how-long"
minutes = translation.minutes(corpus, setting, parts, hardware=hardware)

# %% [markdown]
# The run writes a checkpoint into the folder `translation-run` after each epoch. After an interrupt
# (■) or a disconnection, run the cells again, and it **resumes** there and ends as if it had never
# stopped. Once it has ended, we only load it. The folder belongs to one corpus and one setting, so
# name another folder for others.
#
# On Colab a new runtime has lost the folder. Call `wb.use_drive()` first, and name a folder there
# that survives, such as `/content/drive/MyDrive/translation-run`.

# %% name="train"
outcome = translation.train(corpus, setting, parts, "translation-run", hardware=hardware)

# %% [markdown]
# Your Transformer is trained, so let it translate the first three sentences of `validation`, which
# it has never read. How good are its translations?

# %% name="first-translations"
for german, english in corpus.validation[:3]:
    print("German:   ", german)
    print("the model:", *outcome.translator.translate([german], parts.greedy_decode))
    print("a person: ", english)
    print()

# %% [markdown]
# How did it get there? The training cell has drawn the loss, and here is a score, epoch by epoch:

# %% name="rate-and-score"
outcome.run.score("BLEU on validation, greedy")

# %% [markdown]
# Look again at the picture of the loss, under the training cell. Where training keeps falling while
# validation rises again, the model learns its sentences by heart, so it is **overfitting** (lesson
# 09). Since 29,000 sentences are few, a setting with more epochs gets more dropout. With `gpu` it
# is 0.3, three times that of the paper's base model (section 5.4). In the three epochs of `cpu`,
# the model learns no sentence by heart yet, so there we switch dropout off.
#
# The score is called BLEU, and on a CPU we take it only of the first 100 or 200 sentences of
# `validation`. Further down all of them count, but what does BLEU measure?
#
# ## The score
#
# A falling loss doesn't say how good a translation is. So we compare each one with a **reference**,
# which people wrote, and ask how many of its words the reference has, too, and how many of its
# pairs, threes and fours of words. Such rows of n words are called **n-grams**. **BLEU** ([Papineni
# et al. 2002](https://aclanthology.org/P02-1040/), section 2) takes the geometric mean of these
# four shares, which are called **precisions**. Each n-gram counts at most as often as the reference
# has it, since otherwise all words of "the the the" would be right. A translation that is too short
# gets a **brevity penalty**, so if it has only $t$ words where the reference has $r$, BLEU
# multiplies the mean by $e^{1 - r/t}$.
#
# *By hand.* The translation is `a dog runs on grass`, the reference `a dog runs through the grass`.
# Cover the table, and count the words and pairs that both have.
#
# | | in the reference | of | share |
# |---|---|---|---|
# | words | a, dog, runs, grass | 5 | 4/5 |
# | pairs | a dog, dog runs | 4 | 2/4 |
# | threes | a dog runs | 3 | 1/3 |
# | fours | | 2 | 0 |
#
# Words and pairs that the reference has are green here:

# %% name="bleu-drawn"
wb.show.bleu_matches()

# %% [markdown]
# The translation is one word short, so the factor is $e^{1 - 6/5} = 0.82$. For words and pairs
# alone we get $\sqrt{4/5 \cdot 2/4} \cdot 0.82 = 0.52$, usually given as 52. But with threes and
# fours, one 0 makes it 0, which is why we count BLEU over a whole corpus, and never average it over
# sentences.
#
# A score tells you little without its **signature**, which says whether text was lower-cased, how
# it was cut into words, and how many references there were.
# [sacreBLEU](https://aclanthology.org/W18-6319/) scores the same way for everyone, and prints the
# signature, too.
#
# To BLEU, "dogs" for "dog" is as wrong as "cat". So you'll also see **chrF** ([Popović
# 2015](https://aclanthology.org/W15-3049/)), which compares n-grams of one to six characters.
#
# <details><summary>What neither of them knows</summary>
#
# Neither knows that "woman" and "lady" mean the same. **COMET** ([Rei et al.
# 2020](https://aclanthology.org/2020.emnlp-main.213/)) is a trained network that reads source,
# translation and reference. Such networks agree better with people ([Freitag et al.
# 2022](https://aclanthology.org/2022.wmt-1.2/)), but they are large downloads.
#
# </details>

# %% [markdown]
# ## Choose, on validation
#
# Three things are left to choose, the weights, the decoding and the setting. We begin with the
# weights, and decode greedily. Do you expect a higher BLEU from the weights of the last epoch, or
# from the average of the last few?

# %% name="choose-weights"
translator, greedy_decode = outcome.translator, parts.greedy_decode
german, english = zip(*corpus.validation, strict=True)
written, scores = {}, {}
for name in outcome.weights:
    outcome.take(name)
    written[name] = translator.translate(german, greedy_decode, progress=name)
    scores[name] = translation.bleu(written[name], english).score
    print(f"{name:8} {scores[name]:5.1f}")
outcome.take(max(scores, key=scores.get))
print("taken:", outcome.taken)

# %% [markdown]
# With `cpu` the average isn't the better one. We got 33.7 for the last epoch and 32.9 for the mean
# of the last two, because the second of three epochs is not yet late. With `gpu` the two were at
# most 0.25 apart. An average settles the weights, but a rate that ends at 0 has done that already,
# so there is little left to gain.
#
# Next, with these weights, which do you expect to score higher, greedy decoding or a beam?

# %% name="choose-decoding"
from functools import partial

beam = {"beam_size": setting.beam_size, "length_penalty": setting.length_penalty}
decoders = {"greedy": greedy_decode, "beam search": partial(parts.beam_search, **beam)}
written = {
    "greedy": written[outcome.taken],
    "beam search": translator.translate(german, decoders["beam search"], progress="beam search"),
}
scores = {name: translation.bleu(texts, english).score for name, texts in written.items()}
for name, score in scores.items():
    print(f"{name:12} {score:5.1f}")
chosen = max(scores, key=scores.get)
print("taken:", chosen)

# %% [markdown]
# The beam gained 2.0 with `cpu`, and 1.2 with `gpu`. Would it gain on other sentences, too? The
# **paired bootstrap** ([Koehn 2004](https://aclanthology.org/W04-3250/)) draws 1,000 new sets from
# `validation`, each of as many sentences, so some come several times and others never. On each set
# it measures the gain again. These gains scatter around their mean, only by the luck of which
# sentences were drawn. How often is that luck larger than the whole gain that you measured? The
# share of sets whose gain lies above the mean by more than that is the **p-value**, which the cell
# prints as `p`. If it is large, luck alone could have made your gain.

# %% name="paired-bootstrap"
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

metrics = {"BLEU": BLEU(), "chrF": CHRF()}
_, results = PairedTest(list(written.items()), metrics, [english], test_type="bs")()
for metric, (greedily, with_beam) in list(results.items())[1:]:
    print(f"{metric:6}{greedily.score:6.1f}{with_beam.score:6.1f}   p = {with_beam.p_value:.3f}")

# %% [markdown]
# A gain with a `p` below 0.05 is usually called **significant**. It is then hardly the luck of the
# *sentences*, though `p` says nothing of the luck of a *seed*.
#
# ### And the setting?
#
# You choose a setting in the same way. Ours all use pre-norm, tied weights and linear decay. Change
# **one** thing, train again in another folder, and compare on validation. But two runs of the
# *same* setting differ, too, if their seeds do. Our 33.7 was one run of `cpu`, and the first row of
# the table has two more. Which of these changes would you believe in?
#
# | `cpu` with | BLEU on validation, last epoch, greedy: two runs | mean gain |
# |---|---|---|
# | nothing changed | 33.3, 34.4 | |
# | no label smoothing | 33.4, 34.5 | 0.1 |
# | Noam's schedule, with the same highest rate | 33.4, 33.5 | -0.4 |
# | norm after each sublayer, as in the paper | 34.4, 35.1 | 0.9 |
# | weights not tied: 1.0 million more | 35.0, 34.8 | 1.1 |
# | a dropout of 0.1, as in the paper (one run, beside our 33.7) | 29.9 | -3.8 |
#
# Only the last of these differences is beyond doubt, since the two runs of the first row alone
# differ by 1.1. Weights that are not tied may be worth their million parameters, but only more runs
# could tell. And what holds here may not hold elsewhere. The norm after each sublayer gained 0.9,
# but it lost up to 5.7 where we had dropout as well, so measure where you train.
#
# ### What it costs to choose on the test set
#
# Why don't we choose by the score on `test`, and report that same score? We try it once, on
# validation, cut into two halves, of which the first plays the test set.
#
# Here are thirty models that are equally good, because we made them so. Each one translates each
# sentence greedily or with the beam, as a coin decides. We let the first half choose the best of
# the thirty. How far above their mean will that one be on this half, and how far on the other?

# %% name="cost-of-choosing"
import random

coin = random.Random(0)
half, halves = len(english) // 2, ([], [])
for _model in range(30):
    mixed = [coin.choice(both) for both in zip(*written.values(), strict=True)]
    halves[0].append(translation.bleu(mixed[:half], english[:half]).score)
    halves[1].append(translation.bleu(mixed[half:], english[half:]).score)
winner = halves[0].index(max(halves[0]))
for name, bleus in zip(("half that chose", "other half"), halves, strict=True):
    mean = sum(bleus) / len(bleus)
    print(f"{name:15} mean {mean:.1f}, winner {bleus[winner]:.1f}: {bleus[winner] - mean:+.1f}")

# %% [markdown]
# With `cpu` the winner was half a point above the mean on the half that chose it. On the other
# half, four such tries gave -0.4 to +0.4, hardly more than 0 in the mean. So the winner isn't any
# better, and only fits the half that chose it. If we reported the best of thirty scores on the test
# set, we'd claim such a gain, too, and no reader could see it. The more we try and the fewer the
# sentences, the larger it gets.
#
# ## Test, once
#
# Now, and only now, comes the test set, with the weights and the decoding that you've chosen. Its
# score is the one to report.

# %% name="score"
best = translator.bleu(corpus.test, decoders[chosen], progress="test")
print("BLEU", best)

# %% [markdown]
# With `cpu` we got 36.0, close to what validation had said, and with `gpu` 40.8. For comparison, a
# [tutorial](https://github.com/bentrevett/pytorch-seq2seq) published 36.5 on this data, counted on
# lower-cased words.
#
# We can spoil a test set without choosing on it, too. Large language models read the web, where
# test sets stand with their answers, so their makers have to search for such **contamination**
# ([Brown et al. 2020](https://arxiv.org/abs/2005.14165), section 4). Yours has read `train` alone.
#
# ## What it translates
#
# A number doesn't say what your model gets wrong, so read some of its translations. Which mistakes
# are the most frequent?

# %% name="samples"
pairs = corpus.test[:6]
translations = translator.translate([pair[0] for pair in pairs], decoders[chosen])
samples = list(zip(pairs, translations, strict=True))
for (source, reference), translated in samples:
    print("German:   ", source)
    print("the model:", translated)
    print("reference:", reference)
    print()

# %% [markdown]
# Colors and numbers are seldom wrong. Rare words are wrong more often, and so is who does what to
# whom.
#
# Attention also shows where your model looked. In German a verb may stand at the very end, as
# `schläft` (sleeps) does in "Eine Frau liest ein Buch, während ihr Hund im Gras schläft" (a woman
# reads a book while her dog sleeps in the grass). In English it follows the dog. Each row below is
# a token that the model has written, and shows where the last decoder layer looked, in the mean
# over its heads. Where will the rows of the second English verb look, and where the rows after it?

# %% name="alignment"
verb_at_the_end = "Eine Frau liest ein Buch, während ihr Hund im Gras schläft."
if corpus.name != "Multi30k":
    verb_at_the_end = corpus.validation[1][0]  # a number
translator.alignment(verb_at_the_end, greedy_decode)

# %% [markdown]
# One of our `cpu` models wrote "is sleeping", another one "sleeps". In both, the first token of the
# verb looks at `schläft`, past `im` and `Gras`, and the rows of "in the grass" jump back to these.
#
# Now it's your turn. Write a German sentence (everyday things, as on a photograph), press Enter,
# and switch between greedy decoding and the beam. Try a sentence with the verb at the end, and one
# about something that nobody photographs. (If there was no Multi30k, try numbers.)

# %% name="your-own-sentence"
translator.explorer(decoders, "Ein Hund läuft über die Wiese.")

# %% [markdown]
# ## A model card
#
# People who use your translator should know what it has read, how good it is, and what it can't do.
# A **model card** ([Mitchell et al. 2019](https://arxiv.org/abs/1810.03993)) says so on one page,
# and here we write one into a file that you can show to others.

# %% name="model-card"
translation.model_card(outcome, corpus, setting, hardware, best, samples, decoding=chosen)

# %% [markdown]
# ## Hand it in
#
# The cell below writes three files beside the notebook, with the weights, the vocabulary and the
# sizes of the model. Hand them in together with the notebook. The grader loads them as plain data,
# into a model of its own, which then translates sentences that are in none of your three parts. The
# points follow from the BLEU on those, so a score that you only claim earns none.
#
# Files that load earn 1 point, and their BLEU up to 9 more. A BLEU of 20 earns 2 of these, and one
# of 34 all 9. Because the grader's sentences are harder, the BLEU there is 4 to 6 lower than on
# your test set. So for all 9 you need about 39 on yours:
#
# | setting | BLEU on your test set | points for BLEU |
# |---|---|---|
# | `cpu` | 36.0 | about 7 |
# | `cpu-long` | 40.3 | 9 |
# | `gpu` | 40.8 | 9 |
#
# The last cell, `wb.finish()`, reads the three files as the grader does, and says what is missing,
# and whether they are the model of the card.

# %% hand_in="translation"
wb.hand_in(outcome)

# %% [markdown]
# ## Bug hunt
#
# Here is BLEU by hand, which compares lists of words with lists of words. For `a dog runs on grass`
# above and `max_n=2` it has to be 52, but there are **two bugs** in it. (It also stops with an
# error where a share is 0, or where no sentence has `max_n` words, but that is neither of the two.)

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** A friend's BLEU is 3 points above yours, with the same model and data. Name three
# things to ask before you believe that it is better, and say why each could move the score.

# %% [markdown] rubric="1"
# 2 points for three of, 1 point for one or two: lower-cased or not; how references and translations
# were cut into words (tokenization; the signature tells); which test set and how many sentences or
# references; averaged over sentences instead of the corpus; chosen by looking at the test set; test
# sentences among those learned from; a larger beam or another length penalty; one lucky seed.

# %% [markdown] model="1"
# I would ask whether both scores are cased, since lower-cased text matches more words. Then how the
# text was tokenized before counting, since BLEU counts n-grams of tokens; the signature tells. Then
# whether the settings were chosen on the test set: the best of many tries is lucky on exactly these
# sentences.

# %% [markdown] question="2" points="2"
# **Question 2.** Why is the loss scaled in float16 and not in bfloat16? And why must gradients be
# unscaled before they are clipped, while the optimizer alone (Adam, lesson 09) would hardly notice
# the scale?

# %% [markdown] rubric="2"
# 1 point: float16 has a small range (few bits for the exponent), so that small gradients become 0;
# bfloat16 has the range of float32. 1 point: clipping compares their length with a fixed max_norm,
# which is about the true gradients; scaled ones are far longer, so every step would be clipped.
# (Adam divides by the gradient's own size, so a common factor nearly cancels.)

# %% [markdown] model="2"
# float16 has few bits for the exponent, so small gradients become 0; multiplied by a large number
# they stay above that. bfloat16 has the range of float32, so nothing is lost. Clipping compares the
# length of the gradient with a fixed number: a scaled gradient is far longer than the true one, so
# every step would be clipped. Adam divides each gradient by its own usual size, so a common factor
# nearly cancels.

# %% [markdown]
# ## In its place
#
# You have a translator, and you've written its every part. The paper's own model is larger, saw 150
# times as many sentences (section 5.1), and uses post-norm and Noam's schedule, but it's made of
# the same parts. We give yours the sentence of which the translator of lesson 00 knew one word:

# %% name="in-its-place"
snow = "Zwei Hunde laufen durch den Schnee."
if corpus.name != "Multi30k":
    snow = corpus.validation[0][0]  # a number
print(snow, "→", *translator.translate([snow], decoders[chosen]))

# %% [markdown]
# But your translator trains and translates more slowly than it could. So in lesson 12 you **fuse**
# its parts, and in lesson 13 it decodes with a cache, and neither changes a single result. Lesson
# 12 begins with a matrix product beside a plain sum, which needs a thousandth of the operations.
# Before you open the lesson, guess how much of the time the sum takes.

# %% name="progress"
wb.progress()
