"""A file is written whole or not at all, and every failure of the disk becomes a sentence."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from posenc_gui.files.atomic import discard_parts, make_folder, remove_leftover, temporary_file, writing
from posenc_gui.files.errors import FileError

LINUX = sys.platform.startswith("linux")


def refusal(action: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(FileError) as caught:
        action(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def put(path: Path) -> None:
    with writing(path) as stream:
        stream.write(b"new")


def test_a_new_file_holds_what_was_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    put(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes() == b"new"
    assert names_in(tmp_path) == ["figure.png"]


def test_the_temporary_file_lies_beside_the_target_until_all_is_written(tmp_path: Path) -> None:
    with writing(tmp_path / "figure.svg") as stream:
        stream.write(b"new")
        assert names_in(tmp_path) == [".figure.svg.part"]
    assert names_in(tmp_path) == ["figure.svg"]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, OSError])
def test_an_interrupted_writer_leaves_the_older_file(tmp_path: Path, failure: type[BaseException]) -> None:
    target = tmp_path / "figure.png"
    target.write_bytes(b"old")

    def write_half(path: Path) -> None:
        with writing(path) as stream:
            stream.write(b"half")
            raise failure("interrupted")

    with pytest.raises(FileError if failure is OSError else failure):
        write_half(target)
    assert target.read_bytes() == b"old"
    assert names_in(tmp_path) == ["figure.png"]


def test_a_new_file_has_the_mode_that_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        put(tmp_path / "figure.png")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "figure.png").stat().st_mode) == 0o640


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "figure.png"
    target.write_bytes(b"old")
    target.chmod(0o604)
    put(target)
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o604


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    real, link = tmp_path / "folder" / "real.csv", tmp_path / "link.csv"
    real.write_bytes(b"old")
    link.symlink_to(real)
    put(link)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "figure.png"
    assert refusal(put, target) == f"cannot write {target}: the folder {target.parent} does not exist"


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    target = tmp_path / "file" / "figure.png"
    assert refusal(put, target) == f"cannot write {target}: {tmp_path / 'file'} is not a folder"


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    assert refusal(put, tmp_path) == f"cannot write {tmp_path}: it is a folder"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses to remove an open file by itself")
def test_a_file_that_another_program_is_writing_is_refused_and_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "figure.png"
    with writing(target) as stream:
        stream.write(b"first")
        assert refusal(put, target) == f"cannot write {target}: another program is writing it"
        remove_leftover(target)
    assert target.read_bytes() == b"first"
    assert names_in(tmp_path) == ["figure.png"]


WRITER = """
import sys
from pathlib import Path
from posenc_gui.files.atomic import remove_leftover, writing
from posenc_gui.files.errors import FileError
mine, names, rounds = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
said = []
for _ in range(rounds):
    for name in names:  # as an export does in its folder
        remove_leftover(Path(name))
    try:
        with writing(Path(mine)) as stream:
            stream.write(mine.encode() * 100)
    except FileError as error:
        said.append(str(error))
print("\\n".join(sorted(set(said))), end="")
"""


@pytest.mark.one_of(2)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses to remove an open file by itself")
@pytest.mark.parametrize("shared", [False, True], ids=["files-of-their-own", "one-file"])
def test_programs_that_write_and_clean_up_side_by_side_never_meet_a_missing_file(
    tmp_path: Path, shared: bool, count: Callable[[str, int], None]
) -> None:
    """Each takes the others' new files for leftovers in the moment before they are locked."""
    names, rounds = ["a", "b", "c", "d"], 100
    root = Path(__file__).parents[3]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, "a" if shared else name, ",".join(names), str(rounds)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for writer in writers:
        said, problems = writer.communicate()
        assert problems == ""
        assert said in ({"", "cannot write a: another program is writing it"} if shared else {""})
    assert names_in(tmp_path) == (["a"] if shared else names)
    assert (tmp_path / "a").read_bytes() == b"a" * 100
    count("files written beside other programs", rounds * len(names))


def test_a_process_that_ends_removes_its_own_temporary_files_alone(tmp_path: Path) -> None:
    temporary_file(tmp_path / "other").write_bytes(b"another program's")

    def end_in_the_middle(path: Path) -> None:
        with writing(path) as stream, writing(path.with_suffix(".svg")) as other:
            stream.write(b"half")
            other.write(b"half")
            discard_parts()
            assert names_in(tmp_path) == [".other.part"]

    refusal(end_in_the_middle, tmp_path / "figure.png")
    discard_parts()  # there may be none
    put(tmp_path / "figure.png")
    assert names_in(tmp_path) == [".other.part", "figure.png"]


