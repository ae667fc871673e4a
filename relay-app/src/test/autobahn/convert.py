"""Converts the cases of the Autobahn test suite from Python 2 to Python 3.

    convert.py AUTOBAHNTESTSUITE.tar.gz DIRECTORY

The cases and what each holds for right stay as their authors wrote them; the client that plays them is
client.py. A string of Python 2 is octets. It stays a string, of one character for each octet: the sources
are read as Latin-1, and the client translates where a string becomes a frame or a frame a string.

Every change has to be found as often as is said here, so that another version of the suite is not half
converted in silence.
"""

import re
import sys
import tarfile
from pathlib import Path, PurePath

# In all modules: the text, its replacement, the number of places.
EVERYWHERE = [
    # Statements in functions that are never called, but must compile.
    (r"(?m)^( +)print\b *(.*)$", r"\1print(\2)", 11),
    (r"\bxrange\b", "range", 11),
    # A class made by type() cannot list object before a class derived from it.
    (r"\(object, Case, \)", "(Case, )", 6),
    (r"binascii\.b2a_hex\((?!self)([^()]+)\)", r'\1.encode("latin-1").hex()', 20),
]

# In one module.
IN_MODULE = {
    # Imports a case that is not in the list of cases, and does not compile.
    "__init__": [(r"from case9_9_1 import \*\n", "", 1)],
    # Pickles of equal values may differ in Python 3 if the values share objects.
    "case": [(r"pickle\.dumps\((obj\d)\)", r"\1", 2)],
    "case6_x_x": [(r"v\.validate\((vss\[:i\])\)", r'v.validate(\1.encode("latin-1"))', 1)],
    "case10_1_1": [(r"len\(self\.payload\) / ", "len(self.payload) // ", 1)],
    "case12_x_x": [
        (r", pkg_resources", "", 1),
        (
            r'pkg_resources\.resource_filename\("autobahntestsuite", "testdata/%s" % (.*)\)\n',
            r'os.path.join(os.path.dirname(__file__), "testdata", \1)' "\n",
            3,
        ),
        # These cases already use octets and Unicode text.
        (r"(def onMessage\(self, msg, binary\):\n)", r'\1   msg = msg.encode("latin-1")' "\n", 1),
        # Names that autobahn has changed since.
        (r"\b(accept|request)NoContextTakeover\b", r"\1_no_context_takeover", 22),
        (r"\b(accept|request)MaxWindowBits\b", r"\1_max_window_bits", 23),
    ],
}


def changed(text, changes, found):
    for pattern, by, _ in changes:
        text, count = re.subn(pattern, by, text)
        found[pattern] = found.get(pattern, 0) + count
    return text


def convert(archive, directory):
    found = {}
    (directory / "testdata").mkdir(parents=True)
    for member in archive.getmembers():
        path = PurePath(member.name)
        kind = path.parent.name
        if not member.isfile() or path.parent.parent.name != "autobahntestsuite":
            continue
        content = archive.extractfile(member).read()
        if kind == "testdata":
            (directory / kind / path.name).write_bytes(content)
        elif kind == "case" and path.suffix == ".py" and path.name != "case9_9_1.py":
            text = changed(content.decode("latin-1").replace("\r\n", "\n"), EVERYWHERE, found)
            text = changed(text, IN_MODULE.get(path.stem, []), found)
            # The modules import each other by their bare names.
            name = "cases.py" if path.stem == "__init__" else path.name
            compile(text, path.name, "exec")
            (directory / name).write_text(text, encoding="utf-8")
    for pattern, _, count in sum(IN_MODULE.values(), EVERYWHERE):
        if found.get(pattern, 0) != count:
            sys.exit(f"{pattern} was found {found.get(pattern, 0)} times, not {count} times")


if __name__ == "__main__":
    with tarfile.open(sys.argv[1]) as archive:
        convert(archive, Path(sys.argv[2]))
