"""Edits tracks as OpenTimelineIO does it: reads one edit a line from a file, prints the edited track after each.

Times are integers in units of one rate for a whole sequence, so that OpenTimelineIO's doubles hold them exactly. A clip's source range is in
track time, as OpenTimelineIO has it; what it plays is written down beside it as a line (media = anchor + rate * local time) in fractions.
Cutting, rippling, gaps and lengths are all OpenTimelineIO's: its children, their ranges in the track, and its range arithmetic.
"""

import json
import sys
from fractions import Fraction

import opentimelineio as otio

RationalTime = otio.opentime.RationalTime
TimeRange = otio.opentime.TimeRange
schema = otio.schema


class Editor:
    def __init__(self, rate):
        self.rate = rate
        self.track = schema.Track()
        self.lines = {}

    def span(self, start, duration):
        return TimeRange(RationalTime(start, self.rate), RationalTime(duration, self.rate))

    def clip(self, source, anchor, rate, start, duration):
        name = str(len(self.lines))
        self.lines[name] = (source, anchor, rate)
        clip = schema.Clip(name=name, source_range=self.span(start, duration))
        if rate == 0:
            clip.effects.append(schema.FreezeFrame())
        elif rate != 1:
            clip.effects.append(schema.LinearTimeWarp(time_scalar=float(rate)))
        return clip

    def length(self):
        return self.track.duration().value if len(self.track) else 0

    def split(self, time):
        """Index of the child that starts at a time."""
        if time >= self.length():
            return len(self.track)
        moment = RationalTime(time, self.rate)
        child = self.track.child_at_time(moment, shallow_search=True)
        index = self.track.index(child)
        whole = self.track.range_of_child_at_index(index)
        if whole.start_time == moment:
            return index
        before, after = TimeRange(whole.start_time, moment - whole.start_time), whole.end_time_exclusive() - moment
        second = child.clone()
        source = child.source_range
        child.source_range = TimeRange(source.start_time, before.duration)
        second.source_range = TimeRange(source.start_time + before.duration, after)
        self.track.insert(index + 1, second)
        return index + 1

    def place(self, children, time):
        if time > self.length():
            self.track.append(schema.Gap(source_range=self.span(0, time - self.length())))
        index = self.split(time)
        for child in reversed(children):
            self.track.insert(index, child)

    def insert(self, ranges, time):
        self.place([self.clip(source, Fraction(0), Fraction(1), start, count) for source, start, count in ranges],
                   self.length() if time is None else time)

    def freeze(self, source, media, duration, time):
        self.place([self.clip(source, Fraction(media), Fraction(0), 0, duration)], time)

    def insert_empty(self, start, duration):
        if start < self.length():
            self.place([schema.Gap(source_range=self.span(0, duration))], start)

    def remove(self, start, duration):
        first, last = self.split(start), self.split(start + duration)
        del self.track[first:last]

    def scale(self, start, duration, target):
        first, last = self.split(start), self.split(start + duration)
        factor = Fraction(target, duration)
        for index in range(first, last):
            child = self.track[index]
            count = exact(Fraction(child.source_range.duration.value) * factor)
            if isinstance(child, schema.Gap):
                self.track[index] = schema.Gap(source_range=self.span(0, count))
                continue
            source, anchor, rate = self.lines[child.name]
            anchor += rate * Fraction(child.source_range.start_time.value)
            self.track[index] = self.clip(source, anchor, rate / factor, 0, count)

    def copy(self, start, duration, time):
        """Inserts what the track itself plays during a range, as an algorithm of OpenTimelineIO cuts it out."""
        part = otio.algorithms.track_trimmed_to_range(self.track, self.span(start, duration))
        missing = start + duration - max(start, self.length())
        children = [child.clone() for child in part]
        if missing > 0:
            children.append(schema.Gap(source_range=self.span(0, missing)))
        self.place(children, time)

    def described(self):
        """For each child: its source (-1 for a gap), the anchor and the rate of its line as numerators and denominators, start and duration of
        its source range."""
        numbers = []
        length = 0
        for child in self.track:
            span = child.source_range
            start, duration = whole(span.start_time), whole(span.duration)
            length += duration
            if isinstance(child, schema.Gap):
                numbers += (-1, 0, 1, 0, 1, 0, duration)
            else:
                source, anchor, rate = self.lines[child.name]
                numbers += (
                    source, anchor.numerator, anchor.denominator, rate.numerator, rate.denominator, start, duration)
        assert length == self.length()
        return " ".join(map(str, numbers))


def whole(time):
    number = int(time.value)
    assert number == time.value
    return number


def exact(fraction):
    assert fraction.denominator == 1 and fraction < 1 << 53, fraction
    return fraction.numerator


def main(path):
    editors = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            operation, *arguments = json.loads(line)
            if operation == "tracks":
                rate, count = arguments
                editors = [Editor(rate) for _ in range(count)]
                continue
            index, *arguments = arguments
            getattr(editors[index], operation)(*arguments)
            print(editors[index].described())


main(sys.argv[1])
