package gambit.chess.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Outgoing;
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
  /** The events that were sent to single connections. */
  private final List<Outgoing.Multicast> multicasts = new ArrayList<>();

  /** The presences at games that were published at once, and the lobbies. */
  private final List<List<Event>> publications = new ArrayList<>();

  private final SimulatedRelay simulatedRelay =
      new SimulatedRelay(
          new SplittableRandom(1),
          new InjectedBug() {
            @Override
            List<Outgoing> told(List<Outgoing> outgoing) {
              outgoing.stream()
                  .filter(Outgoing.Multicast.class::isInstance)
                  .forEach(it -> multicasts.add((Outgoing.Multicast) it));
              List<Event> published =
                  outgoing.stream()
                      .filter(
                          it -> it instanceof Outgoing.Current current && current.kind() > 20304)
                      .map(it -> ((Outgoing.Current) it).state().get().signed())
                      .toList();
              if (!published.isEmpty()) {
                publications.add(published);
              }
              return outgoing;
            }
          });
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
  void gameIsKnownToOtherThreadsAfterAFailedEnding() {
    pair();
    play("e2e4");
    play("e7e5");
    simulatedRelay.failing = 1000;
    send(aliceSocket, alice, 5003, "resign");
    simulatedRelay.settle();
    assertGameIsKnownToOtherThreads();
  }

  @Test
  void gameWithoutRoomForItsRecordIsKnownToOtherThreadsAfterAFailedEnding() {
    pair();
    play("e2e4");
    play("e7e5");
    simulatedRelay.full = true;
    simulatedRelay.close(bobSocket);
    simulatedRelay.settle();
    simulatedRelay.time.move(60_000);
    while (simulatedRelay.time.ring()) {
      // the grace period ends
    }
    handOnAndWork();
    commitOne(); // there is no room
    simulatedRelay.failing = 1000;
    simulatedRelay.settle();
    assertGameIsKnownToOtherThreads();
  }

  /** Comments on it are hidden from the players, and White's move is awaited. */
  private void assertGameIsKnownToOtherThreads() {
    Event comment = comment(carol, simulatedRelay.checker.gameOf(alice).ref.id());
    assertThat(simulatedRelay.mayRead(comment, aliceSocket)).isFalse();
    assertThat(simulatedRelay.isAwaited(sign(alice, 5001, "g1f3", List.of()))).isTrue();
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
  void timeWithoutTheLogIsARestartForTheClocks() {
    pair();
    play("e2e4");
    play("e7e5");
    long left =
        simulatedRelay.checker.gameOf(alice).playing.deadline() - simulatedRelay.time.millis();
    simulatedRelay.time.move(left - 1); // the log cannot be reached meanwhile
    simulatedRelay.stall();
    simulatedRelay.time.move(left);
    simulatedRelay.settle();
    play("g1f3"); // the checker asserts the clocks
    assertThat(simulatedRelay.checker.gameOf(alice).plies).hasSize(3);
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
  void playerWhoseConnectArrivesBeforeTheGracePeriodEndsHasReturned() {
    pair();
    play("e2e4");
    play("e7e5");
    simulatedRelay.close(bobSocket);
    simulatedRelay.settle();
    simulatedRelay.time.move(59_999);
    send(simulatedRelay.connect(), bob, 5000, "connect");
    simulatedRelay.time.move(1);
    while (simulatedRelay.time.ring() || simulatedRelay.work()) {
      // the grace period ends before the connect is handed on
    }
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(bob)).isNotNull();
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

  @Test
  void fullQueueDoesNotRefuseAForwardedLegalMoveInTurn() {
    pair();
    simulatedRelay.busy = 1000;
    simulatedRelay.arriveForwarded(aliceSocket, sign(alice, 5001, "e2e5", List.of()));
    simulatedRelay.arriveForwarded(bobSocket, sign(bob, 5001, "e7e5", List.of()));
    simulatedRelay.handOn();
    simulatedRelay.handOn();
    assertThat(simulatedRelay.work()).isFalse(); // both are refused
    simulatedRelay.arriveForwarded(aliceSocket, sign(alice, 5001, "e2e4", List.of()));
    simulatedRelay.handOn();
    simulatedRelay.busy = 0;
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(alice).plies).hasSize(1);
  }

  @Test
  void gameIsShownAfterALoginOfWhichTheEarlierLeaderHasNotHeard() {
    pair();
    play("e2e4");
    SimulatedConnection again = simulatedRelay.connect();
    again.logIn(alice);
    simulatedRelay.takeOver(false);
    simulatedRelay.settle();
    assertThat(sentTo(again)).containsExactly("gameisfound e2e4");
    simulatedRelay.takeOver(false);
    assertThat(again.isOpen()).isFalse();
  }

  @Test
  void searchEndsWithAChangeOfTheLeader() {
    send(aliceSocket, alice, 5000, "connect");
    simulatedRelay.settle();
    simulatedRelay.takeOver(false);
    assertThat(aliceSocket.isOpen()).isFalse();
    assertThatBobWaitsAlone();
  }

  private void assertThatBobWaitsAlone() {
    simulatedRelay.settle();
    send(bobSocket, bob, 5000, "connect");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(bob)).isNull();
  }

  @Test
  void cancelsearchAbortsAGameOfTwoSearchesAfterAChangeOfTheLeader() {
    pair();
    simulatedRelay.takeOver(false);
    simulatedRelay.logIn(simulatedRelay.connect(), alice);
    simulatedRelay.settle();
    send(simulatedRelay.connect(), bob, 5000, "cancelsearch");
    simulatedRelay.settle();
    assertThat(simulatedRelay.checker.gameOf(bob)).isNull();
    assertThat(simulatedRelay.checker.queue.contains(alice)).isTrue();
  }

  @Test
  void presencesAtManyGamesArePublishedInPortions() {
    for (int player = 0; player < 2 * 201; player++) {
      byte[] key = new byte[32];
      key[0] = (byte) (1 + player / 100);
      key[1] = (byte) (1 + player % 100);
      send(simulatedRelay.connect(), new PubKey(key), 5000, "connect");
      simulatedRelay.settle();
    }
    simulatedRelay.time.move(2_000);
    simulatedRelay.settle();
    simulatedRelay.stall(); // the clocks of all games are resumed
    publications.clear();
    simulatedRelay.time.move(2_000);
    simulatedRelay.settle();
    assertThat(publications)
        .map(published -> (int) published.stream().filter(it -> it.kind() == 20306).count())
        .filteredOn(games -> games > 0)
        .containsExactly(100, 100, 1);
  }

  @Test
  void resumeIsNotOlderThanAMoveThatWasSentBefore() {
    assertThatAResumeIsNotOlderThanTheMoveBefore();
  }

  @Test
  void resumeInAClusterIsNotOlderThanAMoveThatWasSentBefore() {
    simulatedRelay.sendsAtOnce = false;
    assertThatAResumeIsNotOlderThanTheMoveBefore();
  }

  private void assertThatAResumeIsNotOlderThanTheMoveBefore() {
    pair();
    play("e2e4");
    play("e7e5");
    SimulatedConnection again = logInWithoutSubscription(bob);
    send(aliceSocket, alice, 5001, "g1f3");
    handOnAndWork();
    simulatedRelay.subscribe(again, bob); // while the move is being committed
    simulatedRelay.subscribe(again, bob);
    if (!simulatedRelay.sendsAtOnce) {
      handOnAndWork();
    }
    multicasts.clear();
    simulatedRelay.settle(); // the checker asserts the order
    assertThat(sentTo(again)).containsExactly("gameisfound e2e4 e7e5 g1f3");
  }

  @Test
  void endingThatWasCommittedBeforeACrashIsSentAtTheNextLogin() {
    agreeToADrawWithoutOutput();
    simulatedRelay.crash();
    assertThatBothAreSentTheDraw();
  }

  @Test
  void endingWhosePlayersWereConnectedToTheKilledLeaderIsSentAtTheNextLogin() {
    agreeToADrawWithoutOutput();
    simulatedRelay.takeOver(false);
    assertThatBothAreSentTheDraw();
  }

  private void agreeToADrawWithoutOutput() {
    pair();
    play("e2e4");
    play("e7e5");
    send(aliceSocket, alice, 5002, "offer");
    simulatedRelay.settle();
    send(bobSocket, bob, 5002, "accept");
    handOnAndWork();
    simulatedRelay.commit(1);
  }

  private void assertThatBothAreSentTheDraw() {
    multicasts.clear();
    for (PubKey player : List.of(alice, bob)) {
      SimulatedConnection again = logInWithoutSubscription(player);
      simulatedRelay.subscribe(again, player);
      simulatedRelay.settle();
      assertThat(sentTo(again)).last().isEqualTo("gamedraw");
      simulatedRelay.logIn(simulatedRelay.connect(), player);
    }
    int sent = multicasts.size();
    simulatedRelay.settle();
    assertThat(multicasts).hasSize(sent); // once
  }

  @Test
  void endingIsSentToAPlayerWhoSubscribesAfterIt() {
    pair();
    bobSocket.isSubscribed = false;
    simulatedRelay.close(bobSocket);
    SimulatedConnection again = logInWithoutSubscription(bob);
    send(aliceSocket, alice, 5000, "abort");
    simulatedRelay.settle();
    multicasts.clear();
    simulatedRelay.subscribe(again, bob);
    simulatedRelay.settle();
    assertThat(sentTo(again)).containsExactly("gameaborted");
  }

  @Test
  void endingIsSentToAPlayerWhoReturnsWithAnInvite() {
    pair();
    simulatedRelay.close(bobSocket);
    send(aliceSocket, alice, 5000, "abort");
    simulatedRelay.settle();
    SimulatedConnection again = simulatedRelay.connect();
    send(again, bob, 5000, "invite");
    simulatedRelay.settle();
    assertThat(sentTo(again)).containsExactly("gameaborted");
  }

  @Test
  void severalEndingsThatReachNobodyAreNotSentInALoop() {
    bobSocket.isSubscribed = false;
    for (int game = 0; game < 2; game++) {
      send(bobSocket, bob, 20300, "");
      send(aliceSocket, alice, 5000, "connect");
      simulatedRelay.settle();
      send(aliceSocket, alice, 5000, "abort");
      simulatedRelay.settle();
    }
    for (int i = 0; i < 2; i++) {
      SimulatedConnection more = simulatedRelay.connect();
      more.isSubscribed = false;
      simulatedRelay.logIn(more, bob);
    }
    simulatedRelay.settle();
    multicasts.clear();
    simulatedRelay.subscribe(bobSocket, bob);
    simulatedRelay.settle();
    assertThat(multicasts).filteredOn(it -> it.to().contains(bobSocket)).hasSize(2);
  }

  /** A new connection of a player, which gets nothing yet. */
  private SimulatedConnection logInWithoutSubscription(PubKey player) {
    SimulatedConnection socket = simulatedRelay.connect();
    socket.isSubscribed = false;
    simulatedRelay.logIn(socket, player);
    simulatedRelay.settle();
    return socket;
  }

  /** What was sent to one connection: the contents, and the moves of a game that was shown. */
  private List<String> sentTo(SimulatedConnection socket) {
    return multicasts.stream()
        .filter(multicast -> multicast.to().contains(socket))
        .map(Outgoing.Multicast::event)
        .map(event -> (event.content() + " " + event.tags().first("moves").orElse("")).strip())
        .toList();
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
