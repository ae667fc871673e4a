package gambit.chess.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.clients.TestPlayer;
import gambit.chess.session.play.ChessSettings;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits what a move of a running game costs, by counters: tasks of the lane, bytes of the log. */
class MoveCostsTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final List<String> MOVES =
      List.of(
          "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b1d2 a7a6 a2a4 c8e6 b2b3 d8d7 h2h3 h7h6"
              .split(" "));

  @TempDir Path directory;

  @Test
  void moveTakesTwoTasksOfTheLaneAndFewBytesOfTheLog() throws IOException {
    try (DiskEventStore store = DiskEventStore.open(directory, InstantSource.fixed(START), 0);
        TestRelay relay =
            new TestRelay(
                store, START, new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
        TestPlayer white = new TestPlayer("alice", relay);
        TestPlayer black = new TestPlayer("bob", relay)) {
      white.say(5000, "connect");
      black.say(5000, "connect");
      white.event("gameisfound");
      black.event("gameisfound");
      white.say(5001, MOVES.get(0)); // the tasks of the beginning are done when this is answered
      black.event(MOVES.get(0));
      long tasksBefore = tasks(relay);
      long bytesBefore = store.lastOffset();
      for (int i = 1; i < MOVES.size(); i++) {
        TestPlayer mover = i % 2 == 0 ? white : black;
        TestPlayer other = i % 2 == 0 ? black : white;
        assertThat(mover.say(5001, MOVES.get(i))).isEqualTo("true");
        other.event(MOVES.get(i));
      }
      int moves = MOVES.size() - 1;
      assertThat(tasks(relay) - tasksBefore)
          .as(
              "a decision and a settlement for each move; few others, such as the end of the one before")
          .isLessThanOrEqualTo(2L * moves + 4);
      assertThat((store.lastOffset() - bytesBefore) / moves)
          .as("bytes of the log for each move: the event, its journal, and the removal of the last")
          .isLessThanOrEqualTo(640);
    }
  }

  private static long tasks(TestRelay relay) {
    return relay.metrics().read("lane_wait_seconds_count{lane=chess}");
  }
}
