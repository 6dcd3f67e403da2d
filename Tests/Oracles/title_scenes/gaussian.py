"""Blurs, shadows and glows in double precision, of what the tool draws without them."""
import math

import numpy as np

from . import compare, describe


def kernel(sigma):
    reach = math.ceil(6 * sigma)
    weights = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma * sigma))
    return weights / weights.sum()


def blurred(planes, sigma):
    """A Gaussian blur, with nothing beyond the edges."""
    weights = kernel(sigma)
    for axis in (0, 1):
        planes = np.apply_along_axis(lambda line: np.convolve(line, weights)[len(weights) // 2:][:len(line)], axis, planes)
    return planes


def over(top, below):
    return top + below * (1 - top[..., 3:])


def ground():
    plane = np.empty((describe.HEIGHT, describe.WIDTH, 4))
    plane[..., :3] = compare.color(describe.GROUND) / 255
    plane[..., 3] = 1
    return plane


def shown(planes):
    return np.clip(over(planes, ground())[..., :3], 0, 1) * 255


def blur(nodes, sigma):
    """What the nodes draw, blurred: a function from a renderer to a picture."""
    return lambda render: shown(blurred(render(nodes), sigma))


def moved(planes, x, y):
    return np.roll(planes, (y, x), axis=(0, 1))


def shadow(nodes, shadows):
    """Shadows of what the nodes draw, the first in front: (x, y, sigma, color)."""
    def picture(render):
        top = render(nodes)
        below = np.zeros_like(top)
        for x, y, sigma, value in reversed(shadows):
            alpha = moved(blurred(top[..., 3:], sigma), x, y)
            strength = int(value[7:9], 16) / 255 if len(value) > 7 else 1
            tint = np.append(compare.color(value) / 255, 1) * strength
            below = over(alpha * tint, below)
        return shown(over(top, below))
    return picture


def inner(nodes, x, y, sigma, value):
    """A shadow that falls into what the nodes draw."""
    def picture(render):
        top = render(nodes)
        share = 1 - moved(blurred(top[..., 3:], sigma), x, y)
        return shown(top * (1 - share) + top[..., 3:] * share * np.append(compare.color(value) / 255, 1))
    return picture


def glow(nodes, sigma, intensity):
    """The picture's own light, blurred and added; alpha grows with it."""
    def picture(render):
        top = render(nodes)
        light = top + intensity * blurred(top, sigma)
        alpha = np.minimum(light[..., 3:], 1)
        return shown(np.concatenate([np.minimum(light[..., :3], alpha), alpha], axis=2))
    return picture


def backdrop(below, panel, sigma):
    """What lies below a rectangle of whole pixels, blurred as if it went on beyond it, and a panel's color over it."""
    def picture(render):
        planes = over(render(below), ground())
        left, top, width, height = panel["at"]
        # Far from the picture's own edges.
        padded = np.pad(planes, ((80, 80), (80, 80), (0, 0)), mode="edge")
        soft = blurred(padded, sigma)[80:-80, 80:-80]
        planes[top:top + height, left:left + width] = soft[top:top + height, left:left + width]
        return np.clip(over(render([panel]), planes)[..., :3], 0, 1) * 255
    return picture
