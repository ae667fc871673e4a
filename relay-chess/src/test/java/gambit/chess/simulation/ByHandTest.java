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

/** What the simulation has found once, step by step. */
class ByHandTest {
  private final World world = new World(new SplittableRandom(1), new Sabotage());
  private final PubKey alice = key(1);
  private final PubKey bob = key(2);
  private final PubKey carol = key(3);
  private final Socket aliceSocket = world.connect();
  private final Socket bobSocket = world.connect();
  private final Socket carolSocket = world.connect();
  private int nonce;

  @Test
  void playerWhoConnectsTwiceIsPairedOnce() {
    send(aliceSocket, alice, 5000, "connect");
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    send(aliceSocket, alice, 5000, "connect");
    handOnAndWork(); // both are being stored
    commitOne(); // bob's: he is paired with alice now
    send(carolSocket, carol, 5000, "connect");
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNotNull().isSameAs(world.ledger.gameOf(bob));
    assertThat(world.ledger.gameOf(carol)).isNull();
  }

  @Test
  void playerWhoLeavesTheQueueIsNotPairedDuringTheCommit() {
    send(aliceSocket, alice, 5000, "connect");
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    send(aliceSocket, alice, 5000, "cancelsearch");
    handOnAndWork();
    commitOne();
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNull();
    assertThat(world.ledger.gameOf(bob)).isNull();
  }

  @Test
  void failedCancellationLeavesThePlayerInTheQueue() {
    send(aliceSocket, alice, 5000, "connect");
    world.settle();
    send(aliceSocket, alice, 5000, "cancelsearch");
    world.failing = 1000;
    world.settle();
    world.failing = 0;
    send(bobSocket, bob, 5000, "connect");
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNotNull().isSameAs(world.ledger.gameOf(bob));
  }

  @Test
  void failedPairingIsReportedInTheNewDialect() {
    send(aliceSocket, alice, 20300, "");
    send(aliceSocket, alice, 5000, "invite");
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    commitOne();
    world.work(); // bob searches, and the game is being stored
    world.failing = 1000;
    world.settle(); // where the ledger sees that nobody believes to be waiting
    assertThat(world.ledger.gameOf(alice)).isNull();
  }

  @Test
  void cancelsearchDoesNotAbortAGameFromAnInvite() {
    send(aliceSocket, alice, 5000, "invite", List.of(List.of("p", bob.hex())));
    world.settle();
    EventId invite = world.ledger.invites().get(0).id();
    send(bobSocket, bob, 5000, "accept", List.of(List.of("e", invite.hex())));
    world.settle();
    send(bobSocket, bob, 5000, "cancelsearch");
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNotNull().isSameAs(world.ledger.gameOf(bob));
    assertThat(world.ledger.queue.contains(alice)).isFalse();
  }

  @Test
  void moveOutOfTurnOfAMissingPieceIsAnswered() {
    send(aliceSocket, alice, 20300, "");
    send(bobSocket, bob, 20300, "");
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNotNull();
    send(aliceSocket, alice, 20303, "Kd5-d6");
    send(bobSocket, bob, 20303, "Kd5-d6");
    world.settle(); // where the ledger sees that each has its answer
    assertThat(world.ledger.commands.answers()).isEqualTo(4);
  }

  @Test
  void inviteWhoseDeletionFailedIsForgottenLater() {
    send(aliceSocket, alice, 5000, "invite");
    world.settle();
    EventId invite = world.ledger.invites().get(0).id();
    send(aliceSocket, alice, 5, "", List.of(List.of("e", invite.hex())));
    world.failing = 1000;
    world.settle();
    assertThat(world.ledger.invites()).hasSize(1);
    world.failing = 0;
    world.time.move(1_000);
    world.settle();
    assertThat(world.ledger.invites()).isEmpty();
  }

  @Test
  void resultOfAConnectPrecedesAnswersToLaterRequests() {
    send(aliceSocket, alice, 5000, "connect");
    send(aliceSocket, alice, 5000, "cancelsearch");
    handOnAndWork();
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    world.settle();
    assertThat(world.ledger.gameOf(bob)).isNull();
    assertThat(world.ledger.queue.contains(alice)).isFalse();
  }

