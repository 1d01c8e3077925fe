"""Functions that test_bounded_call.py has called in another process."""

import ctypes
import os


def returned(tree):
    return tree


def process():
    return os.getpid()


def variable(name):
    return os.environ.get(name)


def hang():
    while True:
        pass


def hang_in_c():
    return len(str(9 ** (10**8)))


def eat_memory():
    kept = []
    while True:
        kept.append(bytes(64 << 20))


def die():
    ctypes.string_at(0)


def leave():
    os._exit(0)


def recurse():
    return recurse()
