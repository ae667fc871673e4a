package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rows that an older version has stored are read as they were meant. The store of 0.1.0 has a game
 * of 34 plies in which Alice (White) has offered Bob a draw, an open invite of Carol, who wants
 * Black, and one of Dave, who wants White, to Erin, a search that Frank has cancelled, a refused
 * move of Bob, and the ending of a game that Gina has won while she was away.
 */
class RowsOfOlderVersionsTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir Path directory;
  private DiskEventStore store;
  private TestRelay relay;

  @BeforeEach
  void startRelay() throws IOException {
    unzip("store-of-0.1.0.zip", directory);
    store = DiskEventStore.open(directory, InstantSource.fixed(START), 0);
    relay = new TestRelay(store, START, chess());
  }

  @AfterEach
  void end() {
    relay.close();
    store.close();
  }

  @Test
  void gameResumesWithItsDrawOffer() {
    try (TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      assertThat(bob.say(5000, "connect")).isEqualTo("true");
      assertThat(alice.say(5000, "connect")).isEqualTo("true");
      JsonNode state = alice.event("gameisfound");
      assertThat(tag(state, "moves").split(" ")).hasSize(34).endsWith("h2h3", "h7h6");
      assertThat(bob.say(5002, "accept")).isEqualTo("true accept");
      assertThat(tag(alice.event("gamedraw"), "termination")).isEqualTo("agreement");
    }
  }

  @Test
  void refusedEventIsRefusedAgain() {
    try (TestPlayer bob = new TestPlayer("bob", relay)) {
      assertThat(bob.say(5000, "connect")).isEqualTo("true");
      assertThat(bob.answerTo(Keys.of("bob").sign(relay.now(), 5001, Tags.NONE, "e9e5")))
          .isEqualTo("false invalid: not a UCI move");
    }
  }

  @Test
  void usedSearchAndItsCancellationHaveNoEffect() {
    try (Client frank = relay.connect()) {
      assertThat(frank.answerTo(Keys.of("frank").sign(relay.now(), 5000, Tags.NONE, "connect")))
          .isEqualTo("invalid: already used, sign a new event");
      assertThat(
              frank.answerTo(Keys.of("frank").sign(relay.now(), 5000, Tags.NONE, "cancelsearch")))
          .isEqualTo("duplicate: already handled, sign a new event to repeat it");
    }
  }

  @ParameterizedTest
  @CsvSource({"ivan, carol, white", "erin, dave, black"})
  void inviteIsAcceptedWithItsColours(String invited, String inviter, String colour) {
    try (Client author = relay.connect();
        TestPlayer player = new TestPlayer(invited, relay)) {
      author.publishAccepted(Keys.of(inviter).sign(relay.now(), 5000, Tags.NONE, "connect"));
      String invite =
          player
              .socket()
              .queryIds("{\"kinds\":[5000],\"authors\":[\"" + Keys.of(inviter).pubkey() + "\"]}")
              .get(0);
      Event accept = player.sign(5000, "accept", List.of("e", invite));
      assertThat(player.answerTo(accept)).isEqualTo("true");
      assertThat(player.answerOf(accept)).isEqualTo("true " + colour);
    }
  }

  @Test
  void endingWaitsForItsPlayer() {
    try (TestPlayer gina = new TestPlayer("gina", relay)) {
      assertThat(gina.say(5000, "connect")).isEqualTo("true");
      assertThat(tag(gina.event("opponentresigned"), "termination")).isEqualTo("resignation");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "chess.games, game, 32, unknown format 9",
    "chess.seen, event, 32, unknown format 9",
    "chess.invites, invite, 32, unknown format 9",
    "chess.endings, ending, 64, unknown format 9"
  })
  void rowOfALaterVersionStopsTheStartAndIsNamed(
      String table, String what, int keyLength, String why) throws IOException {
    byte[] value = new byte[33];
    value[0] = 9;
    value[32] = 9; // after the author of an invite
    try (MemoryEventStore rows = new MemoryEventStore(1 << 20)) {
      try (Transaction transaction = rows.begin()) {
        transaction.putRow(table, new byte[keyLength], value);
        transaction.commit();
      }
      assertThatThrownBy(() -> new TestRelay(rows, START, chess()))
          .isInstanceOf(UnreadableRows.class)
          .hasMessage("The journal of " + what + " " + "00".repeat(keyLength) + " is unreadable")
          .hasStackTraceContaining(why);
    }
  }

  private static ChessFeature chess() {
    return new ChessFeature(ChessSettings.DEFAULT, () -> 0L);
  }

  private static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    throw new AssertionError("no " + name + " in " + event);
  }

  /** Unpacks the directory {@code store} of the archive. */
  private static void unzip(String archive, Path target) throws IOException {
    try (InputStream in = RowsOfOlderVersionsTest.class.getResourceAsStream(archive);
        ZipInputStream files = new ZipInputStream(in)) {
      for (ZipEntry file = files.getNextEntry(); file != null; file = files.getNextEntry()) {
        Path path = target.resolve(Path.of("store").relativize(Path.of(file.getName())));
        if (file.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.write(path, files.readAllBytes());
        }
      }
    }
  }
}
