#!/usr/bin/env python3
"""Compares titles with headless Chromium, HarfBuzz and Gaussians in double precision, scene by scene.

    browser_titles.py [--tool TOOL] [--fonts FOLDER] [--output FOLDER] [--every COUNT] [NAME …]

Each scene of title_scenes is one description, from which a project and an HTML page are made. The table has a line for each: what it
shows, how far the two pictures are apart, and the verdict. Boxes may differ by half a pixel, areas by 8 codes, widths of text by 0.2
pixels from those of hb-shape, blurs, shadows and glows by 2 codes from a Gaussian. What differs by design says why, and fails if it
no longer differs. The status is 1 if a scene fails, and 0 if Chromium is missing, with a line that says so.

What titles and CSS don't both have isn't here: grids, floats; particles, replicators, animators of letters.

With --output the projects, the pages, the pictures and a contact sheet (ours above Chromium's) are kept there.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

try:
    import numpy as np
    from PIL import Image
except ImportError as error:
    print(f"skipped: {error.name} is not installed: run scripts/oracles")
    sys.exit(0)

from title_scenes import compare, describe, every_scene

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLUMNS = 8


def chromium():
    return next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)


def fonts(folder):
    """The files of the families that the scenes use: (family, weight, style, path); those that aren't there are left out."""
    wanted = [("DejaVu Sans", 400, "normal", "DejaVuSans.ttf"), ("DejaVu Sans", 700, "normal", "DejaVuSans-Bold.ttf"),
              ("DejaVu Sans", 400, "italic", "DejaVuSans-Oblique.ttf"), ("EB Garamond", 400, "normal", "EBGaramond12-Regular.otf"),
              ("Inter", 400, "normal", "Inter-Regular.otf"), ("VL Gothic", 400, "normal", "VL-Gothic-Regular.ttf")]
    files = {}
    for place in filter(None, (folder, "/usr/share/fonts", "/usr/local/share/fonts")):
        for path in pathlib.Path(place).rglob("*.[ot]tf"):
            files.setdefault(path.name, str(path))
    return [(family, weight, style, files[name]) for family, weight, style, name in wanted if name in files]


