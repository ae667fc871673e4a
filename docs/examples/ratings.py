"""The ratings of a Gambit relay, computed from the games alone; docs/protocol/ratings.md explains each step.

    python3 ratings.py < ../protocol/vectors/ratings.jsonl        checks test vectors
    python3 ratings.py verify FILE                                checks a relay's chain of rated games

FILE has the relay's events of kinds 64 (rated records) and 30064 (heads), one a line as JSON, in any order. Ids, the
chain, all ratings and the heads' hashes are checked; signatures if the package coincurve is installed; moves are not
(`gambit ratings verify` replays them). The first difference is printed with both values, and the exit status is 1.
(Python 3.11 or newer)
"""

import hashlib
import json
import math
import sys
from collections import Counter
from typing import NamedTuple

SCALE = 173.7178
TAU = 0.75
MAX_LN_VARIANCE = -4.605170185988092
CATEGORIES = ("bullet", "blitz", "rapid", "classical", "correspondence")
SCORES = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}  # White's, in half points


class Rating(NamedTuple):
    rating: int = 150000  # in hundredths
    deviation: int = 50000  # in hundredths
    volatility: int = 90000  # in millionths
    games: int = 0
    last_at: int = 0  # chain time of the last game


COEFFICIENTS_OF_EXP = [1 / math.factorial(n) for n in range(13, -1, -1)]
COEFFICIENTS_OF_LN = [1 / n for n in range(19, 0, -2)]


def exp(x):
    k = math.floor(x * 1.4426950408889634 + 0.5)
    r = x - k * 0.693145751953125 - k * 0.0000014286068203094173
    total = 0.0
    for coefficient in COEFFICIENTS_OF_EXP:
        total = total * r + coefficient
    return math.ldexp(total, k)


def ln(x):
    m, k = math.frexp(x)  # m from 0.5 to 1
    if m < 0.7071067811865476:
        m, k = m * 2, k - 1
    s = (m - 1) / (m + 1)
    total = 0.0
    for coefficient in COEFFICIENTS_OF_LN:
        total = total * (s * s) + coefficient
    return k * 0.6931471805599453 + 2 * s * total


def mu_of(it):
    return (it.rating / 100 - 1500) / SCALE


def phi_of(it):
    return it.deviation / 100 / SCALE


def sigma_of(it):
    return max(it.volatility, 1) / 1000000


def periods(it, time):
    """The rating periods since the player's last game."""
    return (0 if it.games == 0 else max(0, time - it.last_at)) / 86400.0 * 0.21436


def new_sigma(sigma, phi2, v, delta2):
    ln_variance = ln(sigma * sigma)

    def f(x):
        variance = exp(x)
        total = phi2 + v + variance
        return variance * (delta2 - phi2 - v - variance) / (2 * (total * total)) - (x - ln_variance) / (TAU * TAU)

    excess = delta2 - phi2 - v
    a = ln_variance
    b = min(ln(excess), MAX_LN_VARIANCE) if excess > 0 else a - TAU
    fa, fb = f(a), f(b)
    if b == MAX_LN_VARIANCE and fb >= 0:
        return 0.1
    for _ in range(50):
        if abs(b - a) <= 0.000001:
            break
        c = a + (a - b) * fa / (fb - fa)
        fc = f(c)
        if fc * fb <= 0:
            a, fa = b, fb
        else:
            fa = fa / 2
        b, fb = c, fc
    return min(exp(a / 2), 0.1)


def rounded_deviation(phi):
    return math.floor(max(45, min(500, phi * SCALE)) * 100 + 0.5)


def after(own, opponent, half_points, time):
    """A player's rating after a game at that chain time."""
    mu, phi = mu_of(own), phi_of(own)
    g = 1 / math.sqrt(1 + 0.3039635509270133 * (phi_of(opponent) * phi_of(opponent)))
    y = g * (mu - mu_of(opponent))
    e = exp(-max(-30.0, min(30.0, y)))
    expected = 1 / (1 + e)
    v = 1 / (g * g * e * expected * expected)
    surprise = g * (half_points / 2 - expected)
    delta = v * surprise
    sigma = new_sigma(sigma_of(own), phi * phi, v, delta * delta)
    grown = phi * phi + periods(own, time) * (sigma * sigma)
    new_phi = 1 / math.sqrt(1 / grown + 1 / v)
    new_mu = mu + new_phi * new_phi * surprise
    return Rating(
        math.floor((new_mu * SCALE + 1500) * 100 + 0.5),
        rounded_deviation(new_phi),
        math.floor(sigma * 1000000 + 0.5),
        own.games + 1,
        time,
    )


def deviation_at(it, time):
    """The deviation by which a rating is shown at a time."""
    phi, sigma = phi_of(it), sigma_of(it)
    return rounded_deviation(math.sqrt(phi * phi + periods(it, time) * (sigma * sigma)))


class Difference(ValueError):
    pass


def require(what, found, expected):
    if found != expected:
        raise Difference(f"{what}: {found}, but it should be {expected}")


