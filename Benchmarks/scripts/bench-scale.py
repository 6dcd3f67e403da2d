"""The measurements of bench-scale, which starts it: the tool, what to measure, the folders of media and of results, and the number of runs."""

import json, os, subprocess, sys, time
tool, what, media, work = sys.argv[1:5]
repeats = int(sys.argv[5])

def run(*arguments, status=0):
    """Wall seconds, processor seconds and peak MiB of one run."""
    log = open(f"{work}/log", "w+b")
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    _, code, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(code)
    log.seek(0)
    text = log.read().decode(errors="replace")
    if process.returncode != status:
        sys.exit(f"{' '.join(arguments)}: status {process.returncode}\n{text[-2000:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text

def table(rows, repeats=repeats):
    """Runs the commands of rows of a name and a command alternately; for each the least wall and processor time and the largest peak."""
    found = {name: [] for name, _ in rows}
    for _ in range(repeats):
        for name, command in rows:
            found[name].append(run(*command))
    best = {name: (min(r[0] for r in runs), min(r[1] for r in runs), max(r[2] for r in runs)) for name, runs in found.items()}
    width = max(len(name) for name in best)
    print(f"{'':{width}}  {'wall s':>8}  {'cpu s':>8}  {'MiB':>6}")
    for name, (wall, cpu, peak) in best.items():
        print(f"{name:{width}}  {wall:8.3f}  {cpu:8.3f}  {peak:6.0f}", flush=True)
    return best

def write(name, before, lines=(), after=""):
    """Writes line by line: the largest memory of this process counts as that of the processes that it starts."""
    path = f"{work}/{name}.json5"
    with open(path, "w") as file:
        file.write(before)
        file.writelines(lines)
        file.write(after)
    return path

OUTPUT = 'output: { size: "64x36", frameRate: 30, audio: false, video: { encoderSpeed: "ultrafast" } }'
PLATES = 'a: { generate: "bars", size: "64x36" }, b: { generate: "color", color: "#336699", size: "64x36" }'

def instructions(count):
    """So many instructions of one frame, of two layers each."""
    lines = (f'    {{ duration: "1f", layers: [{{ track: "b", opacity: {i % 10 / 10} }}, {{ track: "a" }}] }},\n' for i in range(count))
    return write(f"instructions-{count}", f"""{{ version: 1, {OUTPUT}, assets: {{ {PLATES} }},
  tracks: [
    {{ name: "a", clips: [{{ asset: "a", duration: "{count}f" }}] }}, {{ name: "b", clips: [{{ asset: "b", duration: "{count}f" }}] }},
  ],
  instructions: [
""", lines, "  ],\n}")

def clips(count):
    """So many clips of three frames, from which instructions are derived."""
    lines = (f'    {{ asset: "{"ab"[i % 2]}", in: "{i % 100}f", duration: "3f" }},\n' for i in range(count))
    return write(f"clips-{count}", f"{{ version: 1, {OUTPUT}, assets: {{ {PLATES} }}, tracks: [{{ clips: [\n", lines, "  ] }],\n}")

def render(project, *options):
    return [tool, "render", project, "-o", f"{work}/out.mp4", "--overwrite", "--progress", "none", *options]

def load():
    print("== load: `compositor validate`, from the start of the process to its end")
    few, many, cut, cuts = instructions(100), instructions(100_000), clips(100), clips(100_000)
    table([(name, [tool, "validate", path]) for name, path in
           [("100 instructions", few), ("100,000 instructions", many), ("100 clips", cut), ("100,000 clips", cuts)]])
    print("== cost of a frame: 2,000 frames more from the middle of each, less one; a timeline of 2,100 instructions beside it")
    some = instructions(2_100)
    best = table([(f"{name}, {frames} frames", render(path, "--range", f"{start}f..{start + frames}f"))
                  for name, path, start in [("2,100", some, 50), ("100,000", many, 50_000)] for frames in (1, 2_001)])
    for name in ("2,100", "100,000"):
        one, all_ = best[f"{name}, 1 frames"], best[f"{name}, 2001 frames"]
        print(f"{name} instructions: {(all_[1] - one[1]) / 2:.4f} ms of processor time a frame")

def movie(name, seconds, size, group, *options):
    """A movie with a key frame every so many frames, made once."""
    path = f"{media}/scale-{name}.mp4"
    if not os.path.exists(path):
        part = f"{path}.part.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                        f"testsrc2=s={size}:r=30:d={seconds},noise=alls=8:allf=t", "-c:v", "libx264", "-preset", "veryfast", "-g",
                        str(group), "-sc_threshold", "0", "-pix_fmt", "yuv420p", *options, part], check=True)
        os.rename(part, path)
    return path

