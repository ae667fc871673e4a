package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.ChessClock;
import gambit.chess.game.Playing;
import gambit.chess.game.TimeControl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the clocks of a game have to show at least and at most, by what they have shown before and
 * the time that has passed here. Immutable.
 *
 * @param values of White and Black at the beginning of the turn, in milliseconds, with what they
 *     have got for restarts since; none if untimed
 * @param since when the turn has begun at the earliest, by {@link System#nanoTime}
 * @param start the start of the relay during which the last step was taken
 */
record Clocks(TimeControl control, List<Long> values, long since, int start) {
  /**
   * Milliseconds by which the relay's clock and this one may go apart, or what is shown may be
   * older than the last change.
   */
  private static final long TOLERANCE = 1_000;

  /** Those of a new game. */
  static Clocks begin(TimeControl control, State state, int start) {
    long base = control.baseMillis();
    assertThat(state.clocks()).isEqualTo(control.isUntimed() ? List.of() : List.of(base, base));
    return new Clocks(control, state.clocks(), System.nanoTime(), start);
  }

  /**
   * Those after a step.
   *
   * @param before those before it; null when nobody was shown them
   * @return null when they cannot be known
   */
  static @Nullable Clocks after(
      @Nullable Clocks before,
      TimeControl control,
      Playing was,
      Playing is,
      List<Long> shown,
      Sent by,
      Starts starts) {
    if (before != null) {
      before.check(was, is, shown, by.start(), starts);
    }
    if (was.plies() != is.plies()) {
      return new Clocks(control, shown, by.at(), by.start());
    }
    return before == null ? null : before.within(by.start(), starts);
  }

  /** Those after a step that leaves the turn as it is. */
  private Clocks within(int now, Starts starts) {
    if (now == start) {
      return this;
    }
    List<Long> more = values.stream().map(value -> value + ChessClock.RESTART_CREDIT).toList();
    return new Clocks(control, more, starts.time(now), now);
  }

  /** Checks what is shown to a player who has come back. */
  void checkNow(Playing playing, List<Long> shown, Starts starts) {
    check(playing, playing, shown, starts.count(), starts);
  }

  private void check(Playing was, Playing is, List<Long> shown, int now, Starts starts) {
    Clocks due = within(now, starts);
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
        // A move that has waited is older than the last change, whose time the state has.
        assertThat(shown.get(i)).isBetween(most - spent, most);
      } else {
        assertThat(shown.get(i)).isEqualTo(most);
      }
    }
  }
}
