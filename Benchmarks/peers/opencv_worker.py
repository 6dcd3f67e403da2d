"""OpenCV's part, in a process of its own: `opencv_worker.py alone W2 FRAMES STEM…` prints milliseconds of processor time a frame on one
thread; `opencv_worker.py whole W2 FRAMES MOVIE…` reads movies and writes opencv.mp4 through ffmpeg, planes of 4:2:0 in between.
"""

import math
import subprocess
import sys
import time

import cv2
import numpy

W, H = 1920, 1080


def planes(data, width, height):
    luma, chroma = width * height, (width // 2) * (height // 2)
    y = data[:luma].reshape(height, width)
    u = data[luma:luma + chroma].reshape(height // 2, width // 2)
    v = data[luma + chroma:luma + 2 * chroma].reshape(height // 2, width // 2)
    return [y, u, v]


def dissolve(sources, t):
    return [cv2.addWeighted(a, 1 - t, b, t, 0) for a, b in zip(*sources)]


def turning(sources, t):
    # Reduced first, so that the rotation reads a quarter of the samples and does not alias. Only the box around the inset is
    # worked on: outside of the inset, it keeps what is below it.
    angle, out = math.radians(30 * t), []
    for index, (a, b) in enumerate(zip(*sources)):
        unit = 0.5 if index else 1.0
        x, y = (480 + 100 + 400 * t) * unit, (270 + 50 + 200 * t) * unit
        small = cv2.resize(b, (b.shape[1] // 2, b.shape[0] // 2), interpolation=cv2.INTER_AREA)
        half_width, half_height = small.shape[1] / 2, small.shape[0] / 2
        reach_x = half_width * math.cos(angle) + half_height * math.sin(angle)
        reach_y = half_width * math.sin(angle) + half_height * math.cos(angle)
        left, top = max(0, math.floor(x - reach_x)), max(0, math.floor(y - reach_y))
        right, bottom = min(a.shape[1], math.ceil(x + reach_x)), min(a.shape[0], math.ceil(y + reach_y))
        # Positions are those of the samples' centers.
        turn = cv2.getRotationMatrix2D((half_width - 0.5, half_height - 0.5), -30 * t, 1)
        turn[0, 2] += x - left - half_width
        turn[1, 2] += y - top - half_height
        made = a.copy()
        region = made[top:bottom, left:right]
        inset = cv2.warpAffine(small, turn, (right - left, bottom - top), dst=region.copy(), flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_TRANSPARENT)
        cv2.addWeighted(inset, 0.8, region, 0.2, 0, dst=region)
        out.append(made)
    return out


def grid(sources, t):
    out = [numpy.empty((H >> s, W >> s), numpy.uint8) for s in (0, 1, 1)]
    for index, source in enumerate(sources):
        for target, plane, level in zip(out, source, (16 + 13.0 * 0.86, 128, 128)):
            h, w = target.shape[0] // 4, target.shape[1] // 4
            y, x = index // 4 * h, index % 4 * w
            small = cv2.resize(plane, (w, h), interpolation=cv2.INTER_AREA)
            target[y:y + h, x:x + w] = cv2.convertScaleAbs(small, alpha=0.9, beta=0.1 * level)
    return out


def reduced(sources, t):
    # Blended first, so that one frame is reduced instead of two: two thirds of the time of the other order.
    return [cv2.resize(p, (p.shape[1] // 2, p.shape[0] // 2), interpolation=cv2.INTER_AREA) for p in dissolve(sources, t)]


def upright(sources, t):
    out = []
    for index, plane in enumerate(sources[0]):
        s = 1 if index else 0
        left = 656 >> s
        middle = plane[:, left:left + (608 >> s)]
        # At a quarter of the size: 59 dB from blurring all of it, in a third of the time.
        small = cv2.resize(middle, (middle.shape[1] // 4, middle.shape[0] // 4), interpolation=cv2.INTER_AREA)
        blurred = cv2.GaussianBlur(small, (0, 0), 3 / (1 + s))
        frame = cv2.resize(blurred, (1080 >> s, 1920 >> s), interpolation=cv2.INTER_LINEAR)
        frame[656 >> s:(656 + 608) >> s] = cv2.resize(plane, (1080 >> s, 608 >> s), interpolation=cv2.INTER_AREA)
        out.append(frame)
    return out


def cut(sources, t):
    return sources[0] if t < 0.5 else sources[1]


WORKS = {"W1": cut, "W2": dissolve, "W3": turning, "W6": grid, "W9": reduced, "W11": upright}


def position(name, index, frames):
    """The time of a frame from 0 to 1: the motion of W3 ends with the last frame, a dissolve would with the one after it."""
    return index / max(1, frames - 1) if name == "W3" else index / frames


def alone(name, frames, stems):
    cv2.setNumThreads(1)
    width, height = (2 * W, 2 * H) if name == "W9" else (W, H)
    size = width * height * 3 // 2
    loaded = {}
    for stem in stems:
        data = numpy.fromfile(stem + ".yuv", numpy.uint8)
        loaded[stem] = [planes(data[i * size:(i + 1) * size], width, height) for i in range(len(data) // size)]
    work = WORKS[name]
    for warm in range(2):
        work([loaded[stem][warm] for stem in stems], 0.3)
    start = time.process_time()
    for index in range(frames):
        work([loaded[stem][(index + 3 * place) % len(loaded[stem])] for place, stem in enumerate(stems)],
             position(name, index, frames))
    print(1000 * (time.process_time() - start) / frames)


def whole(name, frames, movies):
    width, height = (2 * W, 2 * H) if name == "W9" else (W, H)
    out = "1080x1920" if name == "W11" else f"{W}x{H}"
    readers = []
    for index, movie in enumerate(movies):
        start = ["-ss", "2"] if name == "W1" and index == 1 else []
        readers.append(subprocess.Popen(
            ["ffmpeg", "-v", "error", "-nostdin", *start, "-i", movie, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"],
            stdout=subprocess.PIPE, bufsize=width * height * 3 // 2))
    writer = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", out, "-r", "30", "-i", "-", "-c:v", "libx264",
         "-preset", "veryfast", "-crf", "23", "opencv.mp4"], stdin=subprocess.PIPE)
    size = width * height * 3 // 2
    work = WORKS[name]
    for index in range(frames):
        shown = readers
        if name == "W1":
            shown = [readers[0] if index < frames // 2 else readers[1]]
        data = [numpy.frombuffer(reader.stdout.read(size), numpy.uint8) for reader in shown]
        sources = [planes(one, width, height) for one in data]
        made = sources[0] if name == "W1" else work(sources, position(name, index, frames))
        for plane in made:
            writer.stdin.write(numpy.ascontiguousarray(plane).tobytes())
    writer.stdin.close()
    for reader in readers:
        reader.stdout.close()
        reader.wait()
    sys.exit(writer.wait())


if __name__ == "__main__":
    kind, name, frames, inputs = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
    alone(name, frames, inputs) if kind == "alone" else whole(name, frames, inputs)
