"""Titles that are also pages: what Tests/Oracles/browser_titles.py renders twice."""


def every_scene():
    """The scenes in the order of the table."""
    from . import layouts, looks, motion, texts
    made = [*layouts.LAYOUTS, *looks.BOXES, *looks.SHADOWS, *looks.FILTERS, *looks.MASKS, *looks.DEPTH, *looks.SHAPES, *texts.LINES,
            *texts.OTHERS, *motion.MOTION]
    assert len({scene.name for scene in made}) == len(made), "two scenes have one name"
    return made
