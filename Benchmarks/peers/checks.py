"""Checks of the benchmark itself: `python3 Benchmarks/peers/checks.py`. Those of OpenCV are skipped without it."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from projects import project_text  # noqa: E402
from tables import Difference, Tables, least  # noqa: E402
from works import works  # noqa: E402

try:
    import numpy
    import opencv_worker
except ImportError:
    opencv_worker = None


class TableChecks(unittest.TestCase):
    def test_difference_is_that_of_the_best_of_either_command(self):
        # In the second pass the command without the work was disturbed.
        passes = [Difference(1.3, 0.3, 10), Difference(1.2, 1.1, 10), Difference(1.4, 0.2, 10)]
        self.assertAlmostEqual(least(passes), 100)
        self.assertAlmostEqual(least([3.0, 2.0]), 2.0)

    def test_difference_of_nothing_is_not_the_best_peer(self):
        tables = Tables(10, 1)
        tables.versions = {"ffmpeg": "ffmpeg", "opencv": "OpenCV"}
        tables.add("alone", "W2", "ours", 1.0)
        tables.add("alone", "W2", "ffmpeg", Difference(1.0, 1.1, 10))
        tables.add("alone", "W2", "opencv", 3.0)
        self.assertIn("| 3.0 × |", tables.markdown())

    def test_similarity_names_each_program(self):
        tables = Tables(10, 1)
        tables.alike = {"W2": {"ffmpeg": "45.1", "opencv": "44.9"}}
        self.assertEqual(tables.likeness("W2"), "ffmpeg 45.1, opencv 44.9")
        self.assertEqual(tables.likeness("W1"), "–")


class RecipeChecks(unittest.TestCase):
    def setUp(self):
        self.works = {work.name: work for work in works(150)}

    def test_every_scaler_of_ffmpeg_is_chosen(self):
        for work in self.works.values():
            graph = work.graph(150) if work.graph else ""
            # zscale names its filter with f=.
            for scale in re.findall(r"(?<!z)scale=[^,;\[]*", graph):
                self.assertIn("flags=", scale, f"{work.name}: bicubic by default")
            self.assertNotIn("colorchannelmixer", graph, f"{work.name}: converts to RGB and back")

    def test_rotated_layer_begins_transparent(self):
        # With c=none, rotate leaves what it drew in frames before.
        self.assertIn("c=black@0", self.works["W3"].graph(150))

    def test_large_frames_are_reduced_before_they_are_blended(self):
        graph = self.works["W9"].graph(150)
        self.assertLess(graph.rindex("scale="), graph.index("blend="))

    def test_projects_are_json(self):
        for work in self.works.values():
            if work.project:
                self.assertTrue(project_text(work).startswith("{"))


@unittest.skipUnless(opencv_worker, "OpenCV is not installed for this Python")
class OpenCVChecks(unittest.TestCase):
    def sources(self):
        noise = numpy.random.default_rng(7)
        sizes = [(1080, 1920), (540, 960), (540, 960)]
        return [[noise.integers(16, 236, size, numpy.uint8) for size in sizes] for _ in range(2)]

    def test_inset_is_where_it_belongs_and_nothing_else_changes(self):
        first, second = self.sources()
        made = opencv_worker.turning([first, second], 0)
        for plane, (a, b) in enumerate(zip(first, second)):
            unit = 2 if plane else 1
            rows, columns = slice(50 // unit, 590 // unit), slice(100 // unit, 1060 // unit)
            small = opencv_worker.cv2.resize(b, (960 // unit, 540 // unit), interpolation=opencv_worker.cv2.INTER_AREA)
            expected = a.astype(float)
            expected[rows, columns] = 0.8 * small + 0.2 * a[rows, columns]
            # OpenCV leaves the last row and column out, for which it would need samples beyond the end.
            expected[rows.stop - 1, columns] = made[plane][rows.stop - 1, columns]
            expected[rows, columns.stop - 1] = made[plane][rows, columns.stop - 1]
            self.assertLessEqual(numpy.abs(made[plane] - expected).max(), 1)

    def test_motion_ends_with_the_last_frame(self):
        self.assertEqual(opencv_worker.position("W3", 149, 150), 1)
        self.assertEqual(opencv_worker.position("W2", 75, 150), 0.5)

    def test_rotated_inset_of_one_color_covers_its_area(self):
        first, second = [[numpy.full(p.shape, code, numpy.uint8) for p in self.sources()[0]] for code in (50, 150)]
        for t in (0.3, 1):
            luma = opencv_worker.turning([first, second], t)[0]
            # 0.8 of 150 and 0.2 of 50.
            self.assertEqual(set(numpy.unique(luma)), {50, 130})
            self.assertAlmostEqual((luma == 130).sum() / (960 * 540), 1, delta=0.01)
            y, x = numpy.nonzero(luma == 130)
            self.assertAlmostEqual(x.mean(), 580 + 400 * t - 0.5, delta=1)
            self.assertAlmostEqual(y.mean(), 320 + 200 * t - 0.5, delta=1)


if __name__ == "__main__":
    unittest.main()