  @Test
  void commentsAreHiddenFromThePlayersFromTheFirstMessageOfAGameToItsEnd() {
    send(aliceSocket, alice, 5000, "connect");
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    commitOne();
    world.work(); // bob searches, and the game is being stored
    commitOne(); // it is told, and the session manager has not heard of it
    EventId game = world.ledger.gameOf(alice).ref.id();
    Event comment = comment(carol, game);
    assertThat(world.mayRead(comment, aliceSocket)).isFalse();
    assertThat(world.mayRead(comment, bobSocket)).isFalse();
    assertThat(world.mayRead(comment, carolSocket)).isTrue();
    assertThat(world.mayRead(comment(alice, game), bobSocket)).isTrue();
    assertThat(world.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isTrue();
    world.settle();
    assertThat(world.mayRead(comment, aliceSocket)).isFalse();
    send(aliceSocket, alice, 5000, "abort");
    handOnAndWork();
    commitOne();
    assertThat(world.ledger.gameOf(alice)).isNull();
    assertThat(world.mayRead(comment, aliceSocket)).isTrue();
    assertThat(world.mayRead(comment, bobSocket)).isTrue();
  }

  @Test
  void commentsAreShownAfterAGameWithoutRoomForItsRecord() {
    pair();
    play("e2e4");
    play("e7e5");
    Event comment = comment(carol, world.ledger.gameOf(alice).ref.id());
    Event move = sign(alice, 5001, "g1f3", List.of());
    assertThat(world.isAwaited(move)).isTrue();
    world.full = true;
    world.close(bobSocket);
    world.settle();
    world.time.move(60_000);
    while (world.time.ring()) {
      // the first alarm is that of the first move, which was made in time
    }
    handOnAndWork();
    commitOne(); // there is no room
    handOnAndWork();
    assertThat(world.mayRead(comment, aliceSocket)).isFalse();
    commitOne();
    assertThat(world.ledger.gameOf(alice)).isNull();
    assertThat(world.mayRead(comment, aliceSocket)).isTrue();
    world.settle();
    assertThat(world.isAwaited(move)).isFalse();
  }

  @Test
  void noMoveIsAwaitedInAGameWhoseCommitFailed() {
    send(aliceSocket, alice, 5000, "connect");
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    handOnAndWork();
    commitOne();
    world.work(); // bob searches, and the game is being stored
    assertThat(world.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isTrue();
    world.failing = 1000;
    world.settle();
    assertThat(world.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isFalse();
  }

  @Test
  void requestWithoutRoomInTheWriterIsAnswered() {
    world.settle();
    send(aliceSocket, alice, 5000, "connect");
    world.handOn();
    world.busy = 1000;
    world.work();
    world.busy = 0;
    world.settle(); // where the ledger sees that it has its answer
    assertThat(world.ledger.commands.answers()).isEqualTo(1);
  }

  @Test
  void requestWaitingForADeadlineIsAnsweredWhenTheMoveWasInTime() {
    pair();
    play("e2e4");
    play("e7e5");
    for (String uci : List.of("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "c3b1", "c6b8")) {
      boolean white = world.ledger.gameOf(alice).plies.size() % 2 == 0;
      world.time.move(world.ledger.gameOf(alice).playing.deadline() - 1 - world.time.millis());
      send(white ? aliceSocket : bobSocket, white ? alice : bob, 5001, uci);
      world.time.move(1);
      send(white ? bobSocket : aliceSocket, white ? bob : alice, 5002, "decline");
      world.settle(); // in whatever order they are handed on, the ledger sees an answer to each
      assertThat(world.ledger.gameOf(alice)).isNotNull();
    }
  }

  @Test
  void absentPlayerLosesOnlyAfterThePendingMove() {
    pair();
    play("e2e4");
    play("e7e5");
    world.close(bobSocket);
    world.settle();
    world.time.move(60_000);
    send(aliceSocket, alice, 5001, "g1f3");
    handOnAndWork();
    while (world.time.ring()) {
      handOnAndWork(); // the end of the grace comes while the move is being stored
    }
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNull();
  }

  @Test
  void returnedPlayerIsNotAbsentAfterAFailedEnding() {
    pair();
    play("e2e4");
    play("e7e5");
    world.close(aliceSocket);
    world.settle();
    world.time.move(30_000);
    world.settle();
    Socket again = world.connect();
    send(again, alice, 5000, "connect");
    world.settle();
    world.close(bobSocket);
    world.settle();
    world.failing = 1000;
    world.time.move(60_000);
    world.settle();
    assertThat(world.ledger.gameOf(alice)).isNotNull();
    world.failing = 0;
    world.time.move(1_000);
    world.settle(); // where the ledger sees that it is Bob who has lost
    assertThat(world.ledger.gameOf(alice)).isNull();
  }

  @Test
  void sameSideIsAwaitedAfterAMoveWhoseCommitFailed() {
    pair();
    send(aliceSocket, alice, 5001, "e2e4");
    world.failing = 1000;
    handOnAndWork();
    assertThat(world.isAwaited(sign(bob, 5001, "e7e5", List.of()))).isTrue();
    world.settle();
    assertThat(world.isAwaited(sign(bob, 5001, "e7e5", List.of()))).isFalse();
    assertThat(world.isAwaited(sign(alice, 5001, "e2e4", List.of()))).isTrue();
  }

  /** Alice and Bob play; the lots of this world give Alice White. */
  private void pair() {
    send(aliceSocket, alice, 5000, "connect");
    world.settle();
    send(bobSocket, bob, 5000, "connect");
    world.settle();
    assertThat(world.ledger.gameOf(alice).ref.white().player()).isEqualTo(alice);
  }

  private void play(String uci) {
    boolean white = world.ledger.gameOf(alice).plies.size() % 2 == 0;
    send(white ? aliceSocket : bobSocket, white ? alice : bob, 5001, uci);
    world.settle();
  }

  /** What somebody says about a game. */
  private Event comment(PubKey author, EventId game) {
    return sign(author, 1111, "Black is lost", List.of(List.of("E", game.hex())));
  }

  /** Lets everything happen that happens before a commit. */
  private void handOnAndWork() {
    while (world.handOn() || world.work()) {
      // the next step
    }
  }

  private void commitOne() {
    world.commit(1);
    world.tellCommitted();
  }

  private static PubKey key(int number) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) number);
    return new PubKey(key);
  }

  private void send(Socket socket, PubKey player, int kind, String content) {
    send(socket, player, kind, content, List.of());
  }

  private void send(
      Socket socket, PubKey player, int kind, String content, List<List<String>> tags) {
    List<List<String>> all = new ArrayList<>(tags);
    all.add(List.of("nonce", "" + nonce++));
    if (kind >= 20300) {
      all.add(List.of("p", world.signer().pubkey().hex()));
    }
    world.arrive(socket, sign(player, kind, content, all));
  }

  private Event sign(PubKey player, int kind, String content, List<List<String>> tags) {
    long now = world.time.millis() / 1000;
    EventId id = EventEncoder.idOf(player, now, kind, new Tags(tags), content);
    return EventEncoder.encode(id, player, now, kind, new Tags(tags), content, new byte[64]);
  }
}
