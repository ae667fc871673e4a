package gambit.core.feature;

import gambit.core.wire.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of the client's events with the stored ones that match a filter and that the client
 * may read, by the negentropy protocol (NIP-77). On the connection's event loop.
 */
public interface Reconciliation {
  /**
   * Answers a message of the client; until it is answered, there must be no other one. The message
   * must not be changed afterwards.
   */
  void receive(byte[] message);

  /** Ends the comparison and releases what it holds, unless it has ended. */
  void close();

  /** Receives the answers to the client. On the connection's event loop. */
  interface Receiver {
    void answer(byte[] message);

    /**
     * The comparison was refused, or has ended; nothing follows. If there are more events than may
     * be compared, that maximum is not null.
     */
    void refused(Reason reason, @Nullable Integer maxItems);
  }
}
