"""Plays the cases of the Autobahn test suite against a WebSocket server that echoes, and judges.

    play.py CASES URL REPORT [CASE...]

CASES is the directory that convert.py has filled. REPORT gets a line of JSON for each case. Of all cases only
those are played that a CASE names, as 7.9.* does. The status is 0 if all were played and none failed.

The cases are shared out among some processes, those that take long first. A process has one connection at a
time, because cases that wait for an answer in time would be held up by others.
"""

import json
import multiprocessing
import os
import sys
from fnmatch import fnmatch

# Number of cases for clients in the suite.
ALL = 517
PROCESSES = max(2, os.cpu_count())
DECLINED = "DECLINED, which asks for a smaller window of the server's compression"
GOOD = {"OK", "NON-STRICT", "INFORMATIONAL"}


def all_names():
    """6.2.1 for class Case6_2_1, and so on."""
    from cases import Cases

    return [case.__name__.removeprefix("Case").replace("_", ".") for case in Cases]


def play(*arguments):
    """In a process of its own, because the client's event loop belongs to the process that imports it."""
    import client

    client.play(*arguments)


def outcome(result):
    """The result of a case in one word, from its behaviour and its close."""
    if result["behavior"] == "UNIMPLEMENTED" and result["behaviorClose"] in GOOD:
        return DECLINED if result["mayDecline"] else "UNIMPLEMENTED"
    if result["behavior"] in GOOD and result["behaviorClose"] not in GOOD:
        return result["behaviorClose"]
    return result["behavior"]


def judge(results, expected):
    """Prints the results, and whether all expected cases were played; returns the exit status."""
    outcomes = {}
    for result in results:
        outcomes.setdefault(outcome(result), []).append(result)
    for word, those in sorted(outcomes.items()):
        print(f"{word}: {len(those)}" + ("" if word == "OK" else " " + " ".join(r["case"] for r in those)))
    bad = [r for word, those in outcomes.items() if word not in GOOD | {DECLINED} for r in those]
    for result in bad[:20]:
        print()
        for key, value in result.items():
            print(f"  {key}: " + ("\n    ".join([""] + value) if isinstance(value, list) else str(value).strip()))
    played = len({result["case"] for result in results})
    print(f"{played} of {expected} cases were played")
    return 1 if bad or not played == len(results) == expected else 0


def main(directory, url, path, *wanted):
    sys.path.insert(0, directory)
    waiting = multiprocessing.SimpleQueue()
    names = all_names()
    chosen = [
        (name, index) for index, name in enumerate(names) if any(fnmatch(name, it) for it in wanted or "*")
    ]
    for case in chosen[::-1] + [None] * PROCESSES:
        waiting.put(case)
    open(path, "w").close()
    players = [multiprocessing.Process(target=play, args=(url, waiting, path)) for _ in range(PROCESSES)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    with open(path) as lines:
        return judge([json.loads(line) for line in lines], len(chosen) if wanted else ALL)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
