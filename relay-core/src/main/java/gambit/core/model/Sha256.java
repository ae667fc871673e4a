package gambit.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java runtime has. */
public final class Sha256 {
  private static final MessageDigest NEW = find();

  private static final ThreadLocal<MessageDigest> OF_THREAD =
      ThreadLocal.withInitial(Sha256::digest);

  private Sha256() {}

  private static MessageDigest find() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /** A new digest: a copy, which is made faster than the algorithm is found. */
  public static MessageDigest digest() {
    try {
      return (MessageDigest) NEW.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("SHA-256 can be cloned in every Java runtime", e);
    }
  }

  /** The digest of the calling thread, empty: for one hash at a time, within one method. */
  static MessageDigest ofThread() {
    MessageDigest digest = OF_THREAD.get();
    digest.reset();
    return digest;
  }

  /** The hash of a text's UTF-8 bytes. */
  public static byte[] of(String text) {
    return digest().digest(text.getBytes(StandardCharsets.UTF_8));
  }
}
