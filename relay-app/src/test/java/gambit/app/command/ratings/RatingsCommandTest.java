package gambit.app.command.ratings;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.ServedEvents;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands over a relay with rated games, and over its events in a file. */
class RatingsCommandTest {
  private static final Filter ALL = new Filter(null, null, null, Map.of(), null, null, null);

  @TempDir Path directory;

  @Test
  void gamesOfARelayHoldOverItsUrlAndAsAFileAndAChangedFileDoesNot() throws IOException {
    try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT))) {
      String alice = play(relay, "300+3");
      play(relay, "60");
      play(relay, "300+3");
      CommandResult served = CommandResult.of("ratings", "verify", "--lots", "" + relay.uri());
      assertThat(served.errors()).isEmpty();
      assertThat(served.output())
          .contains("3 rated games of 2 players", "Last head: of record 1,")
          .endsWith("Everything holds.");
      assertThat(served.status()).isZero();

      List<Event> events = new ArrayList<>();
      new ServedEvents(relay.store(), relay.time()).forEach(ALL, events::add);
      Path file = write(events);
      assertThat(CommandResult.of("ratings", "verify", "" + file)).isEqualTo(fromFile(served));
      events.removeIf(it -> it.tags().first("seq").filter("2"::equals).isPresent());
      CommandResult changed = CommandResult.of("ratings", "verify", "" + write(events));
      assertThat(changed.output()).contains("Difference: Record 2 is missing: the next one is 3,");
      assertThat(changed.status()).isEqualTo(1);

      CommandResult player =
          CommandResult.of("ratings", "player", alice, "--relay", "" + relay.uri());
      assertThat(player.errors()).isEmpty();
      assertThat(player.output()).contains("1 games", "2 games", "rapid           no rated game");
      CommandResult board = CommandResult.of("ratings", "blitz", "--relay", "" + relay.uri());
      assertThat(board.output()).isEqualTo("blitz\n      nobody yet");
      assertThat(board.status()).isZero();
    }
  }

  /** With all lots of the relay in the file, the reports are the same. */
  private static CommandResult fromFile(CommandResult served) {
    return new CommandResult(0, served.output(), "");
  }

  private Path write(List<Event> events) throws IOException {
    Path file = directory.resolve("events.jsonl");
    StringBuilder lines = new StringBuilder();
    events.forEach(event -> lines.append(event).append('\n'));
    return Files.writeString(file, lines, StandardCharsets.UTF_8);
  }

  /** Plays a game that Bob resigns; returns Alice's key. */
  private static String play(TestRelay relay, String time) {
    try (TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      Event invite =
          alice.sign(
              5000,
              "invite",
              List.of("rated", "true"),
              List.of("p", bob.pubkey()),
              List.of("time", time));
      assertThat(alice.answerTo(invite)).isEqualTo("true");
      assertThat(bob.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
      var found = alice.event("gameisfound");
      List<String> game = List.of("e", found.get("id").asText());
      boolean isAliceWhite =
          found
              .get("tags")
              .toString()
              .contains("[\"p\",\"" + alice.pubkey() + "\",\"\",\"white\"]");
      TestPlayer white = isAliceWhite ? alice : bob;
      TestPlayer black = isAliceWhite ? bob : alice;
      assertThat(white.say(5001, "e2e4", game)).isEqualTo("true");
      assertThat(black.say(5001, "e7e5", game)).isEqualTo("true");
      assertThat(bob.say(5003, "resign", game)).isEqualTo("true resigned");
      return alice.pubkey();
    }
  }
}
