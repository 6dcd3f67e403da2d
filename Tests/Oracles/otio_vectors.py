"""Prints random time arithmetic as OpenTimelineIO does it, one JSON object a line.

Usage: otio_vectors.py SEED COUNT

Times are written "value/rate". A result is a time in seconds ("seconds"), a time range in seconds ("range": [start, end]), a
truth ("truth") or a frame number ("frame").
"""

import json
import random
import sys

from opentimelineio.opentime import RationalTime, TimeRange, TimeTransform

RATES = [1, 24, 25, 30, 48, 50, 60, 120, 600, 1000, 24000, 30000, 44100, 48000, 90000]


def text(time):
    return f"{int(time.value)}/{int(time.rate)}"


def random_time(seconds=100, sign=True):
    rate = random.choice(RATES)
    low = -seconds * rate if sign else 0
    # Whole seconds now and then, so that equal times at different rates and ranges that meet occur.
    if random.random() < 0.4:
        return RationalTime(random.randint(-5 if sign else 0, 5) * rate, rate)
    return RationalTime(random.randint(low, seconds * rate), rate)


def random_range():
    return TimeRange(random_time(10), random_time(10, sign=False))


def emit(operation, times, **result):
    print(json.dumps({"operation": operation, "times": [text(time) for time in times], **result}))


def times_of(*ranges):
    return [time for item in ranges for time in (item.start_time, item.duration)]


def seconds_of(item):
    return [item.start_time.to_seconds(), item.end_time_exclusive().to_seconds()]


def one():
    a, b = random_time(), random_time()
    emit("add", [a, b], seconds=(a + b).to_seconds())
    emit("subtract", [a, b], seconds=(a - b).to_seconds())
    emit("less", [a, b], truth=a < b)
    emit("equal", [a, b], truth=a == b)
    frames = random_time(sign=False)
    rate = random.choice(RATES)
    scaled = frames.value * rate / frames.rate
    # OpenTimelineIO divides doubles: close to a whole frame its floor is a matter of luck.
    if abs(scaled - round(scaled)) > 1e-6 or scaled == round(scaled):
        emit("frame", [frames, RationalTime(1, rate)], frame=frames.rescaled_to(rate).to_frames())

    p, q, t = random_range(), random_range(), random_time(12)
    emit("end", times_of(p), seconds=p.end_time_exclusive().to_seconds())
    emit("contains", times_of(p) + [t], truth=p.contains(t))
    if p.duration.value > 0 and q.duration.value > 0:
        emit("intersects", times_of(p, q), truth=p.intersects(q))
    emit("union", times_of(p, q), range=seconds_of(p.extended_by(q)))
    offset, factor = random_time(10), random.choice([1, 2, 3, 4])
    transform = TimeTransform(offset=offset, scale=factor)
    if p.duration.value > 0:
        moved = transform.applied_to(p)
        if all(time.value == int(time.value) for time in times_of(moved)):
            emit("map", times_of(p, moved) + [t], seconds=transform.applied_to(t).to_seconds())


def main():
    random.seed(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        one()


main()
