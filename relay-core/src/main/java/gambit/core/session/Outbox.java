package gambit.core.session;

import gambit.core.limit.SharedBound;
import gambit.core.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent to one client, bounded in bytes. Whoever produces a frame reserves its
 * bytes first, so that the bound holds whichever thread sends; a client that lets too much wait is
 * disconnected. Any thread; nothing blocks.
 *
 * <p>An event that waits in several frames of the client is held, and counted, once; in the bound
 * for all clients it is counted once for all of them.
 */
public interface Outbox extends SharedBound.Holder {

  /** Reserves the frame's bytes and queues it. */
  default void send(Frame frame) {
    ReservedFrame reserved = reserve(frame);
    if (reserved != null) {
      sendReserved(reserved);
    }
  }

  /** Reserves the frame's bytes; null when the client is, or is now being, disconnected. */
  @Nullable ReservedFrame reserve(Frame frame);

  /** Queues a frame whose bytes are reserved. */
  void sendReserved(ReservedFrame frame);

  /** Gives back the bytes of a frame that will not be sent after all. */
  void unreserve(ReservedFrame frame);

  /** False when so much waits already, for the client or for all, that stored pages should wait. */
  boolean isRoomy();

  /** True when so much waits for all clients that stored events are to be read one at a time. */
  boolean isScarce();

  /** Something that goes on when a client has taken what waited. */
  interface Waiting {
    void goOn();

    /** True when nobody needs it any more: it goes on sooner then, to give back what it holds. */
    boolean isOver();
  }

  /**
   * Lets the task go on once the client has taken what waits: at once if little waits now. On any
   * thread; with a closed outbox it goes on at once too.
   */
  void whenDrained(Waiting task);

  /**
   * The same, and not before stored pages may be sent: as long as too much waits for all clients,
   * one that holds nothing waits for its turn.
   */
  void whenRoomy(Waiting task);

  /** How many bytes are held for the client, the reserved ones included. */
  @Override
  long heldBytes();

  /** Ends the connection at once: nothing more could reach the client anyway. */
  @Override
  void disconnect();
}
