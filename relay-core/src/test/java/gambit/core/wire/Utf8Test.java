package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Compares the check of UTF-8 with the JDK's decoder. */
class Utf8Test {
  /** Bytes at the boundaries of the ranges of first and continuation bytes. */
  private static final int[] BOUNDARY_BYTES = {
    0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
    0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff
  };

  @Test
  void threeBytesAtTheBoundariesAreJudgedAsByTheJdk() {
    for (int first : BOUNDARY_BYTES) {
      for (int second : BOUNDARY_BYTES) {
        for (int third : BOUNDARY_BYTES) {
          assertLikeJdk(new byte[] {(byte) first, (byte) second, (byte) third});
        }
      }
    }
  }

  @Property(tries = 500)
  void anyBytesAreJudgedAsByTheJdk(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(8)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] =
          (byte)
              switch (random.nextInt(4)) {
                case 0 -> random.nextInt(256);
                case 1 -> BOUNDARY_BYTES[random.nextInt(BOUNDARY_BYTES.length)];
                default -> 0x80 + random.nextInt(0x40);
              };
    }
    int upTo = assertLikeJdk(bytes);
    for (int cut = 0; cut <= bytes.length; cut++) {
      int sofar = assertLikeJdk(Arrays.copyOf(bytes, cut));
      int inTwo = sofar < 0 ? -1 : Utf8.validPrefixEnd(bytes, sofar, bytes.length);
      assertThat(inTwo).as("checked again from the end of the valid part").isEqualTo(upTo);
    }
  }

  private static int assertLikeJdk(byte[] bytes) {
    int upTo = mayBecomeValid(bytes, 3) ? incompleteCharacterStart(bytes) : -1;
    assertThat(Utf8.validPrefixEnd(bytes, 0, bytes.length)).isEqualTo(upTo);
    assertThat(Utf8.isValid(bytes, bytes.length)).isEqualTo(upTo == bytes.length);
    return upTo;
  }

  /** The start of an incomplete last character, or the end if there is none. */
  private static int incompleteCharacterStart(byte[] bytes) {
    int at = bytes.length;
    while (!isValid(Arrays.copyOf(bytes, at))) {
      at--;
    }
    return at;
  }

  /** Whether up to {@code more} further bytes can make it valid. */
  private static boolean mayBecomeValid(byte[] bytes, int more) {
    if (isValid(bytes) || more == 0) {
      return isValid(bytes);
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    for (int next : new int[] {0x80, 0x90, 0xa0}) {
      longer[bytes.length] = (byte) next;
      if (mayBecomeValid(longer, more - 1)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isValid(byte[] bytes) {
    CharBuffer out = CharBuffer.allocate(bytes.length);
    return !StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), out, true).isError();
  }
}
