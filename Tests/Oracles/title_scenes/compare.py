"""What is measured of two pictures. Pictures are arrays of doubles, 0 to 255, without alpha."""
import json
import struct
import subprocess

import numpy as np

from . import describe

# Pixels for the edges of boxes, the centers of pictures and the widths of text, codes for areas and for blurs.
EDGE, CENTER, WIDTH, AREA, GAUSSIAN = 0.5, 0.25, 0.2, 8, 2
# Browsers put the baselines of text on whole pixels. Chromium rounds the ascent, and moves it up by one pixel if the descent was
# rounded down.
BASELINE = 1
# How much more or less of the ground letters may cover, in percent: browsers and cairo differ in the edges of thin strokes.
INK = 3


def around(picture, reach):
    """The least and the largest value in the neighborhood of each pixel."""
    padded = np.pad(picture, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    height, width = picture.shape[:2]
    parts = [padded[y:y + height, x:x + width] for y in range(2 * reach + 1) for x in range(2 * reach + 1)]
    return np.min(parts, axis=0), np.max(parts, axis=0)


def beyond(one, other):
    """How far each value of one is from those within a pixel of it in the other."""
    low, high = around(other, 1)
    return np.maximum(np.maximum(low - one, one - high), 0)


def flat(ours, theirs):
    """The largest difference in codes where both are even."""
    even = [np.subtract(*reversed(around(each, 1))).max(axis=2) <= AREA for each in (ours, theirs)]
    differs = np.where(even[0] & even[1], np.abs(ours - theirs).max(axis=2), 0)
    y, x = np.unravel_index(differs.argmax(), differs.shape)
    return float(differs[y, x]), (int(x), int(y))


def areas(ours, theirs):
    """The largest difference in codes that no edge within a pixel explains, and its place."""
    both = np.maximum(beyond(ours, theirs), beyond(theirs, ours)).max(axis=2)
    y, x = np.unravel_index(both.argmax(), both.shape)
    return float(both[y, x]), (int(x), int(y))


def color(value):
    return np.array([int(value[index:index + 2], 16) for index in (1, 3, 5)], dtype=float)


def part(mixed, outer, inner):
    """How much of a pixel is covered."""
    span = inner - outer
    return float(np.clip(np.dot(mixed - outer, span) / max(np.dot(span, span), 1e-9), 0, 1))


def box(picture, value):
    """The edges of the area of a color, by the parts of pixels at its ends: left, top, width, height."""
    inner = color(value)
    same = np.abs(picture - inner).max(axis=2) <= 2
    if not same.any():
        return None
    ends = []
    for plane, mask in ((picture, same), (picture.transpose(1, 0, 2), same.T)):
        columns = np.nonzero(mask.any(axis=0))[0]
        for column, step in ((columns[0], -1), (columns[-1], 1)):
            rows = np.nonzero(mask[:, column])[0]
            row, limit = rows[len(rows) // 2], plane.shape[1] - 1
            beside, beyond_it = np.clip(column + step, 0, limit), np.clip(column + 2 * step, 0, limit)
            covered = part(plane[row, beside], plane[row, beyond_it], inner) if beside != column else 0
            ends.append(column - covered if step < 0 else column + 1 + covered)
    return [ends[0], ends[2], ends[1] - ends[0], ends[3] - ends[2]]


def boxes(picture, scene, found):
    """The largest difference of the edges of named boxes from those of the page, in pixels."""
    worst, name = 0.0, ""
    for node in describe.walk(scene.nodes):
        if not node.get("name") or "backgroundColor" not in node:
            continue
        theirs = found[node["name"]]
        ours = box(picture, node["backgroundColor"])
        if ours is None:
            ours = [theirs[0], theirs[1], 0, 0]
        ends = [(left, top, left + width, top + height) for left, top, width, height in (ours, theirs)]
        differs = max(abs(one - other) for one, other in zip(*ends))
        if differs > worst:
            worst, name = differs, node["name"]
    return worst, name


def ink(picture):
    """How much of the ground is covered, and where its center is."""
    ground = color(describe.GROUND)
    weights = np.abs(picture - ground).sum(axis=2) / 255 / 3
    weights[weights < 0.008] = 0
    total = weights.sum()
    rows, columns = np.indices(weights.shape)
    if total == 0:
        return 0.0, (0.0, 0.0)
    return float(total), (float((weights * columns).sum() / total), float((weights * rows).sum() / total))


def moments(ours, theirs):
    """The distances of the centers of what is drawn across and down, in pixels, and the difference of its amount as a part."""
    (area, center), (other, middle) = ink(ours), ink(theirs)
    return abs(center[0] - middle[0]), abs(center[1] - middle[1]), abs(area - other) / max(other, 1e-9)


def units_per_em(font):
    with open(font, "rb") as file:
        data = file.read()
    for index in range(struct.unpack(">H", data[4:6])[0]):
        tag, _, offset, _ = struct.unpack(">4sIII", data[12 + 16 * index:28 + 16 * index])
        if tag == b"head":
            return struct.unpack(">H", data[offset + 18:offset + 20])[0]
    raise ValueError(f"{font} has no head table")


def shaped(font, string, size, features=None, language=None):
    """The width of a line as HarfBuzz shapes it, in pixels."""
    command = ["hb-shape", "--output-format=json", "--no-glyph-names", font, string]
    if features:
        command.insert(1, "--features=" + ",".join(f"{name}={value}" for name, value in features.items()))
    if language:
        command.insert(1, f"--language={language}")
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return sum(each["ax"] for each in json.loads(made)) * size / units_per_em(font)