def cut(name, files, count, frames, step):
    """So many clips of so many frames; each begins `step` frames after the one before in its file."""
    assets = ", ".join(f'"{i}": "{file}"' for i, file in enumerate(files))
    lines = "".join(
        f'    {{ asset: "{i % len(files)}", in: "{i * step % 2997}f", duration: "{frames}f" }},\n' for i in range(count))
    return write(name, f"""{{ version: 1, output: {{ frameRate: 30, audio: false, video: {{ encoderSpeed: "ultrafast" }} }},
  assets: {{ {assets} }}, tracks: [{{ clips: [
{lines}  ] }}],
}}""")

def decoded(project):
    """How many pictures a render of a project decodes."""
    run(*render(project, "--profile", f"{work}/trace.json"))
    with open(f"{work}/trace.json") as file:
        trace = json.load(file)
    return sum(event["name"] == "decode" for event in trace["traceEvents"] if event["ph"] == "X")

def many_clips():
    print("== clips: 3,000 frames of 1080p H.264 in which every picture decodes alone and in its place, so that each decoded one is counted")
    file = movie("1080-1", 100, "1920x1080", 1, "-bf", "0")
    other = movie("1080-1-b", 100, "1920x1080", 1, "-bf", "0", "-crf", "24")
    # Clips jump by 1,500 frames, so that none goes on where the one before ended.
    ten, thousand = cut("ten", [file], 10, 300, 300), cut("thousand", [file], 1000, 3, 1500 + 3)
    mixed = cut("mixed", [file, other], 1000, 3, 1500 + 3)
    rows = [("10 clips of 10 s", render(ten)), ("1,000 clips of 0.1 s", render(thousand)),
            ("1,000 clips, two files in turns", render(mixed)),
            ("ffmpeg: decode the 3,000 frames", ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", file, "-f", "null", "-"])]
    best = table(rows, repeats=min(repeats, 3))
    few, many, alone = best[rows[0][0]], best[rows[1][0]], best[rows[3][0]]
    more = decoded(thousand) - decoded(ten)
    seeks = more * alone[1] / 3000
    print(f"1,000 clips: {many[1] / few[1]:.3f} x the processor time of 10, {many[2] - few[2]:+.0f} MiB; after seeking they decode {more} pictures "
          f"more, as many as take {seeks:.1f} s: {(many[1] - seeks) / few[1]:.3f} x without these")
    print("== 10,000 clips of 0.1 s of small movies: 32 files in turns, groups of 30 frames")
    files = [movie(f"small-{i}", 100, "320x180", 30, "-metadata", f"title={i}") for i in range(32)]
    table([(name, render(path)) for name, path in
           [("10 clips", cut("small-ten", files, 10, 3, 1503)), ("10,000 clips", cut("small-many", files, 10_000, 3, 1503))]],
          repeats=1)

def wall(count):
    """One instruction of so many layers, each on a track of its own."""
    side = max(1, round(count ** 0.5))
    tracks = "".join(
        f'    {{ clips: [{{ asset: "a", duration: "10f", transform: {{ scale: {1 / side:.4f}, x: {(i % side) * 1920 // side}, '
        f'y: {(i // side % side) * 1080 // side} }} }}] }},\n' for i in range(count))
    return write(f"wall-{count}", f"""{{ version: 1,
  output: {{ size: "1920x1080", frameRate: 30, audio: false, video: {{ encoderSpeed: "ultrafast" }} }},
  assets: {{ a: {{ generate: "gradient", from: "#ff0000", to: "#0000ff", size: "320x180" }} }}, tracks: [
{tracks}  ],
}}""")

def layers():
    print("== layers: 10 frames of 1080p")
    table([(f"{count} layers", render(wall(count))) for count in (1, 10, 100, 1000)], repeats=min(repeats, 2))
    result = run(tool, "validate", wall(10_000), status=65)
    print(f"10,000 layers: refused in {result[0]:.2f} s, {result[2]:.0f} MiB: "
          + next(line for line in result[3].splitlines() if "at most" in line).strip())

def hours():
    print("== hours: ten minutes and two hours of 64x36 at 30 frames a second, with a tone")
    def long(seconds):
        return write(f"long-{seconds}", f"""{{ version: 1,
  output: {{ size: "64x36", frameRate: 30, video: {{ encoderSpeed: "ultrafast" }} }},
  assets: {{ clock: {{ generate: "clock", size: "64x36", duration: "{seconds}s", tone: 440 }} }}, tracks: [{{ clips: [{{ asset: "clock" }}] }}] }}""")
    best = table([(f"{seconds} s", [tool, "render", long(seconds), "-o", f"{work}/long.mp4", "--overwrite", "--progress", "none"])
                  for seconds in (600, 7200)], repeats=1)
    growth = best["7200 s"][2] - best["600 s"][2]
    print(f"memory grows by {growth / 110:.3f} MiB a minute")

def large():
    print("== large: 60 frames of a dissolve of two moving pictures, in 1080p and 8K")
    def dissolve(size):
        return write(f"dissolve-{size}", f"""{{ version: 1,
  output: {{ size: "{size}", frameRate: 30, audio: false, video: {{ encoderSpeed: "ultrafast" }} }},
  assets: {{ a: {{ generate: "bars", size: "{size}" }}, b: {{ generate: "clock", size: "{size}" }} }},
  tracks: [{{ clips: [{{ asset: "a", duration: "2s" }},
    {{ asset: "b", duration: "2s", transition: {{ type: "dissolve", duration: "2s" }} }}] }}] }}""")
    table([(size, [tool, "render", dissolve(size), "-o", f"{work}/large.mp4", "--overwrite", "--progress", "none"])
           for size in ("1920x1080", "7680x4320")], repeats=1)

def first():
    print("== first frame: a dissolve of two 1080p movies, from the start of the process to a raw frame in a pipe")
    one, two = movie("first-a", 10, "1920x1080", 250), movie("first-b", 10, "1920x1080", 250, "-bf", "2")
    project = write("first", f"""{{ version: 1, output: {{ frameRate: 30, audio: false }},
  assets: {{ a: "{one}", b: "{two}" }},
  tracks: [{{ clips: [{{ asset: "a", duration: "5s" }},
    {{ asset: "b", duration: "5s", transition: {{ type: "dissolve", duration: "5s" }} }}] }}] }}""")
    best = table([
        ("compositor: its first frame",
         [tool, "render", project, "-o", "-", "--container", "y4m", "--range", "0f..1f", "--progress", "none"]),
        ("compositor: --help", [tool, "--help"]),
        ("ffmpeg: decode both, one frame of each",
         ["ffmpeg", "-v", "error", "-nostdin", "-i", one, "-i", two, "-map", "0:v", "-map", "1:v", "-frames:v", "1", "-f", "null", "-"]),
        ("ffmpeg: its first frame",
         ["ffmpeg", "-v", "error", "-nostdin", "-i", one, "-i", two, "-filter_complex", "[0:v][1:v]blend=all_opacity=0.5",
          "-frames:v", "1", "-f", "yuv4mpegpipe", "-"])])
    ours, theirs = best["compositor: its first frame"][0], best["ffmpeg: decode both, one frame of each"][0]
    print(f"beyond decoding: {1000 * (ours - theirs):.0f} ms")

parts = {"load": load, "clips": many_clips, "layers": layers, "hours": hours, "large": large, "first": first}
if what != "all" and what not in parts:
    sys.exit(f"bench-scale: there is no part {what}: {', '.join(parts)}")
for name, part in parts.items():
    if what in ("all", name):
        part()
