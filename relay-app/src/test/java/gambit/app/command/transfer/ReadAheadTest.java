package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ReadAheadTest {
  private static final int MAX_LINE_BYTES = 1_000;
  private static final IOException FAILURE = new IOException("the disk has failed");

  private final ImportCounts counts = new ImportCounts(line -> {});

  private static Event note(int number) {
    return Keys.of("alice").sign(number, 1, Tags.NONE, "note " + number);
  }

  private static String forged(Event event) {
    return event.toString().replaceFirst("\"sig\":\"[0-9a-f]*", "\"sig\":\"" + "0".repeat(128));
  }

  private static InputStream stream(List<String> lines) {
    return new ByteArrayInputStream(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  private static ReadAhead readAhead(InputStream in, boolean isTrusted) {
    return new ReadAhead(new EventLines(in, MAX_LINE_BYTES), new LineParser(10), isTrusted);
  }

  /** A stream that says when it is at its end, where all bytes before have been taken. */
  private static InputStream announced(CountDownLatch end, @Nullable IOException failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        end.countDown();
        if (failure != null) {
          throw failure;
        }
        return -1;
      }
    };
  }

  @Test
  void onlyEventsWithAValidSignatureAreVerified() throws Exception {
    List<String> lines =
        List.of(note(1).toString(), forged(note(2)), "not an event", "x".repeat(2_000), "[");
    CountDownLatch end = new CountDownLatch(1);
    InputStream in = new SequenceInputStream(stream(lines), announced(end, null));
    try (ReadAhead ahead = readAhead(in, false)) {
      end.await();
      assertThat(ahead.end())
          .extracting(ReadAhead.ParsedLine::isVerified)
          .containsExactly(true, false, false, false, false);
    }
  }

  @Test
  void nothingIsVerifiedForAnImportThatTrustsSignatures() throws Exception {
    try (ReadAhead ahead = readAhead(stream(List.of(note(1).toString())), true)) {
      assertThat(ahead.end()).noneMatch(ReadAhead.ParsedLine::isVerified);
    }
  }

  @Test
  void everyLineIsImportedOnceWhereverReadingAheadEnds() throws Exception {
    int all = 20_000; // more than are read ahead
    List<String> lines = IntStream.range(0, all).mapToObj(i -> note(i % 50).toString()).toList();
    List<String> withInvalid = new ArrayList<>(lines);
    withInvalid.add(3, "not an event");
    withInvalid.add(5, "x".repeat(2_000));
    AtomicInteger taken = new AtomicInteger();
    EventSink sink = new CountingSink(taken);
    try (ReadAhead ahead = readAhead(stream(withInvalid), true);
        Importer importer =
            new Importer(sink, new LineParser(10), counts, () -> false, Importer.TIMEOUT)) {
      importer.run(ahead.end(), ahead.lines(), () -> {});
    }
    assertThat(taken).hasValue(all);
    assertThat(counts.summary().get(0))
        .isEqualTo("20,000 new, 0 known, 0 refused, 2 invalid lines.");
  }

  @Test
  void linesBeforeAFailureAreImportedAndTheFailureIsReported() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    InputStream in =
        new SequenceInputStream(
            stream(List.of(note(1).toString(), note(2) + "\n")), announced(end, FAILURE));
    AtomicInteger taken = new AtomicInteger();
    try (ReadAhead ahead = readAhead(in, true);
        Importer importer =
            new Importer(
                new CountingSink(taken),
                new LineParser(10),
                counts,
                () -> false,
                Importer.TIMEOUT)) {
      end.await();
      Queue<ReadAhead.ParsedLine> read = ahead.end();
      assertThatThrownBy(() -> importer.run(read, ahead.lines(), () -> {})).isSameAs(FAILURE);
    }
    assertThat(taken).hasValue(2);
  }

  /** Accepts everything. */
  private record CountingSink(AtomicInteger taken) implements EventSink {
    @Override
    public void take(Event event, boolean isVerified, RelaySession.Answer answer)
        throws RelayFailure {
      taken.incrementAndGet();
      answer.received(true, "");
    }

    @Override
    public String failure() {
      return "";
    }

    @Override
    public void close() {}
  }
}
