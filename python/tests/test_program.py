"""Runs of the icount program: an interrupt ends it, its messages come back."""

import os
import signal
import subprocess
import threading
import time

import pytest

from icount import program
from icount.torch_benchmark import Timer


@pytest.fixture
def fake_program(tmp_path, monkeypatch):
    """A program of the shell text given, in icount's place."""
    def make(text):
        path = tmp_path / "icount"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        monkeypatch.setenv("ICOUNT", str(path))
        return tmp_path

    return make


@pytest.fixture
def interrupts():
    """SIGINT as Python has it in a terminal: where a script started the tests in the background, it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def endless_program(fake_program):
    """Folder of a program that runs until it is interrupted: `icount.begun` and `icount.ended` in it tell how far it is."""
    return fake_program(f"cd '{os.environ.get('TMPDIR', '/tmp')}'\ntrap 'touch \"$0.ended\"; exit 130' INT\n"
                        "touch \"$0.begun\"\nwhile :; do sleep 0.05; done")


def interrupt_when_begun(folder):
    while not (folder / "icount.begun").exists():
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_the_program_and_is_raised(endless_program):
    thread = threading.Thread(target=interrupt_when_begun, args=(endless_program,))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        program.run_program(["count"])
    thread.join()
    assert (endless_program / "icount.ended").exists()


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_while_the_program_starts_ends_it_and_is_raised(endless_program, monkeypatch):
    start = subprocess.Popen

    def start_and_interrupt(*arguments, **options):
        process = start(*arguments, **options)
        interrupt_when_begun(endless_program)
        return process

    monkeypatch.setattr(program.subprocess, "Popen", start_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        program.run_program(["count"])
    assert (endless_program / "icount.ended").exists()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("interrupts")
def test_a_program_that_is_not_there_leaves_interrupts_as_they_were(monkeypatch):
    monkeypatch.setenv("ICOUNT", "/nowhere/icount")
    with pytest.raises(FileNotFoundError):
        program.run_program([])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_messages_leave_progress_out(fake_program):
    fake_program("echo out; echo 'icount: starting Python under Callgrind' >&2; echo 'icount: no such thing' >&2; exit 3")
    run = program.run_program([])
    assert (run.exit_code, run.output, run.message()) == (3, "out\n", "no such thing")


def test_two_threads_run_two_programs(fake_program):
    fake_program("sleep 0.2; echo $1")
    outputs = {}
    threads = [threading.Thread(target=lambda n=n: outputs.update({n: program.run_program([str(n)]).output})) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outputs == {1: "1\n", 2: "2\n"}


@pytest.mark.parametrize("said, told", [
    ("--number 0: not a whole number between 1 and 9\nsee 'icount count --help'", "`number` 0: not a whole number between 1 and 9"),
    ("--num-threads -1: not a whole number between 1 and 9", "`num_threads` -1: not a whole number between 1 and 9"),
    ("so the count may move; --repeats 3 shows by how much", "so the count may move; `repeats=3` shows by how much"),
    ("did not finish within 600 s and was stopped; --timeout sets the limit", "did not finish within 600 s and was stopped"),
    ("Valgrind runs the old one; count it with --callgrind-option --smc-check=all", "Valgrind runs the old one"),
    ("use its result, as in icount::keep(y), or pass --allow-dead", "use its result, as in icount::keep(y)"),
    ("no LibTorch found: none by --torch, none below /usr; install one (apt-get install libtorch-dev, or pip install torch), or "
     "count plain C++ with --no-torch", "no LibTorch found; install one (apt-get install libtorch-dev, or pip install torch)"),
    ("this clock does not wait for it: use --device cuda, or --cuda-sync if the statement itself waits", "this clock does not wait for it"),
    ("stmt:1:3: invalid syntax", "stmt:1:3: invalid syntax"),
])
def test_messages_of_the_program_speak_of_arguments(said, told):
    assert program.in_words_of_python(said) == told


def test_an_argument_that_the_program_refuses_is_a_value_error():
    for measure in (lambda: Timer("pass").collect_callgrind(10**15), lambda: Timer("pass", num_threads=10**9).collect_callgrind(),
                    lambda: Timer(";", language="c++").blocked_autorange(min_run_time=-1)):
        with pytest.raises(ValueError, match="^`[a-z_]+` [^`]*$") as refused:
            measure()
        assert "--" not in str(refused.value) and refused.value.__cause__ is refused.value.__context__ is None
