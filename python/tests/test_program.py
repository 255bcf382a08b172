"""Runs of the icount program: an interrupt ends it, its messages come back."""

import os
import signal
import threading

import pytest

from icount import program


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


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_the_program_and_is_raised(fake_program):
    folder = fake_program(f"cd '{os.environ.get('TMPDIR', '/tmp')}'\ntrap 'touch \"$0.ended\"; exit 130' INT\n"
                          "touch \"$0.begun\"\nwhile :; do sleep 0.05; done")

    def interrupt():
        while not (folder / "icount.begun").exists():
            pass
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        program.run_program(["count"])
    thread.join()
    assert (folder / "icount.ended").exists()


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
