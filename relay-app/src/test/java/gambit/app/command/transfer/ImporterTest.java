package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.command.transfer.EventLines.LineParser;
import gambit.app.command.transfer.Importer.ImportCounts;
import gambit.app.tool.client.RelayFailure;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The importer, with relays that answer in time, late, or not at all. */
@Timeout(300)
class ImporterTest {
  private static final int MAX_LINE_BYTES = 1 << 20;
  private static final String UNKNOWN_GAME = "blocked: no finished game with this event";
  private static final String RATE_LIMITED = "rate-limited: try again";

  private final List<String> messages = new ArrayList<>();
  private final ImportCounts counts = new ImportCounts(messages::add);

  /** A relay. */
  private interface Relay extends EventSink {
    @Override
    default String failure() {
      return "";
    }

    @Override
    default void close() {}
  }

  /** Lines with more events than may be unanswered. */
  private static EventLines lines(int events) {
    String content = "x".repeat(100_000);
    String lines =
        IntStream.range(0, events)
            .mapToObj(i -> Keys.of("alice").sign(i, 1, Tags.NONE, content).toString())
            .collect(Collectors.joining("\n"));
    return new EventLines(
        new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), MAX_LINE_BYTES);
  }

  private Importer importer(EventSink sink, BooleanSupplier isStopping, Duration timeout) {
    return new Importer(sink, new LineParser(100), counts, isStopping, timeout);
  }

  @Test
  void eventsThatWerePutAsideAreImportedThoughTheRelayIsBusyForAllOfThem()
      throws IOException, RelayFailure, InterruptedException {
    Map<String, Integer> times = new ConcurrentHashMap<>();
    AtomicInteger limited = new AtomicInteger();
    Relay relay =
        (event, answer) -> {
          int time = times.merge(event.id().hex(), 1, Integer::sum);
          if (time == 1) {
            answer.received(false, UNKNOWN_GAME);
          } else if (time == 2) {
            limited.incrementAndGet();
            answer.received(false, RATE_LIMITED);
          } else {
            answer.received(true, "");
          }
        };
    try (Importer importer = importer(relay, () -> false, Importer.TIMEOUT)) {
      importer.run(lines(120), () -> {});
    }
    assertThat(limited).hasValue(120);
    assertThat(counts.summary()).containsExactly("120 new, 0 known, 0 refused, 0 invalid lines.");
  }

  @Test
  void firstInvalidLinesAreNamedInTheOrderOfTheFile()
      throws IOException, RelayFailure, InterruptedException {
    for (int line = 3000; line > 0; line--) {
      counts.invalid(line, "not an event");
    }
    counts.refused(9, "later");
    counts.refused(2, "earlier");
    assertThat(counts.summary().subList(1, 3)).first().asString().contains("earlier");
    assertThat(messages).hasSize(21).endsWith("further invalid lines are only counted");
    for (int line = 1; line <= 20; line++) {
      assertThat(messages.get(line - 1)).isEqualTo("line " + line + ": not an event");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[%1$s,%1$s]", " [\n{\n%2$s\n}\n]\n", "[{\"long\":\"%3$s\"}]"})
  void fileThatIsOneArrayIsAnsweredByOneSentence(String form)
      throws IOException, RelayFailure, InterruptedException {
    String event = Keys.of("alice").sign(1, 1, Tags.NONE, "a note").toString();
    String fields = event.substring(1, event.length() - 1).replace(",\"", ",\n\"");
    String file = String.format(form, event, fields, "x".repeat(MAX_LINE_BYTES));
    Relay relay = (sent, answer) -> answer.received(true, "");
    try (Importer importer = importer(relay, () -> false, Importer.TIMEOUT)) {
      importer.run(
          new EventLines(
              new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), MAX_LINE_BYTES),
          () -> {});
    }
    assertThat(counts.summary()).first().asString().startsWith("0 new, 0 known, 0 refused, ");
    assertThat(messages).hasSize(1).first().asString().startsWith("The file is one JSON array; ");
  }

  @Test
  void linesAreImportedWhileTheNextOnesAreAwaited()
      throws IOException, RelayFailure, InterruptedException {
    String lines = Keys.of("alice").sign(1, 1, Tags.NONE, "a note") + "\nnot";
    CountDownLatch stored = new CountDownLatch(1);
    InputStream slow =
        new SequenceInputStream(
            new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                try {
                  stored.await();
                  return -1;
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
              }
            });
    Relay relay =
        (event, answer) -> {
          answer.received(true, "");
          stored.countDown();
        };
    try (Importer importer = importer(relay, () -> false, Importer.TIMEOUT)) {
      importer.run(new EventLines(slow, MAX_LINE_BYTES), () -> {});
    }
    assertThat(counts.summary()).containsExactly("1 new, 0 known, 0 refused, 1 invalid lines.");
  }

  @Test
  void relayThatStopsAnsweringWhileLinesAreReadIsGivenUp() throws IOException {
    InputStream endless =
        new InputStream() {
          private final byte[] line =
              (Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(100_000)) + "\n")
                  .getBytes(StandardCharsets.UTF_8);
          private int at;

          @Override
          public int read() {
            return line[at++ % line.length];
          }
        };
    Relay relay = (event, answer) -> {};
    try (Importer importer = importer(relay, () -> false, Duration.ofMillis(300))) {
      assertThatThrownBy(() -> importer.run(new EventLines(endless, MAX_LINE_BYTES), () -> {}))
          .isInstanceOf(RelayFailure.class)
          .hasMessageStartingWith("The relay has not answered for ");
    }
  }

  @Test
  void eventsThatWerePutAsideAreLeftWhenTheImportIsInterrupted()
      throws IOException, RelayFailure, InterruptedException {
    AtomicInteger taken = new AtomicInteger();
    Relay relay =
        (event, answer) -> {
          boolean isAgain = taken.incrementAndGet() > 40;
          answer.received(isAgain, isAgain ? "" : UNKNOWN_GAME);
        };
    try (Importer importer = importer(relay, () -> taken.get() > 41, Importer.TIMEOUT)) {
      importer.run(lines(40), () -> {});
    }
    assertThat(taken.get()).isLessThan(80);
    assertThat(counts.summary())
        .containsExactly((taken.get() - 40) + " new, 0 known, 0 refused, 0 invalid lines.");
  }

  @Test
  void linesBeforeAFailureAreImportedAndTheFailureIsReported() throws Exception {
    String event = Keys.of("alice").sign(1, 1, Tags.NONE, "a note") + "\n";
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("broken");
          }
        };
    InputStream source =
        new SequenceInputStream(
            new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)), failing);
    Relay relay = (sent, answer) -> answer.received(true, "");
    try (Importer importer = importer(relay, () -> false, Importer.TIMEOUT)) {
      assertThatThrownBy(() -> importer.run(new EventLines(source, MAX_LINE_BYTES), () -> {}))
          .isInstanceOf(IOException.class)
          .hasMessage("broken");
    }
    assertThat(counts.summary()).containsExactly("1 new, 0 known, 0 refused, 0 invalid lines.");
  }

  @Test
  void importOfAnIdlePipeEndsWhenTheCommandIsToEnd() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    Relay relay =
        (event, answer) -> {
          answer.received(true, "");
          taken.incrementAndGet();
        };
    try (PipedOutputStream writer = new PipedOutputStream();
        InputStream in = new PipedInputStream(writer, 1 << 16);
        Importer importer = importer(relay, () -> taken.get() > 0, Importer.TIMEOUT)) {
      String event = Keys.of("alice").sign(1, 1, Tags.NONE, "a note") + "\n";
      writer.write(event.getBytes(StandardCharsets.UTF_8));
      writer.flush();
      importer.run(new EventLines(in, MAX_LINE_BYTES), () -> {});
    }
    assertThat(counts.summary()).containsExactly("1 new, 0 known, 0 refused, 0 invalid lines.");
  }
}
