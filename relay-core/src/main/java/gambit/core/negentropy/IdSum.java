package gambit.core.negentropy;

import gambit.core.model.ByteBuilder;
import gambit.core.model.EventId;
import gambit.core.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;

/**
 * The number of a set's ids, and their sum modulo 2^256, each id being a little-endian number. Sums
 * of disjoint sets are added, and a part is subtracted, without the ids. Immutable.
 *
 * @param a the least significant 64 bits of the sum
 */
public record IdSum(long count, long a, long b, long c, long d) {
  public static final IdSum ZERO = new IdSum(0, 0, 0, 0, 0);

  public static IdSum of(EventId id) {
    return new IdSum(
        1,
        Long.reverseBytes(id.word(0)),
        Long.reverseBytes(id.word(1)),
        Long.reverseBytes(id.word(2)),
        Long.reverseBytes(id.word(3)));
  }

  /** The sum of this set and another one that has none of its ids. */
  public IdSum plus(IdSum other) {
    long sumA = a + other.a;
    long carryA = Long.compareUnsigned(sumA, a) < 0 ? 1 : 0;
    long sumB = b + other.b;
    long carryB = Long.compareUnsigned(sumB, b) < 0 ? 1 : 0;
    sumB += carryA;
    carryB += carryA == 1 && sumB == 0 ? 1 : 0;
    long sumC = c + other.c;
    long carryC = Long.compareUnsigned(sumC, c) < 0 ? 1 : 0;
    sumC += carryB;
    carryC += carryB == 1 && sumC == 0 ? 1 : 0;
    return new IdSum(count + other.count, sumA, sumB, sumC, d + other.d + carryC);
  }

  /** The sum of this set without a part of it. */
  public IdSum minus(IdSum part) {
    // A negative number is its complement plus one; the borrow out of the top is lost, as it must.
    IdSum complement = new IdSum(-part.count, ~part.a, ~part.b, ~part.c, ~part.d);
    return plus(complement).plus(new IdSum(0, 1, 0, 0, 0));
  }

  public IdSum plus(EventId id) {
    return plus(of(id));
  }

  public IdSum minus(EventId id) {
    return minus(of(id));
  }

  /** The digest of a set's ids in a range: 16 bytes, held as two big-endian longs. */
  public record Fingerprint(long first, long second) {
    static final int BYTES = 16;

    static Fingerprint of(byte[] digest) {
      ByteBuffer bytes = ByteBuffer.wrap(digest);
      return new Fingerprint(bytes.getLong(), bytes.getLong());
    }

    void writeTo(ByteBuilder out) {
      out.add(ByteBuffer.allocate(BYTES).putLong(first).putLong(second).array(), 0, BYTES);
    }
  }

  /** The first 16 bytes of the SHA-256 of the sum and, as a varint, the count. */
  public Fingerprint fingerprint() {
    ByteBuilder input = new ByteBuilder(48);
    ByteBuffer sum = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    input.add(sum.putLong(a).putLong(b).putLong(c).putLong(d).array(), 0, 32);
    MessageWriter.writeVarint(input, count);
    MessageDigest digest = Sha256.digest();
    digest.update(input.array(), 0, input.size());
    return Fingerprint.of(digest.digest());
  }
}