class Pictures:
    """Renders scenes with the tool and with Chromium."""

    def __init__(self, tool, browser, faces, folder):
        self.tool, self.browser, self.faces, self.folder = tool, browser, faces, folder
        self.files = [path for _, _, _, path in faces]

    def ours(self, scene, name=None, nodes=None, ground=describe.GROUND):
        """A picture by the tool: R, G, B and A from 0 to 255."""
        path = self.folder / f"{name or scene.name}.json5"
        path.write_text(json.dumps(describe.project(scene, self.files, nodes, ground), indent=1, ensure_ascii=False))
        image = path.with_suffix(".ours.png")
        done = subprocess.run([self.tool, "frame", str(path), "--at", f"{round(scene.at * 100)}f", "-o", str(image), "--overwrite"],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[0])
        return np.asarray(Image.open(image).convert("RGBA"), dtype=float)

    def over_nothing(self, scene):
        """A renderer of nodes for the references: premultiplied, from 0 to 1."""
        def render(nodes):
            made = self.ours(scene, f"{scene.name}.part{id(nodes)}", nodes, ground=None) / 255
            made[..., :3] *= made[..., 3:]
            return made
        return render

    def run(self, page, *arguments):
        return subprocess.run(
            [self.browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-lcd-text",
             "--font-render-hinting=none", "--force-color-profile=srgb", "--allow-file-access-from-files", "--virtual-time-budget=4000",
             f"--user-data-dir={self.folder}/profile",
             *arguments, page.as_uri()], capture_output=True, text=True, check=True).stdout

    def theirs(self, scenes):
        """Pictures by Chromium, and the rectangles of named boxes, all from one page."""
        sections, frames = [], []
        for index, scene in enumerate(scenes):
            x, y = index % COLUMNS * describe.WIDTH, index // COLUMNS * describe.HEIGHT
            section, needed = describe.section(scene, index, x, y)
            sections.append(section)
            frames.append(needed)
            alone = describe.section(scene, index)
            (self.folder / f"{scene.name}.html").write_text(describe.page([alone[0]], [alone[1]], self.faces))
        page, image = self.folder / "page.html", self.folder / "page.png"
        page.write_text(describe.page(sections, frames, self.faces))
        size = (COLUMNS * describe.WIDTH, -(-len(scenes) // COLUMNS) * describe.HEIGHT)
        self.run(page, f"--screenshot={image}", f"--window-size={size[0]},{size[1]}")
        measuring = self.folder / "measuring.html"
        measuring.write_text(page.read_text() + MEASURING)
        written = re.search("<pre>(.*?)</pre>", self.run(measuring, "--dump-dom"), re.S)
        sheet = np.asarray(Image.open(image).convert("RGB"), dtype=float)
        pictures = {}
        for index, scene in enumerate(scenes):
            x, y = index % COLUMNS * describe.WIDTH, index // COLUMNS * describe.HEIGHT
            pictures[scene.name] = sheet[y:y + describe.HEIGHT, x:x + describe.WIDTH]
        return pictures, json.loads(written[1])


MEASURING = """<pre></pre><script>
document.fonts.ready.then(() => {
  const found = {}
  for (const section of document.querySelectorAll("section")) {
    const origin = section.getBoundingClientRect(), boxes = found[section.dataset.scene] = {}
    for (const box of section.querySelectorAll("[data-box]")) {
      const rect = box.getBoundingClientRect()
      boxes[box.dataset.box] = [rect.x - origin.x, rect.y - origin.y, rect.width, rect.height]
    }
  }
  document.querySelectorAll("section").forEach((section) => section.remove())
  document.querySelector("pre").textContent = JSON.stringify(found)
})
</script>"""


def measured(scene, pictures, theirs, rects):
    """The deviations of a scene: (what, value, unit, limit, whether the browser is compared)."""
    ours = pictures.ours(scene)[..., :3]
    made = []
    if scene.check == "boxes":
        worst, name = compare.boxes(ours, scene, rects)
        made.append((f"edges of {name}" if name else "edges", worst, "px", compare.EDGE, True))
    if scene.check in ("boxes", "picture"):
        value, place = (compare.flat if scene.check == "boxes" else compare.areas)(ours, theirs)
        made.append((f"areas at {place[0]},{place[1]}", value, "codes", compare.AREA, True))
    if scene.check == "picture":
        across, down, _ = compare.moments(ours, theirs)
        made.append(("center", max(across, down), "px", compare.CENTER, True))
    if scene.check in ("text", "ink"):
        across, down, amount = compare.moments(ours, theirs)
        made.append(("center across", across, "px", compare.EDGE, True))
        made.append(("down", down, "px", compare.BASELINE, True))
        made.append(("ink", amount * 100, "%", compare.INK, True))
    if scene.check == "text":
        bar = compare.box(ours, scene.nodes[1]["backgroundColor"])[2]
        made.append(("width, browser", abs(bar - rects["bar"][2]), "px", compare.EDGE, True))
        if shutil.which("hb-shape"):
            family, font, size, string, features, tracking = scene.shaped[0]
            path = next(path for each in pictures.faces if (path := file_of(each, family, font)))
            if tracking:
                features = features | {"liga": 0, "clig": 0}
            wide = compare.shaped(path, string, size, features) + tracking * (len(string) - 1)
            made.append(("width, hb-shape", abs(bar - wide), "px", compare.WIDTH, False))
    if scene.reference:
        exact = scene.reference(pictures.over_nothing(scene))
        made.append(("Gaussian", float(np.abs(ours - exact).max()), "codes", compare.GAUSSIAN, False))
    return made


def file_of(face, family, font):
    weight, style = font.get("weight", 400), "italic" if font.get("isItalic") else "normal"
    return face[3] if face[:3] == (family, weight, style) else None


def verdict(scene, deviations):
    browser = [each for each in deviations if each[4] and each[1] > each[3]]
    exact = [each for each in deviations if not each[4] and each[1] > each[3]]
    if exact:
        return "FAILED"
    if scene.design:
        return "by design: " + scene.design if browser else "FAILED: no longer differs, remove the reason"
    return "FAILED" if browser else "ok"


def line(scene, pictures, theirs, rects):
    missing = scene.fonts - {family for family, *_ in pictures.faces}
    if missing:
        return scene.name, scene.what, "", f"skipped: {', '.join(sorted(missing))} is missing"
    try:
        deviations = measured(scene, pictures, theirs.get(scene.name), rects.get(scene.name, {}))
    except RuntimeError as error:
        return scene.name, scene.what, "", f"FAILED: {error}"
    written = ", ".join(f"{what} {value:.2f} {unit}" for what, value, unit, _, _ in deviations)
    return scene.name, scene.what, written, verdict(scene, deviations)


def contact_sheets(scenes, pictures, theirs):
    """Ours above Chromium's, 40 scenes to a sheet."""
    for first in range(0, len(scenes), 40):
        part = scenes[first:first + 40]
        sheet = Image.new("RGB", (COLUMNS * (describe.WIDTH + 8), -(-len(part) // COLUMNS) * (2 * describe.HEIGHT + 12)), "black")
        for index, scene in enumerate(part):
            x, y = index % COLUMNS * (describe.WIDTH + 8), index // COLUMNS * (2 * describe.HEIGHT + 12)
            image = pictures.folder / f"{scene.name}.ours.png"
            if image.exists():
                sheet.paste(Image.open(image).convert("RGB"), (x, y))
            sheet.paste(Image.fromarray(theirs[scene.name].astype("uint8")), (x, y + describe.HEIGHT + 2))
        sheet.save(pictures.folder / f"sheet-{first // 40 + 1}.png")


def compared(arguments, browser, folder):
    scenes = [scene for scene in every_scene() if not arguments.names or scene.name in arguments.names][::arguments.every]
    pictures = Pictures(arguments.tool, browser, fonts(arguments.fonts), folder)
    theirs, rects = pictures.theirs(scenes)
    with ThreadPoolExecutor(2) as pool:
        lines = list(pool.map(lambda scene: line(scene, pictures, theirs, rects), scenes))
    if arguments.output:
        contact_sheets(scenes, pictures, theirs)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=str(ROOT / ".build/release/compositor"))
    parser.add_argument("--fonts", help="a folder with fonts besides those of the system")
    parser.add_argument("--output", help="a folder for projects, pages and pictures")
    parser.add_argument("--every", type=int, default=1, metavar="COUNT", help="only the first of each COUNT scenes")
    parser.add_argument("names", nargs="*", help="the scenes to compare; by default all of them")
    arguments = parser.parse_args()
    browser = chromium()
    if browser is None:
        print("skipped: Chromium is not installed, so that no scene was compared")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.output or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        lines = compared(arguments, browser, folder)
    widths = [max(len(each[column]) for each in lines) for column in range(3)]
    for each in lines:
        print("  ".join(text.ljust(width) for text, width in zip(each, widths + [0])).rstrip())
    counts = {kind: sum(each[3].startswith(kind) for each in lines) for kind in ("ok", "by design", "skipped", "FAILED")}
    print(f"{len(lines)} scenes: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    if not shutil.which("hb-shape"):
        print("skipped: hb-shape is not installed, so that widths of text were compared with Chromium only")
    return 1 if counts["FAILED"] else 0


sys.exit(main())
