package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.FreePort;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit bench} with relays over sockets. */
class BenchCommandTest {
  @TempDir private Path directory;

  private static final Map<String, String> BRIEFLY =
      Map.of(
          "--box", "30,4,40,10,20",
          "--events", "300",
          "--runs", "1",
          "--seconds", "0.02",
          "--warm-up", "0",
          "--subscribers", "3",
          "--subscriptions", "45",
          "--games", "2",
          "--connections", "5",
          "--clients", "2");

  /** Measures briefly with a small data set, unless further arguments say otherwise. */
  private static CommandResult bench(Object url, String... more) {
    List<String> arguments = new ArrayList<>(List.of("bench", url.toString()));
    arguments.addAll(List.of(more));
    BRIEFLY.forEach(
        (option, value) -> {
          if (!arguments.contains(option)) {
            arguments.addAll(List.of(option, value));
          }
        });
    return CommandResult.of(arguments.toArray(String[]::new));
  }

  private static TestRelay relayWithoutChess() {
    return new TestRelay(
        LimitValues.DEFAULT, new MemoryEventStore(64 << 20), InstantSource.system());
  }

  @Test
  void everyLineIsMeasuredAndRight() throws IOException {
    Path csv = directory.resolve("results.csv");
    try (LocalRelay relay = new LocalRelay(directory.resolve("data"), 0)) {
      String own = "" + ProcessHandle.current().pid();
      CommandResult result =
          bench(relay.uri(), "--pid", own, "--csv", csv.toString(), "--label", "here");
      assertThat(result.errors()).isEmpty();
      assertThat(result.status()).isZero();
      assertThat(result.output()).contains("Loaded 300 events");
    }
    List<BenchResult> results = BenchResult.read(csv);
    assertThat(results).allMatch(result -> result.label().equals("here") && result.events() == 300);
    assertThat(results.stream().map(BenchResult::line).collect(Collectors.toSet()))
        .isEqualTo(allButTheBox());
    for (String line : allButTheBox()) {
      Set<Measure> measures =
          results.stream()
              .filter(result -> result.line().equals(line))
              .map(BenchResult::measure)
              .collect(Collectors.toSet());
      if (line.equals("memory")) {
        assertThat(measures).containsExactly(Measure.BYTES);
      } else {
        assertThat(measures)
            .as(line)
            .contains(Measure.PER_S, Measure.CPU_US, Measure.P50_MS, Measure.WRONG);
      }
    }
    assertThat(results)
        .filteredOn(result -> result.measure() == Measure.WRONG)
        .allMatch(result -> result.value() == 0);
  }

  private static Set<String> allButTheBox() {
    return Lines.names().stream()
        .filter(line -> !line.equals(Box.NAME))
        .collect(Collectors.toSet());
  }

  @Test
  void everythingAtOnceIsMeasuredAndRight() throws IOException {
    Path csv = directory.resolve("results.csv");
    try (LocalRelay relay = new LocalRelay(directory.resolve("data"), 0)) {
      String own = "" + ProcessHandle.current().pid();
      CommandResult result =
          bench(relay.uri(), "box", "--pid", own, "--seconds", "2", "--csv", csv.toString());
      assertThat(result.errors()).isEmpty();
      assertThat(result.status()).isZero();
    }
    Map<String, Double> counts =
        BenchResult.read(csv).stream()
            .filter(result -> result.measure() == Measure.PER_S && result.run() == 1)
            .collect(Collectors.toMap(BenchResult::parameter, BenchResult::value));
    // Schedules are kept also on a busy machine, but the end of a run takes any time there.
    assertThat(counts.get("movers")).isPositive().isLessThan(41).isEqualTo(counts.get("opponents"));
    assertThat(counts).containsKeys("spectators", "notes", "pairings");
    assertThat(BenchResult.read(csv).stream().map(BenchResult::parameter))
        .contains("resident", "anonymous");
  }

  @Test
  void aGameThatTheRelayEndsIsAWrongAnswer() {
    try (LocalRelay relay = new LocalRelay(directory, 0, "chess.default_time=1/1")) {
      CommandResult result =
          bench(relay.uri(), "box", "--seconds", "4", "--box", "30,8,4,1,1", "--events", "0");
      assertThat(result.output())
          .contains("wrong answers, such as a game has ended otherwise than played");
      assertThat(result.status()).isEqualTo(1);
    }
  }

  @Test
  void aRelayWithTheDataSetIsNotLoadedAgainAndAWindowFollowsTheOther() {
    try (TestRelay relay = relayWithoutChess()) {
      assertThat(bench(relay.uri(), "req-ids", "--runs", "2").output())
          .contains("Loaded 300 events");
      CommandResult again = bench(relay.uri(), "mixed", "--windows", "1,2", "--rate", "50");
      assertThat(again.errors()).isEmpty();
      assertThat(again.output()).doesNotContain("Loaded").contains("mixed@0-1s", "mixed@1-2s");
      assertThat(again.status()).isZero();
    }
  }

