#!/usr/bin/env python3
"""Prints reference vectors for the color model as JSON, computed by colour-science (PyPI), not by this package.

    python3 -m venv .venv && .venv/bin/pip install colour-science==0.4.7 numpy
    .venv/bin/python Tests/Tools/oracle-color.py > Tests/CompositorAPITests/Fixtures/color.json
"""
import json
import warnings

warnings.filterwarnings("ignore")
import colour  # noqa: E402
import numpy as np  # noqa: E402
from colour.utilities import Structure  # noqa: E402

SPACES = {  # H.273 primaries: name in colour-science
    1: "ITU-R BT.709", 5: "ITU-R BT.470 - 625", 6: "SMPTE C", 7: "SMPTE 240M", 9: "ITU-R BT.2020",
    11: "DCI-P3", 12: "Display P3", 8: "ITU-T H.273 - Generic Film", 22: "ITU-T H.273 - 22 Unspecified",
    # Not in H.273: the package's own numbers.
    128: "Adobe RGB (1998)", 129: "ProPhoto RGB", 130: "S-Gamut3", 131: "S-Gamut3.Cine", 132: "V-Gamut",
    133: "ARRI Wide Gamut 3", 134: "ARRI Wide Gamut 4", 135: "Cinema Gamut",
}
WEIGHTS = {  # H.273 matrix: luma coefficients of red and blue
    **{code: colour.WEIGHTS_YCBCR[name] for code, name in [
        (1, "ITU-R BT.709"), (5, "ITU-R BT.601"), (6, "ITU-R BT.601"), (9, "ITU-R BT.2020")]},
    7: np.array([0.212, 0.087]),  # as H.273 has it; colour-science has other numbers
}
# The constants that make both pieces of BT.709 meet, as H.273 writes them.
EXACT = Structure(alpha=lambda _: 1.099296826809442, beta=lambda _: 0.018053968510807)
CURVES = {  # H.273 transfer function: (encode, decode)
    1: (lambda x: colour.models.oetf_BT2020(x, True, EXACT), lambda x: colour.models.oetf_inverse_BT2020(x, True, EXACT)),
    4: (lambda x: colour.gamma_function(x, 1 / 2.2), lambda x: colour.gamma_function(x, 2.2)),
    5: (lambda x: colour.gamma_function(x, 1 / 2.8), lambda x: colour.gamma_function(x, 2.8)),
    7: (colour.models.oetf_SMPTE240M, colour.models.eotf_SMPTE240M),
    13: (colour.models.eotf_inverse_sRGB, colour.models.eotf_sRGB),
    16: (lambda x: colour.models.eotf_inverse_ST2084(10000 * x), lambda x: colour.models.eotf_ST2084(x) / 10000),
    18: (colour.models.oetf_BT2100_HLG, colour.models.oetf_inverse_BT2100_HLG),
    9: (colour.models.oetf_H273_Log, colour.models.oetf_inverse_H273_Log),
    10: (colour.models.oetf_H273_LogSqrt, colour.models.oetf_inverse_H273_LogSqrt),
    17: (colour.models.eotf_inverse_H273_ST428_1, colour.models.eotf_H273_ST428_1),
    128: (lambda x: colour.gamma_function(x, 256 / 563), lambda x: colour.gamma_function(x, 563 / 256)),
    129: (colour.CCTF_ENCODINGS["ProPhoto RGB"], colour.CCTF_DECODINGS["ProPhoto RGB"]),
}
LOGS = {  # the package's own numbers: name in colour-science
    130: "Apple Log Profile", 131: "S-Log3", 132: "V-Log", 133: "ARRI LogC3", 134: "ARRI LogC4", 135: "Canon Log 3",
    136: "Canon Log 2", 137: "F-Log2",
}
for code, name in LOGS.items():
    CURVES[code] = (
        lambda x, name=name: colour.log_encoding(x, function=name), lambda x, name=name: colour.log_decoding(x, function=name))

DISPLAY = (lambda x: colour.models.eotf_inverse_BT1886(x, 0, 1), lambda x: colour.models.eotf_BT1886(x, 0, 1))
PEAKS = (400, 1000, 2000)  # of the display that HLG is seen on, cd/m2


def rounded(values):
    return [float(f"{v:.15g}") for v in np.ravel(values)]


def primaries(code):
    space = colour.RGB_COLOURSPACES[SPACES[code]]
    return colour.normalised_primary_matrix(space.primaries, space.whitepoint)


