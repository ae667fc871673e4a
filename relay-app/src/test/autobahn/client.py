"""The fuzzing client: what the converted cases of the Autobahn test suite are played with."""

import json
import os
import time
import traceback
from collections import Counter

from autobahn.twisted.websocket import WebSocketClientFactory, WebSocketClientProtocol
from cases import Cases
from twisted.internet import reactor

# How long the server may take at least. Half a second, which some cases give it, is little on a busy machine.
PATIENCE_SECONDS = 5
# How many frames of a case are in the report, and how many octets of each.
FRAMES_SHOWN = 100
OCTETS_SHOWN = 64


def play(url, waiting, path):
    """Plays one case after the other of those that wait."""
    report = os.open(path, os.O_WRONLY | os.O_APPEND)
    reactor.callWhenRunning(Client(url, waiting, report).next)
    reactor.run(installSignalHandlers=False)


def octets(text):
    return text.encode("latin-1") if isinstance(text, str) else text


def text(octets):
    return octets.decode("latin-1")


def head(frame):
    return f"opcode={frame.opcode} fin={frame.fin} rsv={frame.rsv} length={frame.length}"


def may_decline(case):
    """Whether a server may decline what the case offers: each offer asks for a small window of the server's."""
    offers = getattr(case, "CLIENT_OFFERS", [])
    return bool(offers) and all(0 < offer.request_max_window_bits < 15 for offer in offers)


class Connection(WebSocketClientProtocol):
    """A connection as the cases know it, which is as autobahn had it when they were written."""

    def __init__(self, factory, case):
        super().__init__()
        self.factory = factory
        self.logOctets = False
        self.createWirelog = True
        self.frames = []
        self.txFrameStats = Counter()
        self.connectionWasOpen = False
        self.broken = None
        self.began = time.monotonic()
        self.runCase = case(self)

    # What the cases hear of.

    def onOpen(self):
        self.connectionWasOpen = True
        self.guarded(self.runCase.onOpen)

    def onMessage(self, payload, isBinary):
        if self.logFrames:
            self.show(f"message {payload[:OCTETS_SHOWN]!r}")
        self.guarded(self.runCase.onMessage, text(payload), isBinary)

    def onPong(self, payload):
        self.guarded(self.runCase.onPong, text(payload))

    def onClose(self, wasClean, code, reason):
        self.guarded(self.runCase.onClose, wasClean, code, reason)

    def guarded(self, callback, *arguments):
        try:
            callback(*arguments)
        except Exception:
            self.broken = self.broken or traceback.format_exc()
            self.dropConnection(abort=True)

    # What the cases do.

    def sendFrame(self, opcode, payload=b"", **options):
        super().sendFrame(opcode, octets(payload), **options)

    def sendMessage(self, payload, isBinary=False, **options):
        if self.state == self.STATE_OPEN:
            super().sendMessage(octets(payload), isBinary, **options)

    def sendMessageFrameData(self, payload, sync=False):
        return super().sendMessageFrameData(octets(payload), sync)

    def sendCloseFrame(self, code=None, reasonUtf8=None, isReply=False):
        super().sendCloseFrame(code, octets(reasonUtf8), isReply)

    def continueLater(self, delay, action, tag=None):
        self.later(delay, action)

    def killAfter(self, delay):
        self.later(max(delay, PATIENCE_SECONDS), self._fail_connection)

    def closeAfter(self, delay):
        self.later(max(delay, PATIENCE_SECONDS), self.sendClose)

    def later(self, delay, action):
        reactor.callLater(delay, self.if_not_closed, action)

    def if_not_closed(self, action):
        if self.state != self.STATE_CLOSED:
            self.guarded(action)

    # What becomes known of frames.

    def enableWirelog(self, enabled):
        self.createWirelog = enabled

    @property
    def createWirelog(self):
        return self.logFrames

    @createWirelog.setter
    def createWirelog(self, enabled):
        self.logFrames = enabled

    def logTxFrame(self, header, payload, repeatLength, chopsize, sync):
        self.txFrameStats[header.opcode] += 1
        self.show(f"sent {head(header)} {payload[:OCTETS_SHOWN]!r}")

    def logRxFrame(self, header, payload):
        # What data frames had in them is in the message by now.
        self.show(f"received {head(header)} {b''.join(payload)!r}")

    def show(self, line):
        if len(self.frames) < FRAMES_SHOWN:
            self.frames.append(line)

    def connectionLost(self, reason):
        super().connectionLost(reason)
        case = self.runCase
        self.guarded(case.onConnectionLost, self.failedByMe)
        self.factory.ended(
            behavior="FAILED" if self.broken else case.behavior,
            behaviorClose=case.behaviorClose,
            result=self.broken or case.result,
            resultClose=case.resultClose,
            wasNotCleanReason=self.wasNotCleanReason,
            remoteCloseCode=self.remoteCloseCode,
            seconds=round(time.monotonic() - self.began, 3),
            frames=self.frames,
        )


class Client(WebSocketClientFactory):
    """
    One connection after the other, each with the next of the cases that wait: names with indices in the list
    of all, then a None. A line of JSON for each goes to the report.
    """

    def __init__(self, url, waiting, report):
        super().__init__(url)
        self.waiting = waiting
        self.report = report
        self.setProtocolOptions(
            # A connection fails as the RFC says, with a close frame.
            failByDrop=False,
            openHandshakeTimeout=PATIENCE_SECONDS,
            closeHandshakeTimeout=PATIENCE_SECONDS,
            serverConnectionDropTimeout=PATIENCE_SECONDS,
        )

    def next(self, connector=None):
        case = self.waiting.get()
        if case is None:
            reactor.stop()
            return
        self.name, index = case
        self.case = Cases[index]
        if connector:
            connector.connect()
        else:
            reactor.connectTCP(self.host, self.port, self)

    def buildProtocol(self, address):
        return Connection(self, self.case)

    def clientConnectionLost(self, connector, reason):
        self.next(connector)

    def clientConnectionFailed(self, connector, reason):
        self.ended(
            behavior="FAILED",
            behaviorClose="FAILED",
            result=reason.getErrorMessage(),
            resultClose="There was no connection.",
            seconds=0,
        )
        self.next(connector)

    def ended(self, **how):
        about = {
            "case": self.name,
            "description": self.case.DESCRIPTION,
            "expectation": self.case.EXPECTATION,
            "mayDecline": may_decline(self.case),
        }
        # One write of a file that is only appended to, so that lines of several processes do not mix.
        os.write(self.report, (json.dumps(about | how) + "\n").encode())
