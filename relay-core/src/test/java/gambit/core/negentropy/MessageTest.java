package gambit.core.negentropy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum.Fingerprint;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageTest {
  private static final String ID = "0a".repeat(32);

  @Test
  void rangesAreWrittenAsTheProtocolSays() {
    MessageWriter out = new MessageWriter();
    out.skip(Position.at(1));
    out.skip(Position.at(300));
    out.fingerprint(bound(300, "ab01"), new Fingerprint(1, 2));
    out.ids(Position.at(1_700_000_000), List.of(EventId.ofHex(ID)));
    out.ids(Position.INFINITY, List.of());
    assertThat(HexFormat.of().formatHex(out.message()))
        .isEqualTo(
            "61"
                + "822d0000"
                + "0102ab0101"
                + "00000000000000010000000000000002"
                + varint(1_700_000_000 - 300 + 1)
                + "0002"
                + "01"
                + ID
                + "00000200");
  }

  @Test
  void skippedRangesAtTheEndAreLeftOut() {
    MessageWriter out = new MessageWriter();
    out.skip(Position.INFINITY);
    assertThat(out.isEmpty()).isTrue();
    assertThat(out.message()).containsExactly(0x61);
  }

  @Test
  void aMessageIsReadAsItWasWritten() throws Exception {
    MessageWriter out = new MessageWriter();
    out.skip(bound(5, "00ff"));
    out.ids(bound(5, "ff"), List.of(EventId.ofHex(ID), EventId.ofHex("0b".repeat(32))));
    out.fingerprint(bound(Long.MAX_VALUE - 1, "01".repeat(32)), new Fingerprint(-1, 7));
    out.unknown(Position.INFINITY);
    assertThat(rangesOf(out.message()))
        .containsExactly(
            new Range.Skip(bound(5, "00ff")),
            new Range.WithIds(
                bound(5, "ff"), List.of(EventId.ofHex(ID), EventId.ofHex("0b".repeat(32)))),
            new Range.WithFingerprint(
                bound(Long.MAX_VALUE - 1, "01".repeat(32)), new Fingerprint(-1, 7)),
            new Range.WithFingerprint(Position.INFINITY, new Fingerprint(0, 0)));
  }

  /** The reference implementation ends a message that is just full with such a range. */
  @Test
  void anEmptyRangeAfterTheLastOneIsRead() throws Exception {
    assertThat(rangesOf(HexFormat.of().parseHex("61" + "00000200" + "000001" + "00".repeat(16))))
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                        | the message ends too early",
        "00                        | the first byte is no version of the protocol",
        "70                        | the first byte is no version of the protocol",
        "6101                      | the message ends too early",
        "610100                    | the message ends too early",
        "61010003                  | unknown mode 3",
        "610121                    | a bound's id is longer than 32 bytes",
        "610102ff                  | the message ends too early",
        "61010001ff                | the message ends too early",
        "6101000201ff              | the message ends too early",
        "6101000287ffffffffffffff7f | the message ends too early",
        "61800100                  | a number is not in its shortest form",
        "61ffffffffffffffffff7f    | a number has more than 63 bits",
        "6181                      | the message ends too early",
        "6105000001ff              | the message ends too early",
        "610501ff000101fe00        | a bound is lower than the one before it",
        "610000000100              | a bound's time is too large",
        "61020000ffffffffffffffff7f0000 | a bound's time is too large",
        "610001ff00                | a bound at infinity has an id",
      })
  void aMalformedMessageIsRefusedWithItsFault(String hex, String fault) {
    assertThatThrownBy(() -> rangesOf(HexFormat.of().parseHex(hex)))
        .isInstanceOf(NegentropyException.class)
        .hasMessage(fault);
  }

  static List<Range> rangesOf(byte[] message) throws NegentropyException {
    List<Range> ranges = new ArrayList<>();
    RangeReader in = new RangeReader(message);
    while (in.hasNext()) {
      ranges.add(in.next());
    }
    return ranges;
  }

  private static String varint(long number) {
    StringBuilder hex = new StringBuilder("%02x".formatted(number & 0x7f));
    for (long rest = number >> 7; rest > 0; rest >>= 7) {
      hex.insert(0, "%02x".formatted(0x80 | rest & 0x7f));
    }
    return hex.toString();
  }

  private static Position bound(long createdAt, String prefix) {
    return new Position(createdAt, EventId.ofHex(prefix + "0".repeat(64 - prefix.length())));
  }
}
