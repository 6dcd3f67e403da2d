"""Our projects for the works."""

import json


def project(tracks, assets, output=None, **more):
    base = {"size": "1920x1080", "frameRate": 30, "color": "bt709", "audio": False}
    return {"version": 1, "output": {**base, **(output or {})}, "assets": assets, "tracks": tracks, **more}


def seconds(frames):
    return f"{frames}f"


def project_text(work):
    """Our project for a work, as JSON, which is valid JSON5."""
    return json.dumps(work.project, indent=1)


def title_project(frames):
    """W4: the same appearance and motion as drawtext's."""
    layer = {"position": [100, 700], "anchorPoint": [0, 0],
             "content": {"text": {"string": "The Quick Brown Fox\nJumps Over the Lazy Dog",
                                  "font": {"family": "DejaVu Sans", "size": 96, "weight": 700}, "color": "white",
                                  "outlineColor": "black", "outlineWidth": 4}},
             "shadowOpacity": 0.5, "shadowOffset": [4, 4], "shadowRadius": 0,
             "animations": [
                 {"property": "position", "from": [100, 700], "to": [700, 640], "duration": seconds(frames)},
                 {"property": "opacity", "values": [0, 1, 1, 0], "keyTimes": [0, 0.2, 0.8, 1], "duration": seconds(frames)}]}
    return project([{"clips": [{"asset": "a", "duration": seconds(frames)}]}], {"a": "A.mp4"}, titles=[{"layer": layer}])
