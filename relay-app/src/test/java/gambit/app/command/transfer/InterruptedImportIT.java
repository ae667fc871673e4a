package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import that is ended by Ctrl-C while its standard input is open. */
class InterruptedImportIT {
  private static final int EVENTS = 3_000;

  @TempDir Path directory;

  private final List<String> events =
      IntStream.range(0, EVENTS)
          .mapToObj(i -> Keys.of("alice").sign(1_700_000_000 + i, 1, Tags.NONE, "n" + i) + "\n")
          .toList();

  @ThoroughOnly
  @Test
  void importIntoARunningRelayCountsWhatIsStored() throws IOException {
    try (GambitProcess relay = GambitProcess.relay(data());
        GambitProcess process = importing();
        Client client = new Client(relay.url())) {
      write(events.subList(0, 2_000), process);
      await().until(() -> count(client) == 2_000); // though the input is idle and has not ended
      write(events.subList(2_000, EVENTS), process);
      int added = countAfterInterruption(process);
      assertThat(count(client)).isEqualTo(added);
      assertRestIsImported(added);
      assertThat(count(client)).isEqualTo(EVENTS);
    }
  }

  @Test
  void importIntoAStoppedRelayCountsWhatIsStored() throws IOException {
    try (GambitProcess process = importing()) {
      write(events.subList(0, 2_000), process);
      await().until(() -> Files.exists(data().resolve("store/index/data.mdb")));
      assertRestIsImported(countAfterInterruption(process));
    }
  }

  private Path data() throws IOException {
    return Files.createDirectories(directory.resolve("data"));
  }

  private GambitProcess importing() throws IOException {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    return GambitProcess.runWith(
        GambitProcess.quick("-Djava.io.tmpdir=" + temporary), "import", "--data", "" + data());
  }

  private static void write(List<String> lines, GambitProcess process) throws IOException {
    process.write(String.join("", lines));
  }

  private static long count(Client client) {
    client.send("[\"COUNT\",\"all\",{}]");
    return client.nextJson().path(2).path("count").asLong();
  }

  /** Interrupts an import; returns the number of events that it has counted as new. */
  private int countAfterInterruption(GambitProcess process) throws IOException {
    int status = process.interruptOrTerminate();
    assertThat(process.exitStatus()).as(process.errors()).isEqualTo(status);
    Matcher summary =
        Pattern.compile("([\\d,]+) new, 0 known, 0 refused, 0 invalid lines\\.")
            .matcher(process.output());
    assertThat(summary.matches()).as(process.output()).isTrue();
    assertThat(directory.resolve("temporary")).isEmptyDirectory();
    return Integer.parseInt(summary.group(1).replace(",", ""));
  }

  private void assertRestIsImported(int known) throws IOException {
    Path file = Files.writeString(directory.resolve("events.jsonl"), String.join("", events));
    try (GambitProcess again = GambitProcess.run("import", "--data", "" + data(), "" + file)) {
      assertThat(again.exitStatus()).as(again.errors()).isZero();
      assertThat(again.output())
          .isEqualTo("%,d new, %,d known, 0 refused, 0 invalid lines.", EVENTS - known, known);
    }
  }
}
