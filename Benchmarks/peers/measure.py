"""Runs commands and measures their cost: wall time, processor time of the whole tree, and the memory of its largest process."""

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Cost:
    """The cost of one command."""

    wall: float  # seconds
    processor: float  # seconds, user and system, with children
    memory: float  # MiB, of the largest process


class Failed(Exception):
    """A command that failed; the message is the end of its output."""


def run(command, folder, environment=None):
    """Runs a command (a list of arguments, or a string for the shell) in a folder; raises Failed."""
    arguments = ["bash", "-c", "set -o pipefail; " + command] if isinstance(command, str) else command
    with tempfile.TemporaryFile() as log:
        start = time.monotonic()
        process = subprocess.Popen(
            arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        said = log.read().decode(errors="replace")
    if process.returncode != 0:
        raise Failed(f"status {process.returncode}: {said.strip()[-400:]}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), said


def found(program):
    """Whether a program is in the search path."""
    return shutil.which(program) is not None


def output(*arguments):
    """The output of a program, or an empty string if it cannot be run."""
    try:
        return subprocess.run(arguments, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def words(command):
    """A command as typed in a shell."""
    if isinstance(command, str):
        return command
    return " ".join(word if word and all(c.isalnum() or c in "-_./:=,%+@" for c in word) else f"'{word}'" for word in command)


def similarity(first, second, folder):
    """The PSNR of two movies over all planes, as ffmpeg writes it; a dash if they cannot be compared."""
    said = subprocess.run(["ffmpeg", "-nostdin", "-i", first, "-i", second, "-lavfi", "psnr", "-f", "null", "-"],
                          cwd=folder, capture_output=True, text=True).stderr
    if "average:" not in said:
        return "–"
    value = said.split("average:")[-1].split()[0]
    return value if value == "inf" else f"{float(value):.1f}"
