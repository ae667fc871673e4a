package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The moves that a follower of a cluster awaits. */
class FollowedMovesTest {
  private final RefereeEvents relay = new RefereeEvents(Keys.of("relay"), "wss://relay.example/");
  private final Nip100 nip100 = new Nip100(relay);
  private final KnownGames games = new KnownGames(List.of());
  private final AwaitedMoves turns = games.awaited();
  private final GameRef game = game("ab", "alice", "bob");
  private final GameRef second = game("cd", "alice", "carol");

  private GameRef game(String id, String white, String black) {
    return new GameRef(
        EventId.ofHex(id.repeat(32)),
        new GameRef.Seat(Keys.of(white).pubkey(), nip100),
        new GameRef.Seat(Keys.of(black).pubkey(), nip100),
        false,
        null);
  }

  private void start(GameRef started, Side first) {
    turns.gameFollowed(started.id(), 0, first); // rows come in any order
    games.gameStarted(started);
  }

  @Test
  void movesOfThePlayerInTurnAreAwaited() {
    start(game, Side.WHITE);
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isTrue();
    assertThat(isAwaited(event("alice", 5002, "offer"))).isFalse();
    assertThat(isAwaited(event("bob", 5001, "e7e5"))).isFalse();
    turns.gameFollowed(game.id(), 1, Side.BLACK);
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isFalse();
    assertThat(isAwaited(event("bob", 5001, "e7e5"))).isTrue();
  }

  @Test
  void blackMayHaveTheFirstMove() {
    start(game, Side.BLACK);
    assertThat(isAwaited(event("bob", 5001, "e7e5"))).isTrue();
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isFalse();
  }

  @Test
  void anEventIsNotInterpretedUnlessItsAuthorPlays() {
    start(game, Side.WHITE);
    assertThat(turns.isMoveInTurn(Keys.of("carol").pubkey(), () -> fail("interpreted"))).isFalse();
  }

  @Test
  void moveOfAPlayerInTurnInSeveralGamesMustNameOne() {
    start(game, Side.WHITE);
    start(second, Side.WHITE);
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isFalse();
    List<String> named = List.of("e", second.id().hex(), "", "root");
    assertThat(isAwaited(event("alice", 5001, "e2e4", named))).isTrue();
    turns.gameFollowed(game.id(), 1, Side.BLACK);
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isFalse();
  }

  @Test
  void moveThatNamesNoGameIsAwaitedInTheLiveOneElseInTheOnlySlowOne() {
    GameRef slow = new GameRef(second.id(), second.white(), second.black(), true, null);
    start(game, Side.BLACK);
    start(slow, Side.WHITE);
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isFalse();
    games.gameEnded(game.id());
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isTrue();
  }

  @Test
  void exemptionsInOneTurnAreBounded() {
    start(game, Side.WHITE);
    PlayerEvent move = event("alice", 5001, "e2e4");
    for (int i = 0; i < AwaitedMoves.MAX_PER_TURN; i++) {
      assertThat(isAwaited(move)).isTrue();
      turns.count(move);
    }
    turns.gameFollowed(game.id(), 0, Side.WHITE); // of something other than a move
    assertThat(isAwaited(move)).isFalse();
    turns.gameFollowed(game.id(), 2, Side.WHITE);
    assertThat(isAwaited(move)).isTrue();
  }

  @Test
  void noMoveIsAwaitedAfterTheGame() {
    start(game, Side.WHITE);
    games.gameEnded(game.id());
    assertThat(isAwaited(event("alice", 5001, "e2e4"))).isFalse();
  }

  private boolean isAwaited(PlayerEvent event) {
    return turns.isMoveInTurn(event.event().pubkey(), () -> event);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the list is a copy
  private PlayerEvent event(String author, int kind, String content, List<String>... tags) {
    Tags all = new Tags(List.of(tags));
    return nip100.read(Keys.of(author).sign(1_772_389_805, kind, all, content));
  }
}
