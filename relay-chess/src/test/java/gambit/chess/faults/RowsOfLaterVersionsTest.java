package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.feature.UnreadableRows;
import gambit.core.store.Transaction;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A row with a format that is unknown stops the start, and is named. */
class RowsOfLaterVersionsTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "chess.games, game, 32, unknown format 9",
    "chess.seen, event, 32, unknown format 9",
    "chess.invites, invite, 32, unknown format 9",
    "chess.endings, ending, 64, unknown format 9"
  })
  void rowOfALaterVersionStopsTheStartAndIsNamed(
      String table, String what, int keyLength, String why) throws IOException {
    ChessFeature chess = new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
    byte[] value = new byte[33];
    value[0] = 9;
    try (MemoryEventStore rows = new MemoryEventStore(1 << 20)) {
      try (Transaction transaction = rows.begin()) {
        transaction.putRow(table, new byte[keyLength], value);
        transaction.commit();
      }
      assertThatThrownBy(() -> new TestRelay(rows, START, chess))
          .isInstanceOf(UnreadableRows.class)
          .hasMessage("The journal of " + what + " " + "00".repeat(keyLength) + " is unreadable")
          .hasStackTraceContaining(why);
    }
  }
}
