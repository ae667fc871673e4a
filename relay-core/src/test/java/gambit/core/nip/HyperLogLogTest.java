package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.PubKey;
import gambit.core.nip.EventCounts.HyperLogLog;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * NIP-45, "HyperLogLog", compared with a computation on hex digits and strings of zeros and ones.
 */
class HyperLogLogTest {
  @Property(tries = 200)
  void registersEqualThoseComputedFromHexDigits(@ForAll long seed) {
    Random random = new Random(seed);
    int offset = 8 + random.nextInt(16);
    HyperLogLog sketch = new HyperLogLog(offset);
    List<PubKey> keys = new ArrayList<>();
    for (int i = random.nextInt(60); i >= 0; i--) {
      keys.add(key(random, offset));
    }
    keys.forEach(sketch::add);
    assertThat(sketch.hex()).isEqualTo(naive(keys, offset));
  }

  /** A key, often with many zeros after the byte of its register. */
  private static PubKey key(Random random, int offset) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    bytes[offset] = (byte) random.nextInt(8);
    for (int i = offset + 1; i < 32 && random.nextInt(4) > 0; i++) {
      bytes[i] = (byte) (random.nextBoolean() ? 0 : random.nextInt(16));
    }
    return new PubKey(bytes);
  }

  private static String naive(List<PubKey> keys, int offset) {
    int[] registers = new int[256];
    for (PubKey key : keys) {
      String digits = key.hex();
      int index = Integer.parseInt(digits.substring(2 * offset, 2 * offset + 2), 16);
      String bits = new BigInteger("1" + digits.substring(2 * offset + 2), 16).toString(2);
      int zeros = (bits + "1").indexOf('1', 1) - 1;
      registers[index] = Math.max(registers[index], zeros + 1);
    }
    StringBuilder hex = new StringBuilder();
    for (int register : registers) {
      hex.append(String.format("%02x", register));
    }
    return hex.toString();
  }

  @Property(tries = 50)
  void registersOfTwoRelaysAreMergedByTheirMaximum(@ForAll long seed) {
    Random random = new Random(seed);
    HyperLogLog one = new HyperLogLog(8);
    HyperLogLog other = new HyperLogLog(8);
    HyperLogLog both = new HyperLogLog(8);
    for (int i = 0; i < 40; i++) {
      PubKey key = key(random, 8);
      if (random.nextBoolean()) {
        one.add(key);
      } else {
        other.add(key);
      }
      both.add(key);
    }
    byte[] merged = HexFormat.of().parseHex(one.hex());
    byte[] more = HexFormat.of().parseHex(other.hex());
    for (int i = 0; i < 256; i++) {
      merged[i] = (byte) Math.max(merged[i], more[i]);
    }
    assertThat(HexFormat.of().formatHex(merged)).isEqualTo(both.hex());
  }

  @Test
  void emptyCountIs512ZerosAndARepeatedKeyCountsOnce() {
    HyperLogLog sketch = new HyperLogLog(8);
    assertThat(sketch.hex()).isEqualTo("0".repeat(512));
    PubKey key = key(new Random(1), 8);
    sketch.add(key);
    String once = sketch.hex();
    sketch.add(key);
    assertThat(sketch.hex()).isEqualTo(once).isNotEqualTo("0".repeat(512));
  }

  @Test
  void keyWithOnlyZerosAfterItsRegisterCountsAllOfThem() {
    HyperLogLog first = new HyperLogLog(8);
    first.add(new PubKey(new byte[32]));
    assertThat(first.hex()).startsWith("b9").endsWith("0".repeat(510)); // 184 bits and one
    HyperLogLog last = new HyperLogLog(23);
    last.add(new PubKey(new byte[32]));
    assertThat(last.hex()).startsWith("41").endsWith("0".repeat(510)); // 64 bits and one
  }

  /** The offset is 8 and the digit at position 32, counted from 0, of what stands there in hex. */
  @ParameterizedTest(name = "\"{0}\"")
  @CsvSource({
    // an event id or a pubkey as it is
    "00000000000000000000000000000000" + "0fffffffffffffffffffffffffffffff, 0",
    "ffffffffffffffffffffffffffffffff" + "f0000000000000000000000000000000, 15",
    "5c83da77af1dec6d7289834998ad7aaf" + "bd9e2191396d75ec3cc27f5a77226f36, 11",
    // an address: its pubkey
    "30023:5c83da77af1dec6d7289834998ad7aaf" + "bd9e2191396d75ec3cc27f5a77226f36:a:b, 11",
    "0:5c83da77af1dec6d7289834998ad7aaf" + "7d9e2191396d75ec3cc27f5a77226f36:, 7",
    // the SHA-256 of anything else, as sha256sum has it
    "chess, 0",
    "https://example.com/, 12",
    "'', 2",
    "5C83DA77AF1DEC6D7289834998AD7AAF" + "BD9E2191396D75EC3CC27F5A77226F36, 12",
    "x:5c83da77af1dec6d7289834998ad7aaf" + "bd9e2191396d75ec3cc27f5a77226f36:, 7",
    "1:5c83da77af1dec6d7289834998ad7aaf" + "bd9e2191396d75ec3cc27f5a77226f36, 15",
    "30023:abc:d, 1",
  })
  void offsetIsDerivedFromTheTagValue(String value, int digit) {
    byte[] positions = new byte[32];
    for (int i = 0; i < 32; i++) {
      positions[i] = (byte) i; // the byte at the offset says where it was
    }
    HyperLogLog sketch = HyperLogLog.forTagValue(value);
    sketch.add(new PubKey(positions));
    byte[] registers = HexFormat.of().parseHex(sketch.hex());
    assertThat(Stream.iterate(0, i -> i + 1).limit(256).filter(i -> registers[i] != 0))
        .containsExactly(8 + digit);
  }
}
