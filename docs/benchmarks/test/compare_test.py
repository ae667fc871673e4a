"""Tests of compare, with programs in the place of relays and of the benchmark."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
HEADER = "label,events,line,parameter,run,measure,value\n"

# Listens on the port in its configuration, as strfry would, and records that it was asked to end.
RELAY = f"""#!{sys.executable}
import re, signal, socket, sys
from pathlib import Path
if "--version" in sys.argv:
    print("strfry 1.2.3")
    sys.exit()
text = Path(sys.argv[1].removeprefix("--config=")).read_text()
data = Path(re.search('db = "(.*)/"', text)[1])
assert not list(data.iterdir()), "the data directory is not empty"
(data / "file").touch()
ended = Path(__file__).with_name("ended")
def end(*_):
    with ended.open("a") as file:
        print(data, file=file)
    sys.exit()
signal.signal(signal.SIGTERM, end)
with socket.create_server(("127.0.0.1", int(re.search("port = ([0-9]+)", text)[1]))) as server:
    while True:
        server.accept()
"""

# Connects to the relay, and writes a row with the number of its measurement; FAIL is in its arguments if it is to fail.
BENCH = f"""#!{sys.executable}
import os, socket, sys
from pathlib import Path
verb, url, *rest = sys.argv[1:]
options = dict(zip(rest[::2], rest[1::2]))
assert verb == "bench" and options["--runs"] == "1"
host, port = url.removeprefix("ws://").removesuffix("/").split(":")
socket.create_connection((host, int(port))).close()
os.kill(int(options["--pid"]), 0)
if "--fail" in options:
    sys.exit("cannot measure")
Path(options["--csv"]).write_text(
    "label,events,line,parameter,run,measure,value\\n"
    f"{{options['--label']}},{{options['--events']}},ingest-1x1,,1,cpu_us,7\\n"
)
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
        return subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "TMPDIR": self.work})

    def test_each_relay_is_measured_with_each_size_in_turns_and_stopped(self):
        relays = [f"strfry={self.relay}", f"strfry-new={self.relay}"]
        done = self.compare("--events", "10 20", "--rounds", "2", *relays, "--", "--seconds", "1")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        rows = [
            f"{label},{events},ingest-1x1,,{run},cpu_us,7\n"
            for events in (10, 20)
            for run in (1, 2)
            for label in ("strfry", "strfry-new")
        ]
        self.assertEqual(HEADER + "".join(rows), (self.out / "results.csv").read_text())
        self.assertIn("strfry-new: strfry 1.2.3\n", (self.out / "versions.txt").read_text())
        used = (self.work / "ended").read_text().splitlines()
        self.assertEqual(8, len(set(used)))
        self.assertEqual([], [data for data in used if Path(data).exists()])

    def test_a_failed_measurement_is_reported_and_the_others_continue(self):
        broken = self.program("broken", f"#!{sys.executable}\nimport sys\nsys.exit('no store')\n")
        done = self.compare("--rounds", "1", f"rnostr={broken}", f"strfry={self.relay}")
        self.assertEqual((1, "rnostr does not start: no store\n"), (done.returncode, done.stderr))
        self.assertEqual(HEADER + "strfry,10000,ingest-1x1,,1,cpu_us,7\n", (self.out / "results.csv").read_text())

    def test_a_failed_benchmark_is_reported_and_its_relay_stopped(self):
        done = self.compare("--rounds", "1", f"strfry={self.relay}", "--", "--fail", "yes")
        self.assertEqual((1, "The benchmark of strfry failed: cannot measure\n"), (done.returncode, done.stderr))
        self.assertEqual(HEADER, (self.out / "results.csv").read_text())
        self.assertEqual(1, len((self.work / "ended").read_text().splitlines()))

    def test_labels_without_a_configuration_are_refused(self):
        done = self.compare(f"strfryish={self.relay}")
        self.assertEqual(2, done.returncode)
        self.assertIn("no relay is named strfryish", done.stderr)


unittest.main()
