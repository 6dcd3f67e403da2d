"""The movies of the site, made by the tool: the demo, the titles of the gallery and of the cookbook, every transition."""

import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"site: {' '.join(arguments)}\n{done.stderr}")


def render(tool, project, output, *options):
    """A small movie that browsers play, and its poster."""
    run(tool, "render", project, "-o", output, "--codec", "h264", "--encoder-speed", "medium", "--quality", "27", "--overwrite", "--progress", "none", *options)


def poster(tool, project, time, output):
    run(tool, "thumbnails", project, "--at", time, "--size", "480x480", "--quality", "82", "-o", output, "--overwrite")


def loaded(path):
    """A script without an extension as a module."""
    loader = importlib.machinery.SourceFileLoader("gallery", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gallery", loader))
    loader.exec_module(module)
    return module


def make(root, tool, folder):
    if not os.access(tool, os.X_OK):
        sys.exit(f"site: {tool} is not there. Run: make build")
    os.makedirs(folder)
    demo(root, tool, folder)
    gallery(root, tool, folder)
    cookbook(root, tool, folder)
    transitions(tool, folder)


def demo(root, tool, folder):
    media = os.path.join(folder, "music")
    run(os.path.join(root, "Examples/Demo/make-media"), media)
    project = os.path.join(root, "Examples/Demo/demo.json5")
    run(tool, "render", project, "--set", f"media={media}", "-o", os.path.join(folder, "demo.mp4"), "--overwrite", "--progress", "none")
    run(tool, "thumbnails", os.path.join(folder, "demo.mp4"), "--at", "2.8s", "--size", "960x540", "-o", os.path.join(folder, "demo.jpg"))
    shutil.rmtree(media)


def gallery(root, tool, folder):
    titles = loaded(os.path.join(root, "docs/tools/gallery"))
    footage = os.path.join(root, "Examples/media/webb-mirror.mp4")
    logo = os.path.join(folder, "logo-1.png")

    def write(name, content):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    project = write("logo.json5", titles.LOGO)
    run(tool, "render", project, "--range", "0f..1f", "-o", os.path.join(folder, "logo-%d.png"), "--progress", "none")
    os.remove(project)
    for name, look in titles.TITLES.items():
        project = write(f"{name}.json5", titles.project(name, footage, "640x360", logo))
        render(tool, project, os.path.join(folder, f"gallery-{name}.mp4"), "--no-audio")
        poster(tool, project, look["at"], os.path.join(folder, f"gallery-{name}.jpg"))
        os.remove(project)
    os.remove(logo)


def cookbook(root, tool, folder):
    page = open(os.path.join(root, "docs/titles-cookbook.md"), encoding="utf-8").read()
    for name, time, text in re.findall(r"<!-- picture: (\S+) at (\S+) -->.*?```json5\n(.*?)```", page, re.S):
        project = os.path.join(folder, f"{name}.json5")
        with open(project, "w", encoding="utf-8") as file:
            file.write(text)
        render(tool, project, os.path.join(folder, f"cookbook-{name}.mp4"), "--no-audio", "--size", "640x360")
        poster(tool, project, time, os.path.join(folder, f"cookbook-{name}.jpg"))
        os.remove(project)


# One name of each kind; the variants of a kind differ in direction.
TRANSITIONS = """dissolve dip-to-black push-left cover-up uncover-right wipe-left clock-clockwise iris-circle barn-door-vertical blinds-horizontal checker
  noise-dissolve zoom-in squeeze-horizontal blur-through""".split()


def transitions(tool, folder):
    """One movie that goes through every kind of transition, with its name."""
    looks = ['"#14213d", to: "#3f72af"', '"#fca311", to: "#c1440e"', '"#2a9d8f", to: "#264653"', '"#7b2cbf", to: "#240046"']
    assets = ", ".join(f'c{i}: {{ generate: "gradient", from: {look}, angle: {35 * i} }}' for i, look in enumerate(looks))
    clips, titles = ['{ asset: "c0", duration: "1.2s" }'], []
    for index, name in enumerate(TRANSITIONS):
        clips.append(f'{{ asset: "c{(index + 1) % 4}", duration: "1.7s", transition: {{ type: "{name}", duration: "0.8s" }} }}')
        titles.append(f'{{ text: "{name}", start: "{0.3 + 0.9 * index:.1f}s", duration: "0.9s", fade: "0.1s", size: "11%" }}')
    project = os.path.join(folder, "transitions.json5")
    with open(project, "w", encoding="utf-8") as file:
        file.write(
            f'{{ version: 1, output: {{ size: "640x360", frameRate: 25 }}, assets: {{ {assets} }}, tracks: [{{ clips: [{", ".join(clips)}] }}], '
            f'titles: [{", ".join(titles)}] }}')
    render(tool, project, os.path.join(folder, "transitions.mp4"), "--no-audio")
    poster(tool, project, "6.2s", os.path.join(folder, "transitions.jpg"))
    os.remove(project)
