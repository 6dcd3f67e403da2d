"""The results as tables in Markdown."""

from dataclasses import dataclass

PROGRAMS = ["ours", "ffmpeg", "gstreamer", "opencv", "melt"]


@dataclass
class Difference:
    """Seconds of processor time of a command with the work, and of one without it, for a number of frames."""

    done: float
    plain: float
    frames: int


def least(values):
    """The best of all passes, since other programs can only add to a time; of differences, that of the best of either command.

    The least of the differences would be that of the pass in which the command without the work was disturbed most.
    """
    if not isinstance(values[0], Difference):
        return min(values)
    return 1000 * (min(value.done for value in values) - min(value.plain for value in values)) / values[0].frames


class Tables:
    def __init__(self, frames, passes):
        self.frames, self.passes = frames, passes
        self.readings = {"alone": {}, "whole": {}}
        self.refusals, self.notes, self.alike = {}, {}, {}
        self.titles, self.versions = {}, {}

    def add(self, kind, work, program, value):
        self.readings[kind].setdefault(work, {}).setdefault(program, []).append(value)

    def has(self, kind, work, program):
        return bool(self.readings[kind].get(work, {}).get(program))

    def refuse(self, kind, work, program, reason):
        self.refusals[(work, program, kind)] = reason

    def note(self, kind, work, route, error):
        self.notes[work] = (route, error)

    def markdown(self):
        programs = [program for program in PROGRAMS if program == "ours" or program in self.versions]
        parts = [f"{', '.join(self.versions.values())}; best of {self.passes} alternating passes, {self.frames} frames.", ""]
        if self.readings["alone"]:
            parts += self.alone(programs) + [""]
        if self.readings["whole"]:
            parts += self.whole(programs) + [""]
        return "\n".join(parts + self.limits()) + "\n"

    def alone(self, programs):
        shown = [program for program in programs if program != "melt"]
        lines = ["The work alone, milliseconds of processor time of a frame, one thread:", "",
                 "| work | " + " | ".join(shown) + " | best peer ÷ ours | route | max err |", "|---" * (len(shown) + 4) + "|"]
        for work, byProgram in self.readings["alone"].items():
            best = {program: least(values) for program, values in byProgram.items()}
            # A difference of nothing is no time that could be compared.
            peers = [value for program, value in best.items() if program != "ours" and value > 0]
            ratio = f"{min(peers) / best['ours']:.1f} ×" if peers and "ours" in best else "–"
            route, error = self.notes.get(work, ("–", None))
            cells = [f"{best[program]:.2f}" if program in best else "–" for program in shown]
            lines.append(f"| {work} {self.titles.get(work, '')} | " + " | ".join(cells)
                         + f" | {ratio} | {route} | {'–' if error is None else f'{error:.2f}'} |")
        return lines

    def whole(self, programs):
        lines = ["From files to a file, wall seconds (processor seconds, MiB of the largest process):", "",
                 "| work | " + " | ".join(programs) + " | best peer ÷ ours | PSNR of theirs and ours, dB |",
                 "|---" * (len(programs) + 3) + "|"]
        for work, byProgram in self.readings["whole"].items():
            best = {program: min(costs, key=lambda cost: cost.wall) for program, costs in byProgram.items()}
            peers = [cost.wall for program, cost in best.items() if program != "ours"]
            ratio = f"{min(peers) / best['ours'].wall:.2f} ×" if peers and "ours" in best else "–"
            cells = [f"{best[p].wall:.1f} ({best[p].processor:.1f}, {best[p].memory:.0f})" if p in best else "–" for p in programs]
            lines.append(f"| {work} {self.titles.get(work, '')} | " + " | ".join(cells) + f" | {ratio} | {self.likeness(work)} |")
        return lines

    def likeness(self, work):
        alike = self.alike.get(work, {})
        return ", ".join(f"{program} {value}" for program, value in alike.items()) or "–"

    def limits(self):
        lines = ["What is missing in the tables, and why:", ""]
        byReason = {}
        for (work, program, kind), reason in self.refusals.items():
            byReason.setdefault((program, reason), []).append(f"{work} ({kind})")
        for (program, reason), places in sorted(byReason.items()):
            lines.append(f"- {program}, {', '.join(dict.fromkeys(places))}: {' '.join(reason.split())}")
        return lines
