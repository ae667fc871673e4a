package gambit.core.testkit;

import gambit.core.crypto.Signer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Keys of people in tests; a name has the same key in every run. */
public final class Keys {
  private Keys() {}

  public static Signer of(String name) {
    try {
      return new Signer(
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
