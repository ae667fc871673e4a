"""Tests of compare, with programs in the place of relays and of the benchmark."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
HEADER = "label,events,line,parameter,run,measure,value\n"

# Listens on the port in its configuration, as strfry would. Its data directory counts its starts.
RELAY = f"""#!{sys.executable}
import re, signal, socket, sys
from pathlib import Path
if "--version" in sys.argv:
    print("strfry 1.2.3")
    sys.exit()
text = Path(sys.argv[1].removeprefix("--config=")).read_text()
data = Path(re.search('db = "(.*)/"', text)[1])
with (data / "starts").open("a") as file:
    print("start", file=file)
starts = len((data / "starts").read_text().splitlines())
def end(*_):
    with Path(__file__).with_name("ended").open("a") as file:
        print(starts, file=file)
    sys.exit()
signal.signal(signal.SIGTERM, end)
with socket.create_server(("127.0.0.1", int(re.search("port = ([0-9]+)", text)[1]))) as server:
    while True:
        server.accept()
"""

# Connects to the relay, and appends a row for each line in its arguments. The line "wrong" also makes it fail; the line
# "broken" makes it fail without a row.
BENCH = f"""#!{sys.executable}
import os, socket, sys
from pathlib import Path
verb, url, *rest = sys.argv[1:]
options, lines = {{}}, []
while rest:
    word = rest.pop(0)
    if word == "--cold":
        lines.append("cold")
    elif word.startswith("--"):
        options[word] = rest.pop(0)
    else:
        lines.append(word)
assert verb == "bench" and options["--runs"] == "1" and options["--data-set"]
host, port = url.removeprefix("ws://").removesuffix("/").split(":")
socket.create_connection((host, int(port))).close()
os.kill(int(options["--pid"]), 0)
file = Path(options["--csv"])
if "broken" not in lines:
    with file.open("a") as out:
        if out.tell() == 0:
            out.write("label,events,line,parameter,run,measure,value\\n")
        for line in lines or ["all"]:
            fields = [options["--label"], options["--events"], line, options.get("--games", ""), "1,cpu_us,7"]
            out.write(",".join(fields) + "\\n")
if "wrong" in lines or "broken" in lines:
    sys.exit("cannot measure")
"""


class CompareTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = Path(directory.name)
        self.out = self.work / "out"
        self.relay = self.program("relay", RELAY)
        self.bench = self.program("bench", BENCH)

    def program(self, name, content):
        file = self.work / name
        file.write_text(content)
        file.chmod(0o755)
        return file

    def compare(self, *arguments):
        command = [HERE.parent / "compare", "--out", self.out, "--bench", self.bench, *arguments]
        environment = {"PATH": "/usr/bin:/bin", "TMPDIR": self.work}
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    def results(self):
        content = (self.out / "results.csv").read_text()
        self.assertTrue(content.startswith(HEADER))
        return content.removeprefix(HEADER).splitlines()

    def starts(self):
        """For each stop of a relay, the starts with its data directory, or with what this was copied from."""
        return [int(line) for line in (self.work / "ended").read_text().splitlines()]

    def test_each_relay_is_filled_once_with_each_size_and_measured_in_turns(self):
        relays = [f"strfry={self.relay}", f"strfry-new={self.relay}"]
        done = self.compare("--events", "10 20", "--rounds", "2", *relays, "--", "--seconds", "1")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        rows = [
            f"{label},{events},all,,{run},cpu_us,7"
            for events in (10, 20)
            for run in (1, 2)
            for label in ("strfry", "strfry-new")
        ]
        self.assertEqual(rows, self.results())
        self.assertEqual(2 * [1, 1, 2, 2, 2, 2], self.starts())
        self.assertIn("strfry-new: strfry 1.2.3\n", (self.out / "versions.txt").read_text())
        self.assertEqual(["bench", "ended", "out", "relay"], sorted(file.name for file in self.work.iterdir()))

    def test_passes_measure_the_same_relay_and_a_failed_one_keeps_the_others(self):
        passes = ["--pass", "a b", "--pass", "broken", "--pass", "wrong", "--pass", "moves --games 10"]
        done = self.compare("--rounds", "1", *passes, f"strfry={self.relay}")
        failure = "The benchmark of strfry failed: cannot measure\n"
        self.assertEqual((1, 2 * failure), (done.returncode, done.stderr))
        lines = ["a,", "b,", "wrong,", "moves,10"]
        self.assertEqual([f"strfry,10000,{line},1,cpu_us,7" for line in lines], self.results())
        self.assertEqual([1, 2], self.starts())

    def test_cold_relays_are_started_with_an_empty_directory_each_time(self):
        relays = [f"strfry={self.relay}", f"strfry-new={self.relay}"]
        done = self.compare("--cold", "--pass", "a", "--rounds", "2", *relays)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        rows = [
            f"{label},10000,{line},,{run},cpu_us,7"
            for run in (1, 2)
            for label in ("strfry", "strfry-new")
            for line in ("cold", "a")
        ]
        self.assertEqual(rows, self.results())
        self.assertEqual(4 * [1], self.starts())

    def test_a_relay_that_does_not_start_is_reported_and_the_others_are_measured(self):
        broken = self.program("broken", f"#!{sys.executable}\nimport sys\nsys.exit('no store')\n")
        done = self.compare("--rounds", "1", f"rnostr={broken}", f"strfry={self.relay}")
        self.assertEqual((1, "rnostr does not start: no store\n"), (done.returncode, done.stderr))
        self.assertEqual(["strfry,10000,all,,1,cpu_us,7"], self.results())

    def test_labels_without_a_configuration_are_refused(self):
        done = self.compare(f"strfryish={self.relay}")
        self.assertEqual(2, done.returncode)
        self.assertIn("no relay is named strfryish", done.stderr)


unittest.main()
