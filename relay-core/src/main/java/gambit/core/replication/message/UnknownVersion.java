package gambit.core.replication.message;

/**
 * An entry or a message has a version that this program does not know. Its message is a sentence
 * for operators.
 */
public final class UnknownVersion extends RuntimeException {
  private UnknownVersion(String message) {
    super(message);
  }

  /** Requires a version, which is the first byte, that this program knows; the oldest is 1. */
  static void requireKnown(String what, byte[] encoded, int newest) {
    int version = encoded.length == 0 ? 0 : encoded[0] & 0xff;
    if (version == 0) {
      throw new IllegalArgumentException("there is no version 0");
    }
    if (version > newest) {
      throw new UnknownVersion(
          ("%s has version %s, and this node knows versions up to %s: it is older than another node"
                  + " and must be upgraded")
              .formatted(what, version, newest));
    }
  }
}
