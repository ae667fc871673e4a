package gambit.chess.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bugs that the simulation has found, step by step. */
class SimulationFindingsTest {
  private final SimulatedRelay simulatedRelay =
      new SimulatedRelay(new SplittableRandom(1), new InjectedBug());
  private final PubKey alice = key(1);
  private final PubKey bob = key(2);
  private final PubKey carol = key(3);
  private final SimulatedConnection aliceSocket = simulatedRelay.connect();
  private final SimulatedConnection bobSocket = simulatedRelay.connect();
  private final SimulatedConnection carolSocket = simulatedRelay.connect();
  private int nonce;

  @Test
  void playerWhoConnectsTwiceIsPairedOnce() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    send(aliceSocket, alice, 5000, "connect");
    handOnAndWork(); // both are being stored
    commitOne(); // bob's: he is paired with alice now
    send(carolSocket, carol, 5000, "connect");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice))
        .isNotNull()
        .isSameAs(simulatedRelay.checker.gameOf(bob));
    assertThat(simulatedRelay.checker.gameOf(carol)).isNull();
  }

  @Test
  void playerWhoLeavesTheQueueIsNotPairedDuringTheCommit() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    send(aliceSocket, alice, 5000, "cancelsearch");
    handOnAndWork();
    commitOne();
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice)).isNull();
    assertThat(simulatedRelay.checker.gameOf(bob)).isNull();
  }

  @Test
  void failedCancellationLeavesThePlayerInTheQueue() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    send(aliceSocket, alice, 5000, "cancelsearch");
    simulatedRelay.failing = 1000;
    simulatedRelay.settle();
    simulatedRelay.failing = 0;
    send(bobSocket, bob, 5000, "connect");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice))
        .isNotNull()
        .isSameAs(simulatedRelay.checker.gameOf(bob));
  }

  @Test
  void failedPairingIsReportedInTheNewDialect() {
    send(aliceSocket, alice, 20300, "");
    send(aliceSocket, alice, 5000, "invite");
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    commitOne();
    simulatedRelay.work(); // bob searches, and the commit of the game is pending
    simulatedRelay.failing = 1000;
    simulatedRelay.settle(); // the checker asserts that nobody expects to be waiting
    assertThat(simulatedRelay.checker.gameOf(alice)).isNull();
  }

  @Test
  void cancelsearchDoesNotAbortAGameFromAnInvite() {
    send(aliceSocket, alice, 5000, "invite", List.of(List.of("p", bob.hex())));
    simulatedRelay.settle();
    EventId invite = simulatedRelay.checker.invites().get(0).id();
    send(bobSocket, bob, 5000, "accept", List.of(List.of("e", invite.hex())));
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "cancelsearch");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice))
        .isNotNull()
        .isSameAs(simulatedRelay.checker.gameOf(bob));
    assertThat(simulatedRelay.checker.queue.contains(alice)).isFalse();
  }

  @Test
  void moveOutOfTurnOfAMissingPieceIsAnswered() {
    send(aliceSocket, alice, 20300, "");
    send(bobSocket, bob, 20300, "");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice)).isNotNull();
    send(aliceSocket, alice, 20303, "Kd5-d6");
    send(bobSocket, bob, 20303, "Kd5-d6");
    simulatedRelay.settle(); // the checker asserts that each event was answered
    assertThat(simulatedRelay.checker.commands.answers()).isEqualTo(4);
  }

  @Test
  void inviteWhoseDeletionFailedIsForgottenLater() {
    send(aliceSocket, alice, 5000, "invite");
    simulatedRelay.settle();
    EventId invite = simulatedRelay.checker.invites().get(0).id();
    send(aliceSocket, alice, 5, "", List.of(List.of("e", invite.hex())));
    simulatedRelay.failing = 1000;
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.invites()).hasSize(1);
    simulatedRelay.failing = 0;
    simulatedRelay.time.move(1_000);
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.invites()).isEmpty();
  }

  @Test
  void resultOfAConnectPrecedesAnswersToLaterRequests() {
    send(aliceSocket, alice, 5000, "connect");
    send(aliceSocket, alice, 5000, "cancelsearch");
    handOnAndWork();
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(bob)).isNull();
    assertThat(simulatedRelay.checker.queue.contains(alice)).isFalse();
  }

  @Test
  void commentsAreHiddenFromThePlayersFromTheFirstMessageOfAGameToItsEnd() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    commitOne();
    simulatedRelay.work(); // bob searches, and the commit of the game is pending
    commitOne(); // it is sent, and the session manager is not notified yet
    EventId game = simulatedRelay.checker.gameOf(alice).ref.id();
    Event comment = comment(carol, game);
    assertThat(simulatedRelay.mayRead(comment, aliceSocket)).isFalse();
    assertThat(simulatedRelay.mayRead(comment, bobSocket)).isFalse();
    assertThat(simulatedRelay.mayRead(comment, carolSocket)).isTrue();
    assertThat(simulatedRelay.mayRead(comment(alice, game), bobSocket)).isTrue();
    assertThat(simulatedRelay.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isTrue();
    simulatedRelay.settle();
    assertThat(simulatedRelay.mayRead(comment, aliceSocket)).isFalse();
    send(aliceSocket, alice, 5000, "abort");
    handOnAndWork();
    commitOne();
    assertThat(simulatedRelay.checker.gameOf(alice)).isNull();
    assertThat(simulatedRelay.mayRead(comment, aliceSocket)).isTrue();
    assertThat(simulatedRelay.mayRead(comment, bobSocket)).isTrue();
  }

  @Test
  void commentsAreShownAfterAGameWithoutRoomForItsRecord() {
    pair();
    play("e2e4");
    play("e7e5");
    Event comment = comment(carol, simulatedRelay.checker.gameOf(alice).ref.id());
    Event move = sign(alice, 5001, "g1f3", List.of());
    assertThat(simulatedRelay.isAwaited(move)).isTrue();
    simulatedRelay.full = true;
    simulatedRelay.close(bobSocket);
    simulatedRelay.settle();
    simulatedRelay.time.move(60_000);
    while (simulatedRelay.time.ring()) {
      // the first alarm is that of the first move, which was made in time
    }
    handOnAndWork();
    commitOne(); // there is no room
    handOnAndWork();
    assertThat(simulatedRelay.mayRead(comment, aliceSocket)).isFalse();
    commitOne();
    assertThat(simulatedRelay.checker.gameOf(alice)).isNull();
    assertThat(simulatedRelay.mayRead(comment, aliceSocket)).isTrue();
    simulatedRelay.settle();
    assertThat(simulatedRelay.isAwaited(move)).isFalse();
  }

  @Test
  void noMoveIsAwaitedInAGameWhoseCommitFailed() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    commitOne();
    simulatedRelay.work(); // bob searches, and the commit of the game is pending
    assertThat(simulatedRelay.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isTrue();
    simulatedRelay.failing = 1000;
    simulatedRelay.settle();
    assertThat(simulatedRelay.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isFalse();
  }

  @Test
  void requestWithoutRoomInTheWriterIsAnswered() {
    simulatedRelay.settle();
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.handOn();
    simulatedRelay.busy = 1000;
    simulatedRelay.work();
    simulatedRelay.busy = 0;
    simulatedRelay.settle(); // the checker asserts that the event was answered
    assertThat(simulatedRelay.checker.commands.answers()).isEqualTo(1);
  }

  @Test
  void requestWaitingForADeadlineIsAnsweredWhenTheMoveWasInTime() {
    pair();
    play("e2e4");
    play("e7e5");
    for (String uci : List.of("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8")) {
      boolean white = simulatedRelay.checker.gameOf(alice).plies.size() % 2 == 0;
      simulatedRelay.time.move(
          simulatedRelay.checker.gameOf(alice).playing.deadline()
              - 1
              - simulatedRelay.time.millis());
      send(white ? aliceSocket : bobSocket, white ? alice : bob, 5001, uci);
      simulatedRelay.time.move(1);
      send(white ? bobSocket : aliceSocket, white ? bob : alice, 5002, "decline");
      simulatedRelay.settle(); // in any order, the checker asserts an answer to each
      assertThat(simulatedRelay.checker.gameOf(alice)).isNotNull();
    }
  }

  @Test
  void absentPlayerLosesOnlyAfterThePendingMove() {
    pair();
    play("e2e4");
    play("e7e5");
    simulatedRelay.close(bobSocket);
    simulatedRelay.settle();
    simulatedRelay.time.move(60_000);
    send(aliceSocket, alice, 5001, "g1f3");
    handOnAndWork();
    while (simulatedRelay.time.ring()) {
      handOnAndWork(); // the grace period ends while the commit of the move is pending
    }
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice)).isNull();
  }

  @Test
  void returnedPlayerIsNotAbsentAfterAFailedEnding() {
    pair();
    play("e2e4");
    play("e7e5");
    simulatedRelay.close(aliceSocket);
    simulatedRelay.settle();
    simulatedRelay.time.move(30_000);
    simulatedRelay.settle();
    SimulatedConnection again = simulatedRelay.connect();
    send(again, alice, 5000, "connect");
    simulatedRelay.settle();
    simulatedRelay.close(bobSocket);
    simulatedRelay.settle();
    simulatedRelay.failing = 1000;
    simulatedRelay.time.move(60_000);
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice)).isNotNull();
    simulatedRelay.failing = 0;
    simulatedRelay.time.move(1_000);
    simulatedRelay.settle(); // the checker asserts that Bob has lost
    assertThat(simulatedRelay.checker.gameOf(alice)).isNull();
  }

  @Test
  void sameSideIsAwaitedAfterAMoveWhoseCommitFailed() {
    pair();
    send(aliceSocket, alice, 5001, "e2e4");
    simulatedRelay.failing = 1000;
    handOnAndWork();
    assertThat(simulatedRelay.isAwaited(sign(bob, 5001, "e7e5", List.of()))).isTrue();
    simulatedRelay.settle();
    assertThat(simulatedRelay.isAwaited(sign(bob, 5001, "e7e5", List.of()))).isFalse();
    assertThat(simulatedRelay.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isTrue();
  }

  /** Alice and Bob play; the lots of this world give Alice White. */
  private void pair() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice).ref.white().player()).isEqualTo(alice);
  }

  private void play(String uci) {
    boolean white = simulatedRelay.checker.gameOf(alice).plies.size() % 2 == 0;
    send(white ? aliceSocket : bobSocket, white ? alice : bob, 5001, uci);
    simulatedRelay.settle();
  }

  /** A comment on a game. */
  private Event comment(PubKey author, EventId game) {
    return sign(author, 1111, "Black is lost", List.of(List.of("E", game.hex())));
  }

  /** Runs everything that precedes a commit. */
  private void handOnAndWork() {
    while (simulatedRelay.handOn() || simulatedRelay.work()) {
      // the next step
    }
  }

  private void commitOne() {
    simulatedRelay.commit(1);
    simulatedRelay.tellCommitted();
  }

  private static PubKey key(int number) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) number);
    return new PubKey(key);
  }

  private void send(SimulatedConnection socket, PubKey player, int kind, String content) {
    send(socket, player, kind, content, List.of());
  }

  private void send(
      SimulatedConnection socket,
      PubKey player,
      int kind,
      String content,
      List<List<String>> tags) {
    List<List<String>> all = new ArrayList<>(tags);
    all.add(List.of("nonce", "" + nonce++));
    if (kind >= 20300) {
      all.add(List.of("p", simulatedRelay.signer().pubkey().hex()));
    }
    simulatedRelay.arrive(socket, sign(player, kind, content, all));
  }

  private Event sign(PubKey player, int kind, String content, List<List<String>> tags) {
    long now = simulatedRelay.time.millis() / 1000;
    EventId id = EventEncoder.idOf(player, now, kind, new Tags(tags), content);
    return EventEncoder.encode(id, player, now, kind, new Tags(tags), content, new byte[64]);
  }
}
