"""The students' package: check, hint, progress, pictures, and your own code carried forward.

import transformer_workbook as wb

wb.start("01-attention")                # names the lesson; the first cell of each notebook
wb.check("scaled_dot_product_attention")
wb.hint("scores")
wb.progress()
wb.use("split_heads")                   # your own code from earlier lessons, or a stand-in
wb.reveal(guess, truth)
wb.reset("LayerNorm")                   # its cell as it came, in a new cell
wb.answer("question_1")                 # a model answer, once you have written your own
wb.pack(), wb.unpack()                  # carry your code to another computer and back
wb.use_drive()                          # on Colab: keep it in Google Drive
wb.finish()                             # a last check: what is still open
wb.show.heat_map(weights)
wb.choose_threads()                     # one thread, or torch's own number if that is faster
wb.steps(150)                           # counts to 150, with a progress bar
wb.fit(model, batches, ...)             # a training run around your own components
wb.hand_in(outcome)                     # write the trained translator's files to hand in
wb.translator.translate(725)            # a small trained translator, to play with and to break
wb.number_words.german(725)             # the corpus that needs no download
wb.texts.read(wb.texts.PERSUASION)      # a novel, or any text file of your own
wb.gpt2.load(CausalLM, ...)             # GPT-2's published weights in your own classes
"""

import importlib

__version__ = "0.1.0"

_HOME_OF = {
    "alignment": "lessons.decoding.views",
    "answer": "checks.model_answers",
    "beam_tree": "lessons.decoding.views",
    "check": "checks.check",
    "choose_threads": "shared.threads",
    "cross_attention": "lessons.decoding.views",
    "finish": "checks.last_check",
    "fit": "trainer.fit",
    "FitSettings": "trainer.fit",
    "copy_weights": "checks.torch_parity",
    "hand_in": "lessons.translation.hand_in",
    "hint": "checks.hints",
    "load_weights": "trainer.checkpoints",
    "number_explorer": "lessons.decoding.views",
    "own_translator": "lessons.fused_parts.own",
    "pack": "own_code.archive",
    "progress": "checks.lit_figure",
    "reset": "checks.reset",
    "reveal": "checks.predict",
    "save_weights": "trainer.checkpoints",
    "seed_everything": "trainer.fit",
    "start": "checks.session",
    "steps": "shared.progress_bar",
    "unpack": "own_code.archive",
    "use": "own_code.store",
    "use_drive": "own_code.archive",
}
_MODULES = {
    "gpt2": "lessons.from_gpt_to_llama.gpt2",
    "number_words": "lessons.number_words.words",
    "show": "show",
    "speed": "lessons.fused_parts.speed",
    "texts": "lessons.from_gpt_to_llama.texts",
    "translation": "lessons.translation",
    "translator": "lessons.number_words.translator",
}

__all__ = [*_HOME_OF, *_MODULES]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str):
    # Load lazily: the grader imports the probes alone, and start-up time matters.
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{_MODULES[name]}")
    if name in _HOME_OF:
        # A submodule of the same name as its function would hide the function once imported.
        return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    problem = f"module {__name__!r} has no attribute {name!r}"
    if not name.startswith("_"):
        from .shared.language import _

        problem = _(
            "There is no wb.{name} in version {version} of the course's package. Look for a typo. "
            "If the notebook came with this call, it is newer than the package: run its first "
            "cell, which says how to update."
        ).format(name=name, version=__version__)
    raise AttributeError(problem)
