"""Tests of plot: its plots of results.csv are well-formed XML with the expected points, and so is its table."""

import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).parent
SVG = "{http://www.w3.org/2000/svg}"


def run(directory, *results):
    command = [sys.executable, HERE.parent / "plot", "--out", directory, *results]
    return subprocess.run(command, capture_output=True, text=True)


class PlotTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.out = Path(cls.directory.name)
        made = run(cls.out, HERE / "results.csv")
        if made.returncode != 0:
            raise AssertionError(made.stderr)

    def points(self, name):
        """The position of each point by its title."""
        found = {}
        for path in ElementTree.parse(self.out / name).iter(SVG + "path"):
            title = path.find(SVG + "title")
            if title is not None:
                position = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", path.get("transform"))
                found[title.text] = (float(position[1]), float(position[2]))
        return found

    def test_lines_measured_once_have_no_plot(self):
        self.assertEqual(
            {"req-ids-cpu_us-by-events.svg", "fan-out-paced-cpu_us-by-parameter.svg", "ratios.svg", "tables.md"},
            {file.name for file in self.out.iterdir()},
        )

    def test_points_are_medians_on_logarithmic_axes(self):
        points = self.points("req-ids-cpu_us-by-events.svg")
        self.assertEqual(
            {
                "fast, 10,000: 50",
                "fast, 100,000: 100",
                "fast, 1,000,000: 200",
                "slow & <safe>, 10,000: 500",
                "slow & <safe>, 100,000: 1,000",
            },
            set(points),
        )
        fast = ("fast, 10,000: 50", "fast, 100,000: 100", "fast, 1,000,000: 200")
        (x1, y50), (x2, y100), (x3, y200) = (points[title] for title in fast)
        self.assertAlmostEqual(x2 - x1, x3 - x2, delta=0.2)
        self.assertAlmostEqual(y50 - y100, y100 - y200, delta=0.2)
        self.assertGreater(y50, y100)
        _, y500 = points["slow & <safe>, 10,000: 500"]
        _, y1000 = points["slow & <safe>, 100,000: 1,000"]
        self.assertAlmostEqual(y50 - y100, y500 - y1000, delta=0.2)

    def test_curves_by_parameter(self):
        points = self.points("fan-out-paced-cpu_us-by-parameter.svg")
        self.assertEqual({"fast, 1: 30", "fast, 100: 20", "fast, 10,000: 10"}, set(points))
        x1, x100, x10000 = (points[title][0] for title in ("fast, 1: 30", "fast, 100: 20", "fast, 10,000: 10"))
        self.assertAlmostEqual(x100 - x1, x10000 - x100, delta=0.2)

    def test_ratios_to_the_first_relay(self):
        points = self.points("ratios.svg")
        self.assertEqual({"slow & <safe>, req-ids: 10"}, set(points))

    def test_axes_and_legend(self):
        texts = [text.text for text in ElementTree.parse(self.out / "req-ids-cpu_us-by-events.svg").iter(SVG + "text")]
        for text in ("req-ids", "stored events", "server's CPU an operation, µs", "fast", "slow & <safe>"):
            self.assertIn(text, texts)

    def test_tables_have_medians_ratios_and_refuted_answers(self):
        rows = (self.out / "tables.md").read_text(encoding="utf-8").splitlines()
        self.assertIn("| | fast | slow & <safe> |", rows)
        self.assertIn("| req-ids | 50 | 500 (10 ×) ✗ 2 |", rows)
        self.assertIn("| req-ids | 100 | 1,000 (10 ×) |", rows)
        self.assertIn("| req-ids | 200 | – |", rows)
        self.assertIn("| fan-out-paced 10,000 | 10 | – |", rows)
        self.assertIn("| latency | 4 | – |", rows)

    def test_other_files_are_refused_by_name(self):
        other = self.out.parent / (self.out.name + ".csv")
        self.addCleanup(other.unlink)
        for content, problem in (
            ("label,events\na,1\n", "there is no column line, measure, parameter, run, value"),
            (
                "label,events,line,parameter,run,measure,value\na,1,b,,1,cpu_us,x\n",
                "line 2 has a value that is no number",
            ),
        ):
            other.write_text(content, encoding="utf-8")
            refused = run(self.out / "none", other)
            self.assertEqual((1, f"plot: {other}: {problem}\n"), (refused.returncode, refused.stderr))


unittest.main()
