"""Chooses the sandbox: the kind that was asked for, or the best that this machine allows."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.language import UserFacingError, _

from .student.confinement.confine import Confinement
from .student.confinement.linux import LINUX
from .view import plan_view

START_SCRIPT = Path(__file__).parent / "student" / "start.py"

RISK = _(
    "Without a sandbox, students' code runs with all your rights: it can read and delete your "
    "files and use your network. If you trust this code, ask for that by name: --sandbox none"
)
ALLOW_NAMESPACES = _(
    "In a container, allow it new namespaces (docker: --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined, and for root --cap-add SYS_ADMIN); on Ubuntu, "
    "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0; "
    "on others, sysctl -w user.max_user_namespaces=10000."
)
INSTALL_BUBBLEWRAP = _(
    "apt install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora, RHEL)"
)


class SandboxUnavailable(UserFacingError):
    """This machine does not have the sandbox asked for; the message says what to do about it."""


def choose(name: str) -> str:
    """The kind of sandbox that `name` selects on this machine; "auto" is namespaces, else bwrap.

    Raises SandboxUnavailable where this machine does not allow it, ValueError for an unknown name.
    """
    if name == "none":
        if not hasattr(os, "fork"):
            raise SandboxUnavailable(
                _("Grading needs Linux or macOS; on Windows, use the Windows Subsystem for Linux.")
            )
        return name
    if name not in ("auto", "namespaces", "bwrap"):
        message = _("a sandbox is auto, namespaces, bwrap or none, not {name!r}")
        raise ValueError(message.format(name=name))
    if not LINUX:
        raise SandboxUnavailable(" ".join([_("Only Linux has the sandbox this needs."), RISK]))
    refusals = []
    if name in ("auto", "namespaces"):
        refusal = refusal_of("namespaces")
        if not refusal:
            return "namespaces"
        message = _("This machine does not allow the namespaces that the sandbox needs ({reason}).")
        refusals.append(message.format(reason=refusal))
    if name in ("auto", "bwrap"):
        if not shutil.which("bwrap"):
            message = _("The sandbox 'bwrap' needs the program bubblewrap: {how}.")
            refusals.append(message.format(how=INSTALL_BUBBLEWRAP))
        else:
            refusal = refusal_of("bwrap")
            if not refusal:
                return "bwrap"
            message = _("bubblewrap cannot make a sandbox here ({reason}).")
            refusals.append(message.format(reason=refusal))
    if name != "bwrap" or shutil.which("bwrap"):
        refusals.append(ALLOW_NAMESPACES)
    raise SandboxUnavailable(" ".join([*refusals, RISK]))


def refusal_of(kind: str) -> str:
    """Why "namespaces" or "bwrap" fails here when it is tried; empty if it works."""
    confinement = Confinement(kind, plan_view([], []))
    # In a new process: this one may have threads, and then it must not fork.
    trial = subprocess.run(
        [sys.executable, "-I", "-S", "-B", START_SCRIPT, "try_out", confinement.to_json()],
        capture_output=True,
        text=True,
    )
    if trial.returncode == 0:
        return ""
    return (trial.stderr.strip().splitlines() or [_("no reason given")])[-1]
