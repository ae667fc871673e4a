package gambit.app.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.chess.game.Result;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatingVectors;
import gambit.chess.rating.SignedChain;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the documentation, run as a reader would. */
@ThoroughOnly
class ExamplesIT {
  private static final Pattern GAME = Pattern.compile("has found a game: ([0-9a-f]{64})");

  /** The Python example, once its packages are installed. */
  private static @Nullable PythonPrograms installed;

  @Test
  void gamesOfTheExampleClientPassVerification(@TempDir Path data) throws Exception {
    // The example takes the library from its place in the repository, where the build has compiled
    // it.
    Path copy = Path.of("target/examples-repository");
    Path library = Path.of("../clients/gambit-client");
    NodePrograms node =
        new NodePrograms(Path.of("../docs/examples"), copy.resolve("docs/examples"));
    node.missingRequirementOfLibrary().ifPresent(Assumptions::abort);
    Assumptions.assumeTrue(
        Files.exists(library.resolve("dist")), "clients/gambit-client was not built");
    new NodePrograms(library, copy.resolve("clients/gambit-client"));
    node.install();
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      playAll(node, url(relay), "node", "play.mjs");
    }
  }

  @Test
  void gamesOfThePythonExamplePassVerification(@TempDir Path data) throws Exception {
    PythonPrograms python = pythonPrograms();
    try (LocalRelay relay = new LocalRelay(data, 0, "chess.require_relay_tag=true")) {
      playAll(python, url(relay), PythonPrograms.PYTHON, "play.py");
    }
  }

  /** Everything before the login is refused with {@code auth-required}, and sent again after it. */
  @Test
  void pythonExamplePlaysWhereLoginsAreRequired(@TempDir Path data) throws Exception {
    PythonPrograms python = pythonPrograms();
    try (LocalRelay relay = new LocalRelay(data, 0, "chess.require_auth=true")) {
      finishes(
          python,
          url(relay),
          "1-0, checkmate, plies: 7",
          PythonPrograms.PYTHON,
          "play.py",
          url(relay),
          "mate");
    }
  }

  @Test
  void pythonExampleGivesTheSameRatingsAsTheRelay() throws Exception {
    Path games = Path.of("target/rated-games-for-python.jsonl");
    int count = RatingVectors.writeManyTo(games);
    CopiedPrograms.Result result =
        pythonPrograms()
            .run("sh", "-c", PythonPrograms.PYTHON + " ratings.py < " + games.toAbsolutePath());
    assertThat(result.isSuccess()).as(result.output()).isTrue();
    assertThat(result.output()).isEqualTo(count + " games: all values agree\n");
  }

  @Test
  void pythonExampleFindsTheFirstDifferenceInAChainOfRatedGames() throws Exception {
    SignedChain chain = new SignedChain();
    chain.addRandomGames(200, 1);
    List<Event> events = chain.events;
    assertThat(verified(events))
        .startsWith("200 records and 2 heads of " + events.get(0).pubkey().hex())
        .contains("all agree, with signatures");
    Event record = events.get(50);
    String result = record.tags().first("result").orElseThrow();
    Event lied = chain.forged(record, result, result.equals("1-0") ? "0-1" : "1-0");
    assertThat(verified(replaced(events, 50, lied))).startsWith("record 51: White's rating: [");
    assertThat(verified(replaced(events, 50, events.get(51))))
        .isEqualTo("record 51: seq: 52, but it should be 51");
    Event unsigned = EventEncoder.withSignature(record, events.get(51).sig());
    assertThat(verified(replaced(events, 50, unsigned)))
        .isEqualTo("event " + record.id().hex() + ": signature: invalid, but it should be valid");
    chain.addHead(new byte[32]);
    assertThat(verified(events)).startsWith("head 200: hash of all ratings: 00000000");
  }

  @Test
  void pythonExampleFindsTheEleventhGameOfAPairOnADay() throws Exception {
    SignedChain chain = new SignedChain();
    for (int i = 0; i < 10; i++) {
      chain.add(Category.BLITZ, "alice", "bob", Result.DRAW, 1_700_000_000);
    }
    assertThat(verified(chain.events)).startsWith("10 records and 0 heads");
    // A clock that is set back begins no other day.
    chain.add(Category.BULLET, "bob", "alice", Result.DRAW, 1_600_000_000);
    assertThat(verified(chain.events)).startsWith("record 11: games of the pair on that day: 11,");
  }

  private static List<Event> replaced(List<Event> events, int index, Event event) {
    List<Event> changed = new ArrayList<>(events);
    changed.set(index, event);
    return changed;
  }

  /** The output of the Python example for these events in reverse order. */
  private static String verified(List<Event> events) throws Exception {
    List<String> lines = new ArrayList<>();
    for (Event event : events) {
      lines.add(0, new String(event.json(), UTF_8));
    }
    Path file = Path.of("target/rated-records.jsonl").toAbsolutePath();
    Files.write(file, lines);
    return pythonPrograms()
        .run(PythonPrograms.PYTHON, "ratings.py", "verify", file.toString())
        .output()
        .strip();
  }

  private static PythonPrograms pythonPrograms() throws Exception {
    if (installed == null) {
      PythonPrograms python =
          new PythonPrograms(Path.of("../docs/examples"), Path.of("target/examples-python"));
      python.missingRequirement().ifPresent(Assumptions::abort);
      python.install();
      installed = python;
    }
    return installed;
  }

  /** The URL by which the relay calls itself. */
  private static String url(LocalRelay relay) {
    return "ws://localhost:" + relay.port();
  }

  private static void playAll(CopiedPrograms programs, String url, String language, String program)
      throws Exception {
    finishes(programs, url, "1-0, checkmate, plies: 7", language, program, url, "mate");
    finishes(programs, url, "1/2-1/2, agreement, plies: 4", language, program, url, "draw");
    finishes(programs, url, "1-0, resignation, plies: 3", language, program, url, "resign");
  }

  private static void finishes(CopiedPrograms programs, String url, String how, String... command)
      throws Exception {
    CopiedPrograms.Result played = programs.run(command);
    assertThat(played.isSuccess()).as(played.output()).isTrue();
    assertThat(played.output()).contains("[TimeControl \"300+3\"]", how.split(",", 2)[0] + "\n");
    Matcher game = GAME.matcher(played.output());
    assertThat(game.find()).as(played.output()).isTrue();
    CommandResult verify = CommandResult.of("verify", game.group(1), "--relay", url);
    assertThat(verify.status()).isZero();
    assertThat(verify.output()).contains(how).doesNotContain("they do not", "do not say");
  }
}