  @Test
  void aColdRunMeasuresANumberOfOperationsOfEachLineOnce() throws IOException {
    Path csv = directory.resolve("cold.csv");
    String[] cold = {
      "--cold",
      "--pid",
      "" + ProcessHandle.current().pid(),
      "--events",
      "1200",
      "--csv",
      csv.toString()
    };
    try (LocalRelay relay = new LocalRelay(directory.resolve("data"), 0)) {
      CommandResult result = bench(relay.uri(), cold);
      assertThat(result.errors()).isEmpty();
      assertThat(result.output()).contains("Loaded 1,200 events");
      assertThat(bench(relay.uri(), cold).errors())
          .isEqualTo("--cold: the relay stores the data set; start it with an empty store.");
    }
    List<BenchResult> results = BenchResult.read(csv);
    assertThat(results).allMatch(result -> result.run() == 1 && result.events() == 1_200);
    assertThat(results.stream().map(BenchResult::line).distinct())
        .startsWith("memory-started@cold", "ingest-8x64@cold", "connections@cold")
        .contains("ingest-100x8@cold", "req-ids@cold", "mixed@cold", "fan-out-paced@cold")
        .endsWith("subscriptions@cold", "memory@cold");
    assertThat(results)
        .filteredOn(result -> result.line().equals("connections@cold"))
        .extracting(BenchResult::parameter)
        .containsOnly("30");
  }

  @Test
  void subscribersListenWhereTheyAreToldTo() {
    try (TestRelay relay = relayWithoutChess()) {
      CommandResult nowhere =
          bench(relay.uri(), "req-ids", "latency", "--subscribe-at", "ws://127.0.0.1:1");
      assertThat(nowhere.output())
          .contains("Loaded 300 events", "The relay at ws://127.0.0.1:1 cannot be reached: ");
      assertThat(nowhere.errors()).isEqualTo("Lines that could not be measured: 1.");
      CommandResult wrong = bench(relay.uri(), "latency", "--subscribe-at", "http://localhost");
      assertThat(wrong.status()).isEqualTo(2);
      assertThat(wrong.errors()).startsWith("--subscribe-at http://localhost: ");
    }
  }

  @Test
  void movesAreSkippedAtARelayWithoutAReferee() {
    try (TestRelay relay = relayWithoutChess()) {
      CommandResult result = bench(relay.uri(), "moves", "req-ids");
      assertThat(result.output())
          .contains("moves: skipped, this relay states no referee of chess (NIP-11)");
      assertThat(result.status()).isZero();
    }
  }

  @Test
  void aRelayThatLeavesOutAnEventGivesWrongAnswers() throws Exception {
    DataSet data = new DataSet(1, 300);
    String missing = new Oracle(data).id(148); // of those that are not looked at before measuring
    Draft deleted =
        data.drafts().next(300).stream()
            .filter(draft -> draft.id().hex().equals(missing))
            .findFirst()
            .orElseThrow();
    try (TestRelay relay = relayWithoutChess();
        Client client = relay.connect()) {
      assertThat(bench(relay.uri(), "req-window").status()).isZero();
      Tags tags = new Tags(List.of(List.of("e", missing)));
      client.publishAccepted(deleted.signer().sign(relay.now(), 5, tags, ""));
      CommandResult result = bench(relay.uri(), "req-window");
      assertThat(result.output()).contains("wrong answers, such as ");
      assertThat(result.errors()).matches("The relay gave [0-9,]+ wrong answers\\.");
      assertThat(result.status()).isEqualTo(1);
    }
  }

  @Test
  void aRelayWithOtherEventsIsNotMeasured() throws Exception {
    try (TestRelay relay = relayWithoutChess();
        Client client = relay.connect()) {
      client.publish(Signer.random(), DataSet.END - 5, 1, "a stranger's note");
      client.next();
      CommandResult result = bench(relay.uri(), "req-ids");
      assertThat(result.errors()).startsWith("The relay stores other events than the data set");
      assertThat(result.status()).isEqualTo(1);
    }
  }

  @Test
  void aRelayThatRefusesEventsIsNotMeasured() {
    try (LocalRelay relay = new LocalRelay(directory, 0, "rates.by_address.event=3/m")) {
      CommandResult result = bench(relay.uri(), "req-ids");
      assertThat(result.errors())
          .startsWith("The relay refused an event: [\"OK\",")
          .contains("rate-limited:");
      assertThat(result.status()).isEqualTo(1);
    }
  }

  @Test
  void anUnreachableRelayIsReported() throws IOException {
    CommandResult result = bench("ws://127.0.0.1:" + FreePort.any(), "req-ids");
    assertThat(result.errors()).startsWith("The relay at ws://127.0.0.1:").contains("refused");
    assertThat(result.status()).isEqualTo(1);
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(bench("http://localhost").errors()).contains("expected a ws:// or wss:// URL");
    assertThat(bench("ws://localhost", "fast").errors())
        .contains("LINE fast: expected one of req-ids");
    assertThat(bench("ws://localhost", "--runs", "0").errors())
        .contains("--runs 0: expected a number from 1 to 1000000");
    assertThat(bench("ws://localhost", "--seconds", "-1").errors())
        .contains("--seconds -1.0: expected seconds from");
    assertThat(bench("ws://localhost", "--box", "10,5,4,1,1").errors())
        .contains("--box: expected five numbers");
    assertThat(bench("ws://localhost", "--label", "a,b").errors())
        .contains("--label a,b: expected no commas");
    assertThat(bench("ws://localhost", "--label", "a,b").status()).isEqualTo(2);
    assertThat(CommandResult.of("bench").errors()).contains("expected a ws:// or wss:// URL");
  }

  @Test
  void aProcessThatThereIsNotIsReported() {
    assertThat(bench("ws://localhost:1", "--pid", "2147483647").errors())
        .startsWith("--pid: nothing can be read in /proc/2147483647");
  }
}
