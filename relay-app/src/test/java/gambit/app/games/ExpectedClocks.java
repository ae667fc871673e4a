package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.ChessClock;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a game's clocks, from their last values and the time that has passed since.
 * Immutable.
 *
 * @param values of White and Black at the beginning of the turn, in milliseconds, with the credits
 *     for restarts since then; empty if untimed
 * @param since the earliest beginning of the turn, by {@link System#nanoTime}
 * @param start the start of the relay during which the last step was taken
 */
record ExpectedClocks(TimeControl control, List<Long> values, long since, int start) {
  /**
   * Milliseconds by which the relay's clock may differ from this process's, or by which the shown
   * values may be older than the last change.
   */
  private static final long TOLERANCE = 1_000;

  /** The clocks of a new game. */
  static ExpectedClocks begin(TimeControl control, GameState state, int start) {
    long base = control.baseMillis();
    assertThat(state.clocks()).isEqualTo(control.isUntimed() ? List.of() : List.of(base, base));
    return new ExpectedClocks(control, state.clocks(), System.nanoTime(), start);
  }

  /**
   * The clocks after a step.
   *
   * @param before the clocks before it; null if no player was shown them
   * @return null if they are unknown
   */
  static @Nullable ExpectedClocks after(
      @Nullable ExpectedClocks before,
      TimeControl control,
      OngoingGame was,
      OngoingGame is,
      List<Long> shown,
      SentRequest by,
      RelayStarts starts) {
    if (before != null) {
      before.check(was, is, shown, by.start(), starts);
    }
    if (was.plies() != is.plies()) {
      return new ExpectedClocks(control, shown, by.at(), by.start());
    }
    return before == null ? null : before.within(by.start(), starts);
  }

  /** The clocks after a step that does not change the turn. */
  private ExpectedClocks within(int now, RelayStarts starts) {
    if (now == start) {
      return this;
    }
    List<Long> more = values.stream().map(value -> value + ChessClock.RESTART_CREDIT).toList();
    return new ExpectedClocks(control, more, starts.time(now), now);
  }

  /** Checks the clocks that a returning player is shown. */
  void checkNow(OngoingGame playing, List<Long> shown, RelayStarts starts) {
    check(playing, playing, shown, starts.count(), starts);
  }

  private void check(
      OngoingGame was, OngoingGame is, List<Long> shown, int now, RelayStarts starts) {
    ExpectedClocks due = within(now, starts);
    long spent = (System.nanoTime() - due.since) / 1_000_000 + TOLERANCE;
    int gained = is.plies() - was.plies();
    assertThat(shown).hasSameSizeAs(due.values);
    for (int i = 0; i < shown.size(); i++) {
      long most = due.values.get(i);
      if (was.turn().index() == i && was.movesOf(was.turn()) > 0) {
        most += gained > 0 ? control.incrementMillis() : 0;
        if (gained != 0 && control.isPerMove()) {
          assertThat(shown.get(i)).isEqualTo(control.baseMillis());
        } else {
          assertThat(shown.get(i)).isBetween(Math.max(0, most - spent), most + TOLERANCE);
        }
      } else if (gained != 0 && is.turn().index() == i) {
        // A move that waited is older than the last change, whose time is in the state.
        assertThat(shown.get(i)).isBetween(most - spent, most);
      } else {
        assertThat(shown.get(i)).isEqualTo(most);
      }
    }
  }
}