def test_a_leftover_of_a_killed_program_is_replaced_by_the_next_one_that_writes_the_file(tmp_path: Path) -> None:
    target = tmp_path / "figure.png"
    temporary_file(target).write_bytes(b"half of a longer file")
    temporary_file(target).chmod(0o600)
    put(target)
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) != 0o600
    assert names_in(tmp_path) == ["figure.png"]


def test_a_leftover_is_removed_on_request_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.png").symlink_to(tmp_path / "figure.png")
    temporary_file(tmp_path / "figure.png").write_bytes(b"half")
    remove_leftover(tmp_path / "link.png")
    remove_leftover(tmp_path / "link.png")  # there may be none
    assert names_in(tmp_path) == ["link.png"]


def test_a_link_in_the_place_of_the_temporary_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"old")
    temporary_file(tmp_path / "figure.png").symlink_to(tmp_path / "precious")
    assert refusal(put, tmp_path / "figure.png").startswith(f"cannot write {tmp_path / 'figure.png'}: ")
    assert (tmp_path / "precious").read_bytes() == b"old"


def test_a_name_that_is_too_long_is_reported(tmp_path: Path) -> None:
    message = refusal(put, tmp_path / ("x" * 300 + ".png"))
    assert message.endswith("the name is too long")
    assert len(message) < 400


def test_the_longest_name_that_the_disk_takes_is_written(tmp_path: Path) -> None:
    for name in ("x" * 251 + ".csv", "ü" * 125 + ".csv", "x." + "y" * 250):
        put(tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"new"


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_an_impossible_name_is_reported(tmp_path: Path, name: str) -> None:
    assert refusal(put, tmp_path / name).endswith("contains a character that no file name can have")


def test_a_line_break_in_the_name_does_not_break_the_sentence(tmp_path: Path) -> None:
    assert r"a\nb" in refusal(put, tmp_path / "a\nb" / "figure.png")


def test_a_circle_of_links_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert refusal(put, tmp_path / "a").endswith("its symbolic links lead in a circle")


def test_a_device_is_not_replaced_by_a_file() -> None:
    assert refusal(put, Path(os.devnull)) == f"cannot write {os.devnull}: it is a device or a pipe, not a file"
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    (tmp_path / "figure.png").write_bytes(b"old")
    with (
        pytest.raises(FileError, match=r"figure\.png: the disk is full$"),
        writing(tmp_path / "figure.png"),
    ):
        Path("/dev/full").write_bytes(b"more than it takes")
    assert (tmp_path / "figure.png").read_bytes() == b"old"
    assert names_in(tmp_path) == ["figure.png"]


def test_a_writer_that_runs_out_of_room_leaves_the_older_file(tmp_path: Path) -> None:
    """The kernel stops the file at 64 kB, in a process of its own, since the limit cannot be raised again."""
    (tmp_path / "numbers.npy").write_bytes(b"old")
    program = """
import resource, sys
from pathlib import Path
from posenc_gui.files.atomic import writing
from posenc_gui.files.errors import FileError
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    with writing(Path("numbers.npy")) as stream:
        for _ in range(100):
            stream.write(bytes(10000))
except FileError as error:
    print(error)
"""
    root = Path(__file__).parents[3]
    process = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == "cannot write numbers.npy: the file would be larger than the system allows\n"
    assert process.stderr == ""
    assert (tmp_path / "numbers.npy").read_bytes() == b"old"
    assert names_in(tmp_path) == ["numbers.npy"]


@pytest.mark.parametrize(
    ("folder", "reason"),
    # Even root may not create a file in these folders of the kernel.
    [("/proc", "the folder /proc accepts no files"), ("/sys", "permission is denied")] if LINUX else [],
)
def test_a_folder_that_takes_no_files_is_named(folder: str, reason: str) -> None:
    message = refusal(put, Path(folder, "figure.png"))
    assert message.startswith(f"cannot write {folder}/figure.png: ")
    assert message.endswith((reason, "the disk is read-only"))  # in some containers /sys is


def test_only_the_last_level_of_a_folder_is_made(tmp_path: Path) -> None:
    make_folder(tmp_path / "pictures")
    make_folder(tmp_path / "pictures")  # it may be there already
    assert (tmp_path / "pictures").is_dir()
    deep = tmp_path / "a" / "b"
    assert refusal(make_folder, deep) == f"cannot create {deep}: the folder {tmp_path / 'a'} does not exist"
    (tmp_path / "file").write_bytes(b"")
    assert refusal(make_folder, tmp_path / "file").endswith("a file of that name is there")
    assert refusal(make_folder, tmp_path / "file" / "b").endswith(f"{tmp_path / 'file'} is not a folder")
