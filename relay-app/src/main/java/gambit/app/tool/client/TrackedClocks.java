package gambit.app.tool.client;

import gambit.app.tool.client.GameView.GameClocks;
import gambit.chess.rules.Side;
import gambit.core.model.Tags;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of a {@link TrackedGame}: as the relay states them, as estimated after a move until it
 * does, and since the resumption of the game after a restart of the relay. Owned by the client's
 * thread. Times are milliseconds.
 */
final class TrackedClocks {
  private static final int MAX_MILLIS_DIGITS = 15;

  /** What both sides get when a game is resumed after a restart of the relay. */
  private static final long RESUMPTION_BONUS_MILLIS = 15_000;

  /** The clocks of a state that began at a time of the relay, in epoch milliseconds, or -1. */
  private record StatedClocks(long white, long black, long began) {}

  /** A resumption after a restart, in epoch milliseconds by the relay's and by our clock. */
  private record Resumption(long at, long ours) {}

  private @Nullable GameClocks clocks;

  /** The clocks of the last state, unless a move or better clocks have followed. */
  private @Nullable StatedClocks stated;

  private @Nullable Resumption resumption;

  /** The clocks as last known, or null in an untimed game. */
  @Nullable GameClocks get() {
    return clocks;
  }

  /**
   * Reads the clocks of a state, which run since it began or, if that is later, since the
   * resumption.
   *
   * @param at the time at which the state began, by this client's clock
   */
  void readState(Tags tags, @Nullable Side running, long at) {
    readCurrent(tags, running, at);
    GameClocks read = clocks;
    if (read != null) {
      List<String> tag = EventTags.tag(tags, "clock").orElse(List.of());
      stated = new StatedClocks(read.white(), read.black(), millis(tag, 3));
      applyResumption(running);
    }
  }

  /** Reads the clocks of now, after any resumption. */
  void readCurrent(Tags tags, @Nullable Side running, long now) {
    List<String> tag = EventTags.tag(tags, "clock").orElse(List.of());
    long white = millis(tag, 1);
    long black = millis(tag, 2);
    clocks = white < 0 || black < 0 ? null : new GameClocks(white, black, running, now);
    stated = null;
  }

  private static long millis(List<String> tag, int index) {
    return EventTags.number(EventTags.at(tag, index), MAX_MILLIS_DIGITS, -1);
  }

  /**
   * Reads whether the game has been resumed from its presence; true if that changes the clocks.
   *
   * @param clockDifference the milliseconds to be added to the relay's times
   */
  boolean readPresence(Tags presence, @Nullable Side running, long clockDifference) {
    String text = presence.first("resumed").orElse("");
    long resumed = EventTags.number(text, MAX_MILLIS_DIGITS, -1);
    if (resumed < 0 || (resumption != null && resumption.at() == resumed)) {
      return false;
    }
    resumption = new Resumption(resumed, resumed + clockDifference);
    return applyResumption(running);
  }

  private boolean applyResumption(@Nullable Side running) {
    StatedClocks before = stated;
    Resumption resumed = resumption;
    if (before == null || resumed == null || resumed.at() <= before.began()) {
      return false;
    }
    GameClocks known = clocks;
    clocks =
        new GameClocks(
            before.white() + RESUMPTION_BONUS_MILLIS,
            before.black() + RESUMPTION_BONUS_MILLIS,
            running,
            resumed.ours());
    return !clocks.equals(known);
  }

  void stop(long now) {
    GameClocks before = clocks;
    clocks = before == null ? null : before.stopped(now);
    stated = null;
  }
}
