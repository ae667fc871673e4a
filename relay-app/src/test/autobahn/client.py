"""The fuzzing client, which plays the converted cases of the Autobahn test suite."""

import json
import os
import time
import traceback
from collections import Counter

from autobahn.twisted.websocket import WebSocketClientFactory, WebSocketClientProtocol
from cases import Cases
from twisted.internet import reactor

# The least time that the server is given. Half a second, as in some cases, is too short on a busy machine.
PATIENCE_SECONDS = 5
# Number of frames of a case in the report, and of octets of each.
FRAMES_SHOWN = 100
OCTETS_SHOWN = 64


def play(url, waiting, path):
    """Plays the waiting cases one after the other."""
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
    """Whether a server may decline the offers of a case: each asks for a small window of the server."""
    offers = getattr(case, "CLIENT_OFFERS", [])
    return bool(offers) and all(0 < offer.request_max_window_bits < 15 for offer in offers)


class Connection(WebSocketClientProtocol):
    """A connection with the interface that autobahn had when the cases were written."""

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

    # Callbacks of the cases.

    def onOpen(self):
        self.connectionWasOpen = True
        self.guarded(self.runCase.onOpen)

    def onMessage(self, payload, isBinary):
        if self.logFrames:
            self.show("message", payload)
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

    # Actions of the cases.

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

    # Frames that were sent or received.

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
        self.show("sent", payload, header)

    def logRxFrame(self, header, payload):
        # The payload of data frames is already in the message.
        self.show("received", b"".join(payload), header)

    def show(self, what, payload, frame=None):
        if len(self.frames) < FRAMES_SHOWN:
            self.frames.append(f"{what}{f' {head(frame)}' if frame else ''} {payload[:OCTETS_SHOWN]!r}")

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
            # A connection fails as in the RFC, with a close frame.
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
        # A single appending write, so that lines of several processes do not mix.
        os.write(self.report, (json.dumps(about | how) + "\n").encode())
