package gambit.core.session;

import gambit.core.wire.Frame;

/**
 * What waits to be sent to one client, bounded in bytes. Whoever produces a frame reserves its
 * bytes first, so that the bound holds whichever thread sends; a client that lets too much wait is
 * disconnected. Any thread; nothing blocks.
 */
public interface Outbox extends SharedBound.Holder {

  /** Reserves the frame's bytes and queues it. */
  default void send(Frame frame) {
    if (reserve(frame)) {
      sendReserved(frame);
    }
  }

  /** Reserves the frame's bytes; false when the client is, or is now being, disconnected. */
  boolean reserve(Frame frame);

  /** Queues a frame whose bytes are reserved. */
  void sendReserved(Frame frame);

  /** Gives back the bytes of a frame that will not be sent after all. */
  void unreserve(Frame frame);

  /** False when so much waits already that stored pages should wait, too. */
  boolean isRoomy();

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

  /** How many bytes wait, the reserved ones included. */
  @Override
  long heldBytes();

  /** Ends the connection at once: nothing more could reach the client anyway. */
  @Override
  void disconnect();
}