def conversion(source, target):
    a, b = primaries(source), primaries(target)
    white = np.ones(3)
    adaptation = colour.adaptation.matrix_chromatic_adaptation_VonKries(a @ white, b @ white, "Bradford")
    return np.linalg.inv(b) @ adaptation @ a


def codes(matrix, bits, legal, rgb):
    return colour.RGB_to_YCbCr(
        np.array(rgb), K=WEIGHTS[matrix], in_bits=bits, in_legal=False, in_int=False,
        out_bits=bits, out_legal=legal, out_int=False) * (2**bits - 1)


def matrix(source, target, rgb):
    return conversion(source, target) @ np.array(rgb)


def light():
    """Signals of one kind and the signals of another that show the same light, BT.2100 and BT.2408; no roll-off."""
    colours = [(g, g, g) for g in (0.1, 0.25, 0.38, 0.5)] + [(0.5, 0.3, 0.1), (0.1, 0.5, 0.3), (0.2, 0.1, 0.5)]
    white = 203
    for peak in PEAKS:
        for rgb in colours:
            shown = colour.models.eotf_BT2100_HLG(np.array(rgb), L_B=0, L_W=peak)
            yield {"from": 18, "to": 16, "peak": peak, "rgb": rounded(rgb),
                   "signal": rounded(colour.models.eotf_inverse_ST2084(shown))}
            shown = colour.models.eotf_ST2084(np.array(rgb))
            yield {"from": 16, "to": 18, "peak": peak, "rgb": rounded(rgb),
                   "signal": rounded(colour.models.eotf_inverse_BT2100_HLG(shown, L_B=0, L_W=peak))}
            shown = white * matrix(1, 9, DISPLAY[1](np.array(rgb)))
            yield {"from": 1, "to": 18, "peak": peak, "rgb": rounded(rgb),
                   "signal": rounded(colour.models.eotf_inverse_BT2100_HLG(shown, L_B=0, L_W=peak))}
            yield {"from": 1, "to": 16, "peak": peak, "rgb": rounded(rgb),
                   "signal": rounded(colour.models.eotf_inverse_ST2084(shown))}


def hues():
    """Linear light of BT.2020, cd/m2, and its I, Ct, Cp: the corners of BT.2020 and P3 and a ColorChecker under D65."""
    corners = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
    for name, source in (("BT.2020", 9), ("P3", 12)):
        for level in (50, 203, 600, 1000):
            for corner in corners:
                yield name, np.array(corner, float) * level if source == 9 else np.maximum(
                    matrix(source, 9, corner), 0) * level
    space = colour.RGB_COLOURSPACES["ITU-R BT.2020"]
    checker = colour.CCS_COLOURCHECKERS["ColorChecker24 - After November 2014"]
    for name, xyY in checker.data.items():
        rgb = colour.XYZ_to_RGB(colour.xyY_to_XYZ(xyY), space, checker.illuminant, "Bradford")
        for level in (203, 800):
            yield name, np.maximum(rgb, 0) * level


def main():
    steps = [i / 32 for i in range(33)] + [0.001, 0.003, 0.0031, 0.0179, 0.0182, 0.0401, 0.0405, 0.0811, 0.0816]
    tests = [(1, 1, 1), (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.25, 0.5, 0.75)]
    table = {
        "madeBy": f"Tests/Tools/oracle-color.py, colour-science {colour.__version__}",
        "rgbToXYZ": [{"primaries": c, "matrix": rounded(primaries(c))} for c in SPACES],
        "conversions": [
            {"from": a, "to": b, "matrix": rounded(conversion(a, b))} for a in SPACES for b in SPACES
            if a != b and (max(a, b) < 128 or b in (1, 9))],
        "curves": [
            {"transfer": code, "values": rounded(steps), "encoded": rounded(encode(np.array(steps))),
             "decoded": rounded(decode(np.array(steps)))} for code, (encode, decode) in CURVES.items()],
        "display": {
            "values": rounded(steps), "encoded": rounded(DISPLAY[0](np.array(steps))),
            "decoded": rounded(DISPLAY[1](np.array(steps)))},
        "light": list(light()),
        "hues": [
            {"name": name, "rgb": rounded(rgb), "ictcp": rounded(colour.RGB_to_ICtCp(rgb, method="ITU-R BT.2100-2 PQ"))}
            for name, rgb in hues()],
        "codes": [
            {"matrix": m, "bits": bits, "limited": legal, "rgb": rounded(rgb), "codes": rounded(codes(m, bits, legal, rgb))}
            for m in WEIGHTS for bits in (8, 10, 12) for legal in (True, False) for rgb in tests],
    }
    print(json.dumps(table, separators=(",", ":")))


main()
