package gambit.app.bench;

import java.nio.charset.StandardCharsets;

/** An event as it is sent. Immutable. */
final class SignedEvent {
  private final long key;
  private final int author;
  private final boolean isReplaceable;
  private final byte[] frame;

  private SignedEvent(long key, int author, boolean isReplaceable, String json) {
    this.key = key;
    this.author = author;
    this.isReplaceable = isReplaceable;
    this.frame = ("[\"EVENT\"," + json + "]").getBytes(StandardCharsets.UTF_8);
  }

  static SignedEvent of(Draft draft, String json) {
    boolean isReplaceable = SyntheticTraffic.isReplaceable(draft.kind());
    return new SignedEvent(draft.id().prefix(), draft.author(), isReplaceable, json);
  }

  /** The key of its id. */
  long key() {
    return key;
  }

  /** The author's number. */
  int author() {
    return author;
  }

  /** Whether a relay need not store it, because it may have a newer one. */
  boolean isReplaceable() {
    return isReplaceable;
  }

  void sendBy(BenchClient client) {
    client.send(frame);
  }
}
