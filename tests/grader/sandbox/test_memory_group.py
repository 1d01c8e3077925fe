"""Where a cgroup for memory is made, and what the kernel counts in it."""

import pytest

from autograder.sandbox import cgroup
from autograder.sandbox.cgroup import VERSION_1, VERSION_2, possible_parents

MOUNT_2 = "35 24 0:30 / {folder} rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
MOUNT_1 = "36 24 0:31 {root} {folder} rw,nosuid - cgroup cgroup rw,memory\n"


def test_version_2_is_used_where_a_folder_above_limits_memory(tmp_path):
    own = tmp_path / "user.slice" / "app.slice" / "terminal.scope"
    own.mkdir(parents=True)
    for folder, controllers in ((tmp_path, "cpu memory"), (own.parent, "memory pids"), (own, "")):
        (folder / "cgroup.subtree_control").write_text(controllers + "\n")
    (own.parents[1] / "cgroup.subtree_control").write_text("cpu\n")
    found = possible_parents(
        "0::/user.slice/app.slice/terminal.scope\n", MOUNT_2.format(folder=tmp_path)
    )
    assert found == [(own.parent, VERSION_2), (tmp_path, VERSION_2)]


def test_version_1_is_used_at_this_process_own_place(tmp_path):
    own = "5:cpu:/\n4:memory:/docker/abc/inner\n0::/\n"
    for root, inner in (("/", "docker/abc/inner"), ("/docker/abc", "inner")):
        mounts = MOUNT_1.format(folder=tmp_path, root=root)
        assert possible_parents(own, mounts) == [(tmp_path / inner, VERSION_1)]


def test_a_place_outside_of_what_is_mounted_is_its_top(tmp_path):
    mounts = MOUNT_1.format(folder=tmp_path, root="/docker/abc")
    assert possible_parents("4:memory:/elsewhere\n", mounts) == [(tmp_path, VERSION_1)]


def test_a_name_with_a_space_is_read(tmp_path):
    mounts = MOUNT_1.format(folder=str(tmp_path / "a b").replace(" ", "\\040"), root="/")
    assert possible_parents("4:memory:/\n", mounts) == [(tmp_path / "a b", VERSION_1)]


def test_where_there_are_no_control_groups_there_is_none(monkeypatch):
    assert possible_parents("", "") == []
    monkeypatch.setattr(cgroup, "_parents", lambda: [])
    assert cgroup.make(1 << 30) is None


def test_a_folder_that_is_no_control_group_is_left_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(cgroup, "_parents", lambda: [(tmp_path / "absent", VERSION_2)])
    assert cgroup.make(1 << 30) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("files", [VERSION_1, VERSION_2])
def test_the_kernels_kills_are_counted(tmp_path, files):
    group = cgroup.MemoryGroup(tmp_path, files)
    assert group.kills() == 0
    (tmp_path / files.events).write_text("under_oom 0\noom_kill 3\noom_group_kill 1\n")
    assert group.kills() == 3


def test_a_group_is_gone_when_it_is_closed():
    group = cgroup.make(1 << 30)
    if group is None:
        pytest.skip("no control group for memory can be made here")
    assert group.folder.is_dir()
    group.close()
    assert not group.folder.exists()
