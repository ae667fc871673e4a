package gambit.core.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.model.EventId;
import gambit.core.testkit.MutatedInputs;
import gambit.core.testkit.SyncClient;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Reads any bytes as a message, and compares with a reader that follows the grammar of NIP-77 with
 * hex digits and numbers of any size. A set answers whatever can be read within its limit.
 */
class MessageFuzzTest {
  private static final ListItemSet SET =
      ListItemSet.of(
          IntStream.range(0, 500)
              .mapToObj(i -> new Position(i / 3, EventId.ofHex("%064x".formatted(i * 7919L))))
              .toList());

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void anyBytesAreReadAsTheOracleReadsThem(byte[] message) {
    List<String> expected = new Oracle(HexFormat.of().formatHex(message)).ranges();
    List<String> ranges = new ArrayList<>();
    try {
      RangeReader in = new RangeReader(message);
      while (in.isVersion1() && in.hasNext()) {
        ranges.add(textOf(in.next()));
      }
      assertThat(ranges).isEqualTo(expected);
      byte[] answer = SyncClient.answer(SET, message, Responder.MIN_ANSWER_BYTES);
      assertThat(answer).hasSizeLessThanOrEqualTo(Responder.MIN_ANSWER_BYTES);
      MessageTest.rangesOf(answer);
    } catch (NegentropyException e) {
      assertThat(expected).as(e.getMessage()).isNull();
    }
  }

  @Test
  void mutatedInputsAreReadAsTheOracleReadsThem() {
    MutatedInputs.feed(getClass(), 6_000, this::anyBytesAreReadAsTheOracleReadsThem);
  }

  private static String textOf(Range range) {
    String bound = range.upper().createdAt() + " " + range.upper().id() + " ";
    if (range instanceof Range.WithFingerprint it) {
      return bound + "%016x%016x".formatted(it.fingerprint().first(), it.fingerprint().second());
    }
    return bound + (range instanceof Range.WithIds it ? it.ids().toString() : "-");
  }

  private static final class Oracle {
    private static final BigInteger INFINITY = BigInteger.valueOf(Long.MAX_VALUE);

    private final String hex;
    private int at = 2;

    Oracle(String hex) {
      this.hex = hex;
    }

    /** The ranges as text; null for a malformed message. */
    @Nullable List<String> ranges() {
      try {
        return hex.startsWith("61") ? read() : hex.startsWith("6") ? List.of() : null;
      } catch (ArithmeticException | IllegalStateException | StringIndexOutOfBoundsException e) {
        return null;
      }
    }

    private List<String> read() {
      List<String> ranges = new ArrayList<>();
      BigInteger time = BigInteger.ZERO;
      String id = "0".repeat(64);
      while (at < hex.length()) {
        BigInteger encoded = number();
        BigInteger next =
            encoded.signum() == 0 ? INFINITY : time.add(encoded).subtract(BigInteger.ONE);
        require(encoded.signum() == 0 || next.compareTo(INFINITY) < 0);
        BigInteger length = number();
        require(length.intValueExact() <= 32);
        String prefix = take(2 * length.intValueExact());
        String nextId = prefix + "0".repeat(64 - prefix.length());
        require(encoded.signum() != 0 || nextId.equals("0".repeat(64)));
        require(next.compareTo(time) > 0 || (next.equals(time) && nextId.compareTo(id) >= 0));
        time = next;
        id = nextId;
        ranges.add(time + " " + id + " " + payload(number().intValueExact()));
      }
      return ranges;
    }

    private String payload(int mode) {
      require(mode <= 2);
      if (mode == 0) {
        return "-";
      } else if (mode == 1) {
        return take(32);
      }
      String[] ids = new String[count()];
      Arrays.setAll(ids, i -> take(64));
      return Arrays.toString(ids);
    }

    private int count() {
      BigInteger count = number();
      require(count.compareTo(BigInteger.valueOf(hex.length())) < 0);
      return count.intValueExact();
    }

    private BigInteger number() {
      BigInteger number = BigInteger.ZERO;
      for (int digits = 0; ; digits++) {
        int digit = Integer.parseInt(take(2), 16);
        require(digits > 0 || digit != 0x80);
        number = number.shiftLeft(7).or(BigInteger.valueOf(digit & 0x7f));
        if (digit < 0x80) {
          require(number.bitLength() <= 63);
          return number;
        }
      }
    }

    private String take(int digits) {
      at += digits;
      return hex.substring(at - digits, at);
    }

    private static void require(boolean condition) {
      if (!condition) {
        throw new IllegalStateException("malformed");
      }
    }
  }
}