def check_vectors(lines):
    number = 0
    for number, line in enumerate(lines, 1):
        white, black, half_points, time, deviations, new_white, new_black = json.loads(line)
        white, black = Rating(*white), Rating(*black)
        where = f"line {number}: "
        require(where + "deviations", deviations, [deviation_at(white, time), deviation_at(black, time)])
        require(where + "White", new_white, list(after(white, black, half_points, time)[:3]))
        require(where + "Black", new_black, list(after(black, white, 2 - half_points, time)[:3]))
    print(f"{number} games: all values agree")


def check_event(event, relay):
    """Checks id, author and signature."""
    where = f"event {event['id']}: "
    fields = [0, event["pubkey"], event["created_at"], event["kind"], event["tags"], event["content"]]
    digest = hashlib.sha256(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()).digest()
    require(where + "id", event["id"], digest.hex())
    require(where + "author", event["pubkey"], relay)
    if PublicKeyXOnly:
        valid = PublicKeyXOnly(bytes.fromhex(relay)).verify(bytes.fromhex(event["sig"]), digest)
        require(where + "signature", "valid" if valid else "invalid", "valid")


def values(event, *name):
    """The values of the only tag that begins like this."""
    found = [tag[len(name) :] for tag in event["tags"] if tuple(tag[: len(name)]) == name]
    require(f"event {event['id']}: tags {' '.join(name)}", len(found), 1)
    return found[0]


def value(event, name):
    found = values(event, name)
    require(f"event {event['id']}: values of {name}", len(found), 1)
    return found[0]


def player(event, color):
    found = [tag[1] for tag in event["tags"] if tag[0] == "p" and tag[3:4] == [color]]
    require(f"event {event['id']}: players with {color}", len(found), 1)
    return found[0]


def decimal(value, digits):
    text = str(abs(value)).rjust(digits + 1, "0")
    return f"{'-' if value < 0 else ''}{text[:-digits]}.{text[-digits:]}"


def shown(before, new):
    """The values of a rating tag."""
    return [decimal(before.rating, 2), decimal(new.rating, 2), decimal(new.deviation, 2), decimal(new.volatility, 6)]


def check_chain(lines):
    events = list({it["id"]: it for it in map(json.loads, filter(str.strip, lines))}.values())
    records = [it for it in events if it["kind"] == 64 and any(tag[0] == "seq" for tag in it["tags"])]
    heads = [it for it in events if it["kind"] == 30064]
    records.sort(key=lambda it: int(value(it, "seq")))
    relay = events[0]["pubkey"] if events else None
    ratings, of_day = {}, Counter()
    ids, hashes = ["0" * 64], [bytes(32)]
    day = time = 0
    for number, record in enumerate(records, 1):
        check_event(record, relay)
        where = f"record {number}: "
        require(where + "seq", value(record, "seq"), str(number))
        require(where + "prev", value(record, "prev"), ids[-1])
        category = value(record, "rated")
        require(where + "category", category in CATEGORIES, True)
        require(where + "topic", value(record, "t"), f"rated-{category}")
        white, black = player(record, "white"), player(record, "black")
        require(where + "players who are the same", white == black, False)
        result = value(record, "result")
        require(where + "result", result in SCORES, True)
        time = max(time, record["created_at"])
        if time // 86400 > day:
            day = time // 86400
            of_day.clear()
        of_day[frozenset((white, black))] += 1
        games = of_day[frozenset((white, black))]
        require(where + "games of the pair on that day", games, min(games, 10))
        old_white = ratings.get((category, white), Rating())
        old_black = ratings.get((category, black), Rating())
        new_white = after(old_white, old_black, SCORES[result], time)
        new_black = after(old_black, old_white, 2 - SCORES[result], time)
        require(where + "White's rating", values(record, "rating", "white"), shown(old_white, new_white))
        require(where + "Black's rating", values(record, "rating", "black"), shown(old_black, new_black))
        ratings[category, white], ratings[category, black] = new_white, new_black
        text = "|".join(map(str, (category, white, *new_white[:3], black, *new_black[:3])))
        ids.append(record["id"])
        hashes.append(hashlib.sha256(hashes[-1] + text.encode()).digest())
    for head in heads:
        check_event(head, relay)
        number = int(value(head, "d"))
        require(f"head {number}: is within the {len(records)} records", 0 < number <= len(records), True)
        require(f"head {number}: record", value(head, "e"), ids[number])
        require(f"head {number}: hash of all ratings", value(head, "ratings"), hashes[number].hex())
    signatures = "with signatures" if PublicKeyXOnly else "without signatures"
    print(f"{len(records)} records and {len(heads)} heads of {relay}: all agree, {signatures}; {hashes[-1].hex()}")


try:
    from coincurve import PublicKeyXOnly
except ImportError:
    PublicKeyXOnly = None

if __name__ == "__main__":
    try:
        if sys.argv[1:2] == ["verify"] and len(sys.argv) == 3:
            with open(sys.argv[2], encoding="utf-8") as file:
                check_chain(file)
        elif len(sys.argv) == 1:
            check_vectors(sys.stdin)
        else:
            sys.exit(__doc__)
    except ValueError as difference:
        sys.exit(str(difference))
