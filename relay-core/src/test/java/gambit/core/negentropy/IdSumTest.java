package gambit.core.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.EventId;
import gambit.core.model.Sha256;
import gambit.core.negentropy.IdSum.Fingerprint;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class IdSumTest {
  private static final BigInteger MODULUS = BigInteger.TWO.pow(256);

  @Property(tries = 100)
  void aFingerprintIsTheHashOfTheSumAndTheCount(@ForAll @Size(max = 9) List<@Size(32) byte[]> ids) {
    IdSum sum = IdSum.ZERO;
    BigInteger expected = BigInteger.ZERO;
    for (byte[] id : ids) {
      sum = sum.plus(new EventId(id));
      expected = expected.add(littleEndian(id)).mod(MODULUS);
    }
    assertThat(sum.count()).isEqualTo(ids.size());
    assertThat(sum.fingerprint()).isEqualTo(fingerprint(expected, ids.size()));
  }

  @Property(tries = 100)
  void aPartThatIsSubtractedIsAsIfItHadNeverBeenAdded(
      @ForAll @Size(min = 1, max = 9) List<@Size(32) byte[]> ids) {
    List<IdSum> sums = new ArrayList<>(List.of(IdSum.ZERO));
    for (byte[] id : ids) {
      sums.add(sums.get(sums.size() - 1).plus(new EventId(id)));
    }
    for (int i = ids.size(); i > 0; i--) {
      EventId id = new EventId(ids.get(i - 1));
      assertThat(sums.get(i).minus(id)).isEqualTo(sums.get(i - 1));
      assertThat(sums.get(i).minus(sums.get(i - 1))).isEqualTo(IdSum.of(id));
    }
  }

  @Test
  void aCarryPassesThroughEveryWord() {
    byte[] ones = new byte[32];
    Arrays.fill(ones, (byte) 0xff);
    byte[] one = new byte[32];
    one[0] = 1;
    IdSum sum = IdSum.of(new EventId(ones)).plus(new EventId(one));
    assertThat(sum).isEqualTo(new IdSum(2, 0, 0, 0, 0));
    assertThat(sum.minus(new EventId(one))).isEqualTo(IdSum.of(new EventId(ones)));
  }

  private static BigInteger littleEndian(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[bytes.length - 1 - i] = bytes[i];
    }
    return new BigInteger(1, reversed);
  }

  private static Fingerprint fingerprint(BigInteger sum, int count) {
    ByteBuffer input = ByteBuffer.allocate(33);
    BigInteger rest = sum;
    for (int i = 0; i < 32; i++) {
      input.put(rest.byteValue());
      rest = rest.shiftRight(8);
    }
    input.put((byte) count);
    return Fingerprint.of(Sha256.digest().digest(input.array()));
  }
}
