package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class EventLinesTest {
  private static final int MAX_LINE_BYTES = 300_000;

  /** A stream that returns a random number of bytes at a time. */
  private static InputStream inPieces(byte[] bytes, Random random) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, 1 + random.nextInt(length));
      }
    };
  }

  @Test
  void linesBeforeAFailureAreReturnedBeforeIt() throws IOException {
    InputStream damaged =
        new SequenceInputStream(
            new ByteArrayInputStream("first\nsecond\nthi".getBytes(StandardCharsets.US_ASCII)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("damaged");
              }
            });
    EventLines read = new EventLines(damaged, MAX_LINE_BYTES);
    assertThat(read.next(2)).hasSize(2);
    assertThatThrownBy(() -> read.next(1)).isInstanceOf(IOException.class).hasMessage("damaged");
    assertThatThrownBy(() -> read.next(1)).isInstanceOf(IOException.class);
  }

  @RepeatedTest(20)
  void linesAreThoseOfTheTextWithTheirNumbers(RepetitionInfo repetition) throws IOException {
    Random random = new Random(repetition.getCurrentRepetition());
    List<String> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int lines = 1 + random.nextInt(30);
    for (int number = 1; number <= lines; number++) {
      int length =
          random.nextInt(8) == 0 ? random.nextInt(2 * MAX_LINE_BYTES) : random.nextInt(500);
      text.append(Character.toString('a' + random.nextInt(26)).repeat(length));
      if (length > 0) {
        expected.add(number + " " + (length > MAX_LINE_BYTES ? "too long" : length));
      }
      if (number < lines || random.nextBoolean()) {
        text.append('\n');
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    EventLines read = new EventLines(inPieces(bytes, random), MAX_LINE_BYTES);
    List<String> actual = new ArrayList<>();
    List<EventLines.Line> next = read.next(5);
    while (!next.isEmpty()) {
      next.forEach(
          line ->
              actual.add(
                  line.number() + " " + (line.isTooLong() ? "too long" : line.bytes().length)));
      next = read.next(5);
    }
    assertThat(actual).isEqualTo(expected);
  }
}
