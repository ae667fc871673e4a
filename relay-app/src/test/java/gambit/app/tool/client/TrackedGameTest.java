package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.client.GameView.GameClocks;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clocks of a game that is resumed after a restart of the relay (docs/protocol/lobby.md). */
class TrackedGameTest {
  private static final long BEGAN = 1_700_000_000_000L;
  private static final long RESUMED = BEGAN + 90_000;

  /** This client's clock is two seconds ahead of the relay's. */
  private static final long DIFFERENCE = 2000;

  private static final String AFTER_TWO_MOVES =
      "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
  private static final GameClocks AFTER_RESUMPTION =
      new GameClocks(115_000, 75_000, Side.WHITE, RESUMED + DIFFERENCE);

  private final Signer relay = Signer.random();
  private final TrackedGame game =
      new TrackedGame(
          new GameTerms(
              event(Tags.NONE, "").id(),
              Signer.random().pubkey(),
              Signer.random().pubkey(),
              null,
              TimeControl.parse("300+3").orElseThrow(),
              Position.initial(),
              0,
              0),
          List.of());

  private Event event(Tags tags, String content) {
    return relay.sign(BEGAN / 1000, 20302, tags, content);
  }

  private boolean readState(long began) {
    Tags tags =
        new Tags(
            List.of(
                List.of("ply", "2"), List.of("clock", "100000", "60000", Long.toString(began))));
    return game.readState(event(tags, AFTER_TWO_MOVES), began + DIFFERENCE);
  }

  private boolean readPresence(long resumed) {
    Tags tags =
        new Tags(
            List.of(
                List.of("white", "present"),
                List.of("black", "present"),
                List.of("watching", "0"),
                List.of("resumed", Long.toString(resumed))));
    return game.readPresence(event(tags, ""), DIFFERENCE);
  }

  @Test
  void clocksRunSinceTheResumptionWithMoreTimeForBothWhicheverEventComesFirst() {
    readState(BEGAN);
    assertThat(game.view().clocks())
        .isEqualTo(new GameClocks(100_000, 60_000, Side.WHITE, BEGAN + DIFFERENCE));
    assertThat(readPresence(RESUMED)).isTrue();
    assertThat(game.view().clocks()).isEqualTo(AFTER_RESUMPTION);
    assertThat(readPresence(RESUMED)).isFalse();
    readState(BEGAN);
    assertThat(game.view().clocks()).isEqualTo(AFTER_RESUMPTION);
  }

  @Test
  void aStateThatBeganAfterTheResumptionHasItsOwnClocks() {
    readPresence(RESUMED);
    readState(RESUMED + 1);
    assertThat(game.view().clocks())
        .isEqualTo(new GameClocks(100_000, 60_000, Side.WHITE, RESUMED + 1 + DIFFERENCE));
  }
}
