"""Two players are paired on a Gambit relay and play a game, over WebSockets and with Schnorr signatures, without a
Nostr library. docs/protocol/nip100.md explains each message.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python play.py [ws://localhost:7447] [mate|draw|resign]          (Python 3.11 or newer)
"""

import asyncio
import hashlib
import json
import sys
import time
import urllib.request
import uuid

from coincurve import PrivateKey, PublicKeyXOnly
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

# The games: moves in UCI, and the request of the side to move after them.
PLANS = {
    "mate": (["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"], None),
    "draw": (["e2e4", "e7e5", "g1f3", "b8c6"], (5002, "offer")),
    "resign": (["f2f3", "e7e5", "g2g4"], (5003, "resign")),
}


def information(url):
    """The relay's information document (NIP-11)."""
    address = "http" + url.removeprefix("ws")
    request = urllib.request.Request(address, headers={"Accept": "application/nostr+json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def event_hash(event):
    """The id of an event (NIP-01)."""
    fields = [0, event["pubkey"], event["created_at"], event["kind"], event["tags"], event["content"]]
    return hashlib.sha256(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()).digest()


def is_valid(event):
    """Whether the event's id is correct, and signed by its author."""
    digest = event_hash(event)
    author = PublicKeyXOnly(bytes.fromhex(event["pubkey"]))
    return digest.hex() == event["id"] and author.verify(bytes.fromhex(event["sig"]), digest)


def tag(event, name):
    """The first value of the first tag of that name."""
    return next((it[1] for it in event["tags"] if it[0] == name), None)


class Player:
    def __init__(self, url, document, plan):
        self.url = url
        self.referee = document["self"]
        self.skew = document["chess"]["max_clock_skew"]  # allowed between a client's clock and the relay's
        self.moves, self.last_request = plan
        self.key = PrivateKey()
        self.pubkey = self.key.public_key.format(compressed=True)[1:].hex()
        self.socket = None
        self.unanswered = {}  # events without an OK, by id: sent again after a new connection or a login
        self.color = self.opponent = self.game = None
        self.plies = 0
        self.record = None

    async def play(self):
        """Plays a game, and returns its record."""
        search = self.sign_chess(5000, "connect", [["time", "300+3"]])  # players with the same time control are paired
        self.unanswered[search["id"]] = search  # sent once subscribed
        async for self.socket in connect(self.url):  # connects again, with growing pauses
            try:
                await self.follow_connection()
                return self.record
            except ConnectionClosed:
                pass  # the login over the next connection resumes the game

    async def follow_connection(self):
        # Subscribe first, and to new events only: otherwise the relay's answer could be missed.
        mine = {"kinds": [5000, 5001, 5002, 64], "authors": [self.referee], "#p": [self.pubkey], "limit": 0}
        await self.send("REQ", "referee", mine)
        if self.opponent:
            await self.subscribe_to_opponent()
        async for text in self.socket:
            match json.loads(text):
                case ["AUTH", challenge]:
                    login = self.sign(22242, "", [["relay", self.url], ["challenge", challenge]])
                    await self.send("AUTH", login)
                case ["OK", _, False, reason] | ["CLOSED", _, reason] if not reason.startswith("auth-required:"):
                    raise RuntimeError(f"refused: {reason}")
                case ["OK", answered, True, _] if answered in self.unanswered:
                    del self.unanswered[answered]
                case ["OK", _, True, ""] | ["EOSE", "referee"]:  # logged in, or subscribed
                    for event in self.unanswered.values():
                        await self.send("EVENT", event)
                case ["EVENT", "referee" | "opponent", event] if is_valid(event):
                    await self.receive(event)
            if self.record:
                return

    async def receive(self, event):
        if event["kind"] == 64:
            self.record = event
        elif event["kind"] == 5001:  # of the opponent, or of the referee if the opponent uses the other dialect
            await self.receive_move(event)
        elif event["content"] == "gameisfound":
            await self.begin_or_resume(event)
        elif event["content"] == "offersent":
            await self.publish(5002, "accept", [["e", self.game, "", "root"]])
        elif event["content"] == "gameaborted":
            raise RuntimeError("The game was aborted.")  # there is no record
        else:  # gamecheckmate, gamedraw, opponentresigned, gamelost
            self.say(f"is told: {event['content']}, {tag(event, 'result')}, {tag(event, 'termination')}")

    async def begin_or_resume(self, found):
        """A new game, or the current state of one: then an e tag names it, and moves are those so far."""
        if self.game is None:
            # The colours are in the p tags: ["p", <pubkey>, "", "white" | "black"].
            players = {it[1]: it[3] for it in found["tags"] if it[0] == "p"}
            self.color = players.pop(self.pubkey)
            (self.opponent,) = players
            self.game = tag(found, "e") or found["id"]
            self.since = found["created_at"] - self.skew
            self.say(f"has found a game: {self.game}")
            await self.subscribe_to_opponent()
        moves = (tag(found, "moves") or "").split()
        new = len(moves) > self.plies or not moves
        self.plies = max(self.plies, len(moves))
        if new and self.plies % 2 == (0 if self.color == "white" else 1):
            await self.move()

    async def subscribe_to_opponent(self):
        # Moves sent before this subscription are stored, and arrive now; the opponent's clock may be slow.
        await self.send("REQ", "opponent", {"kinds": [5001], "authors": [self.opponent], "since": self.since})

    async def receive_move(self, event):
        if (tag(event, "e") or self.game) != self.game:
            return  # another game of these players
        ply = int(tag(event, "ply") or self.plies + 1)
        if ply > self.plies:  # otherwise known already
            self.plies = ply
            await self.move()

    async def move(self):
        root = ["e", self.game, "", "root"]
        if self.plies < len(self.moves):
            # The tags for game and ply are optional; they prevent the use of the move in another place.
            uci = self.moves[self.plies]
            self.plies += 1
            self.say(f"plays {uci}")
            await self.publish(5001, uci, [root, ["ply", str(self.plies)]])
        elif self.last_request:
            kind, content = self.last_request
            self.say(f"sends {content}")
            await self.publish(kind, content, [root])

    def sign(self, kind, content, tags):
        event = {"pubkey": self.pubkey, "created_at": int(time.time()), "kind": kind, "tags": tags, "content": content}
        digest = event_hash(event)
        return event | {"id": digest.hex(), "sig": self.key.sign_schnorr(digest).hex()}

    def sign_chess(self, kind, content, tags):
        # No other relay can forward an event that names this one. The nonce makes each event different.
        return self.sign(kind, content, [["relay", self.url], *tags, ["nonce", str(uuid.uuid4())]])

    async def publish(self, kind, content, tags):
        event = self.sign_chess(kind, content, tags)
        self.unanswered[event["id"]] = event
        await self.send("EVENT", event)

    async def send(self, *message):
        await self.socket.send(json.dumps(message))

    def say(self, text):
        print(f"{self.color} {text}", flush=True)


async def main(url="ws://localhost:7447", ending="mate"):
    document = information(url)
    players = [Player(url, document, PLANS[ending]) for _ in range(2)]
    record, _ = await asyncio.gather(*(player.play() for player in players))
    print(record["content"])


asyncio.run(main(*sys.argv[1:]))
