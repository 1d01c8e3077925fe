"""What makes nbgrader's stock commands use this grader, for any nbgrader_config.py."""

from pathlib import Path

import nbgrader.server_extensions.formgrader
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    ComputeChecksums,
    DeduplicateIds,
    IgnorePattern,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveCells,
)
from sqlalchemy import URL
from traitlets.config import Config

from .preprocessors import (
    AssignPenalties,
    CourseLatePolicy,
    EscapeNames,
    FeedbackPage,
    JudgeSubmission,
    ReadGrades,
    RebuildSubmission,
    RecordTestResults,
    ReleaseBlanks,
)

TEMPLATES = Path(__file__).parents[1] / "reports" / "templates"
NBGRADERS = Path(nbgrader.server_extensions.formgrader.__file__).parent / "templates"


def configure(c: Config) -> None:
    """Fill in the preprocessors and the templates; use as `configure(get_config())`."""
    c.GenerateAssignment.preprocessors = [
        LockCells,
        ReleaseBlanks,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        SaveCells,
        ClearHiddenTests,  # after SaveCells: the gradebook keeps the tests
        ComputeChecksums,
        CheckCellMetadata,
    ]
    c.Autograde.sanitize_preprocessors = [
        RebuildSubmission,  # first: a copied cell would make a later step end the whole run
        ClearOutput,
        DeduplicateIds,
        OverwriteKernelspec,
        OverwriteCells,
        CheckCellMetadata,
    ]
    c.Autograde.autograde_preprocessors = [
        JudgeSubmission,
        IgnorePattern,
        ClearMetadataPreprocessor,
        LimitOutput,
        RecordTestResults,
        AssignPenalties,
        CheckCellMetadata,
    ]
    c.AssignLatePenalties.plugin_class = CourseLatePolicy
    c.GenerateFeedback.preprocessors = [ReadGrades, FeedbackPage]
    # The first has the template `feedback`, the second nbgrader's `formgrade`.
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), str(NBGRADERS)]
    c.HTMLExporter.sanitize_html = True
    c.HTMLExporter.preprocessors = [EscapeNames]


def gradebook_url(path: Path) -> str:
    """The address of a gradebook; the signs % and ? in its path are escaped."""
    url = URL.create("sqlite", database=str(path))
    return url.render_as_string(hide_password=False)


def configure_results(c: Config, out: Path) -> None:
    """The same for OUT, a folder that `autograder grade` has written."""
    configure(c)
    out = out.resolve()
    c.CourseDirectory.root = str(out)
    c.CourseDirectory.db_url = gradebook_url(out / "gradebook.db")
    c.CourseDirectory.source_directory = "nbgrader/source"
    c.CourseDirectory.release_directory = "nbgrader/release"
    c.CourseDirectory.submitted_directory = "nbgrader/submitted"
    c.CourseDirectory.autograded_directory = "nbgrader/autograded"
    c.CourseDirectory.feedback_directory = "feedback"
    # By itself `nbgrader export` writes grades.csv, over the one that `grade` has written.
    c.ExportPlugin.to = str(out / "gradebook.csv")
    for step in (c.RebuildSubmission, c.JudgeSubmission, c.RecordTestResults, c.AssignPenalties):
        step.work = str(out / "work")


RESULTS_CONFIG = Path(__file__).with_name("results_config.txt").read_text(encoding="utf-8")
