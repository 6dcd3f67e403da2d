#!/usr/bin/env python3
"""Writes pictures with ICC profiles, and what Little CMS (by Pillow) makes of them in sRGB.

    icc_pictures.py FOLDER

For every NAME.icc in FOLDER: NAME.rgb (samples of 8 bits, 64 x 64 patches of 8 x 8, as the test wrote them) is saved in each format with
the profile, and decoded and converted again: NAME.FORMAT and NAME.FORMAT.srgb. NAME.srgb is what the samples themselves become.
"""
import io
import pathlib
import sys

from PIL import Image, ImageCms

SIDE = 64
FLAGS = 0x2000 | 0x0100  # black point compensation, no tables in the place of curves
FORMATS = {
    "png": dict(format="PNG"), "jpg": dict(format="JPEG", quality=100, subsampling=0),
    "420.jpg": dict(format="JPEG", quality=100, subsampling=2), "webp": dict(format="WEBP", lossless=True),
    "lossy.webp": dict(format="WEBP", quality=100), "tif": dict(format="TIFF"),
    "avif": dict(format="AVIF", quality=100, subsampling="4:4:4"),
}
MODES = {"GRAY": ("L", ["png", "jpg", "tif"]), "CMYK": ("CMYK", ["jpg", "tif"]), "RGB ": ("RGB", list(FORMATS))}


def converted(picture, profile):
    target = ImageCms.createProfile("sRGB")
    return ImageCms.profileToProfile(
        picture, ImageCms.ImageCmsProfile(io.BytesIO(profile)), target, renderingIntent=1, outputMode="RGB", flags=FLAGS).tobytes()


def main(folder):
    for path in sorted(folder.glob("*.icc")):
        profile = path.read_bytes()
        mode, formats = MODES[profile[16:20].decode()]
        picture = Image.frombytes(mode, (SIDE, SIDE), path.with_suffix(".rgb").read_bytes())
        path.with_suffix(".srgb").write_bytes(converted(picture, profile))
        for suffix in formats:
            name = folder / f"{path.stem}.{suffix}"
            picture.save(name, icc_profile=profile, **FORMATS[suffix])
            decoded = Image.open(name)
            decoded.load()
            pathlib.Path(f"{name}.srgb").write_bytes(converted(decoded.convert(mode), profile))
        print(path.stem, *formats)


main(pathlib.Path(sys.argv[1]))
