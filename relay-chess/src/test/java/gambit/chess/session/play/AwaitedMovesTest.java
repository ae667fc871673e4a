package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.Command;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AwaitedMovesTest {
  private static final long START = 1_772_389_805_000L;

  private final RefereeEvents relay = new RefereeEvents(Keys.of("relay"), "wss://relay.example/");
  private final Nip100 nip100 = new Nip100(relay);
  private final Ephemeral ephemeral = new Ephemeral(relay);
  private final KnownGames games = new KnownGames(List.of());
  private final AwaitedMoves awaited = games.awaited();
  private final GameRef ref =
      new GameRef(
          EventId.ofHex("ab".repeat(32)),
          new GameRef.Seat(Keys.of("alice").pubkey(), nip100),
          new GameRef.Seat(Keys.of("bob").pubkey(), ephemeral),
          false,
          null);
  private final GameRef second =
      new GameRef(
          EventId.ofHex("cd".repeat(32)),
          ref.white(),
          new GameRef.Seat(Keys.of("carol").pubkey(), nip100),
          true,
          null);
  private final OngoingGame start =
      OngoingGame.start(Position.initial(), TimeControl.TEN_MINUTES_A_MOVE, 30_000, 200, START);
  private final OngoingGame moved = play(start, "e2e4");

  @BeforeEach
  void announceBothGames() {
    games.gameStarted(ref);
    games.gameStarted(second);
  }

  @Test
  void onlyLegalMovesOfThePlayerInTurnAreAwaited() {
    awaited.gameCommitted(ref, start);
    assertThat(isAwaited(move("alice", "e2e4"))).isTrue();
    assertThat(isAwaited(move("alice", "e2e5"))).isFalse();
    assertThat(isAwaited(move("bob", "e7e5"))).isFalse();
    assertThat(isAwaited(move("carol", "e2e4"))).isFalse();
    assertThat(isAwaited(event("alice", 5002, "offer"))).isFalse();
  }

  @Test
  void anEventIsNotInterpretedUnlessItsAuthorIsInTurn() {
    awaited.gameCommitted(ref, start);
    PubKey bob = Keys.of("bob").pubkey();
    assertThat(awaited.legalMove(bob, () -> fail("interpreted"))).isEmpty();
  }

  @Test
  void replyIsAwaitedBeforeTheCommitAndTheMoverOnlyUntilThen() {
    awaited.gameCommitted(ref, start);
    awaited.gameDecided(ref, moved);
    assertThat(isAwaited(move("alice", "e2e4"))).isTrue();
    assertThat(isAwaited(move("bob", "e7e5"))).isTrue();
    awaited.gameCommitted(ref, moved);
    assertThat(isAwaited(move("alice", "e2e4"))).isFalse();
    assertThat(isCounted(move("alice", "e2e4"))).isFalse();
    assertThat(isAwaited(move("bob", "e7e5"))).isTrue();
  }

  @Test
  void awaitedMovesInOneTurnAreBoundedAcrossCommits() {
    awaited.gameDecided(ref, start);
    for (int i = 0; i < AwaitedMoves.MAX_PER_TURN; i++) {
      assertThat(isAwaited(move("alice", "e2e4"))).isTrue();
      assertThat(isCounted(move("alice", "e2e4"))).isTrue();
      awaited.gameCommitted(ref, start);
    }
    assertThat(isAwaited(move("alice", "e2e4"))).isFalse();
    assertThat(isCounted(move("alice", "e2e4"))).isFalse();
  }

  @Test
  void nothingIsAwaitedAfterTheEndOfAGame() {
    awaited.gameCommitted(ref, start);
    awaited.gameDecided(ref, moved);
    awaited.gameEnded(ref.id());
    assertThat(isAwaited(move("alice", "e2e4"))).isFalse();
    assertThat(isAwaited(move("bob", "e7e5"))).isFalse();
    assertThat(isCounted(move("bob", "e7e5"))).isFalse();
  }

  @Test
  void moveThatNamesNoGameIsAwaitedInTheLiveOneElseInTheOnlySlowOne() {
    awaited.gameCommitted(ref, start);
    awaited.gameCommitted(second, start);
    assertThat(isAwaited(move("alice", "e2e4"))).isTrue();
    assertThat(isAwaited(move("alice", "e2e4", ref))).isTrue();
    assertThat(isAwaited(move("alice", "d2d4", second))).isTrue();
    assertThat(isAwaited(move("alice", "e2e5", second))).isFalse();
    awaited.gameCommitted(ref, moved);
    assertThat(isAwaited(move("alice", "e2e4", ref))).isFalse();
    assertThat(isAwaited(move("alice", "e2e4", second))).isTrue();
    assertThat(isAwaited(move("alice", "e2e4"))).as("not in turn in the live one").isFalse();
    assertThat(isAwaited(move("bob", "e7e5", ref))).isTrue();
    games.gameEnded(ref.id());
    assertThat(isAwaited(move("bob", "e7e5", ref))).isFalse();
    assertThat(isAwaited(move("alice", "e2e4"))).isTrue();
  }

  @Test
  void awaitedMovesAreCountedForEachGame() {
    awaited.gameCommitted(ref, start);
    awaited.gameCommitted(second, start);
    for (int i = 0; i < AwaitedMoves.MAX_PER_TURN; i++) {
      assertThat(isCounted(move("alice", "e2e4", ref))).isTrue();
    }
    assertThat(isAwaited(move("alice", "e2e4", ref))).isFalse();
    assertThat(isCounted(move("alice", "e2e4", ref))).isFalse();
    assertThat(isAwaited(move("alice", "e2e4", second))).isTrue();
    assertThat(isCounted(move("alice", "e2e4", second))).isTrue();
  }

  private boolean isAwaited(Event event) {
    return awaited.legalMove(event.pubkey(), () -> nip100.read(event)).isPresent();
  }

  private boolean isCounted(Event event) {
    return awaited.count(nip100.read(event));
  }

  private static OngoingGame play(OngoingGame game, String uci) {
    Command move = new Command.Play(game.turn(), Move.parse(uci).orElseThrow(), false);
    return (OngoingGame) ((Step) Referee.decide(game, move, START)).next();
  }

  private static Event move(String player, String uci) {
    return event(player, 5001, uci);
  }

  private static Event move(String player, String uci, GameRef game) {
    Tags tags = new Tags(List.of(List.of("e", game.id().hex(), "", "root")));
    return Keys.of(player).sign(START / 1000, 5001, tags, uci);
  }

  private static Event event(String player, int kind, String content) {
    return Keys.of(player).sign(START / 1000, kind, Tags.NONE, content);
  }
}
