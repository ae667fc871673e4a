package gambit.app.bench;

import gambit.core.crypto.Signer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A fixed number of authors whose keys follow from a seed. Immutable. */
final class Authors {
  private final List<Signer> signers;

  Authors(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> secrets = IntStream.range(0, count).mapToObj(i -> secret(random)).toList();
    signers = secrets.parallelStream().map(Signer::new).toList();
  }

  /** A secret key below the order of the curve, which begins with 32 bits of ones. */
  private static byte[] secret(SplittableRandom random) {
    byte[] secret = bytes(random);
    secret[0] &= 0x7f;
    secret[31] |= 1;
    return secret;
  }

  /** 32 random bytes. */
  static byte[] bytes(SplittableRandom random) {
    ByteBuffer out = ByteBuffer.allocate(32);
    while (out.hasRemaining()) {
      out.putLong(random.nextLong());
    }
    return out.array();
  }

  int size() {
    return signers.size();
  }

  Signer get(int index) {
    return signers.get(index);
  }

  String hex(int index) {
    return signers.get(index).pubkey().hex();
  }
}
