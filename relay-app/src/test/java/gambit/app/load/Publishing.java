package gambit.app.load;

import gambit.app.load.LoadClient.Verb;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Publishes events over some connections, with a fixed number under way on each: the next event is
 * sent when one has been answered and delivered to all subscribers. On the event loop.
 */
final class Publishing {
  private static final int TIMEOUT_SECONDS = 300;

  private final Iterator<byte[]> frames;
  private final long all;
  private final long ahead;
  private final long receivers;
  private final Deque<LoadClient> free = new ArrayDeque<>(); // each client as often as it may send
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long sent;
  private long answered;
  private long delivered;

  private Publishing(List<byte[]> frames, int ahead, int receivers) {
    this.frames = frames.iterator();
    this.all = frames.size();
    this.ahead = ahead;
    this.receivers = receivers;
  }

  /**
   * Publishes all events, and waits for the last answer and the last delivery.
   *
   * @param underWay the number of events under way for each publisher
   * @param subscribers all clients that receive events
   * @param receivers the number of subscribers that receive each event
   */
  static void publish(
      LoadClients peers,
      List<LoadClient> publishers,
      int underWay,
      List<byte[]> frames,
      List<LoadClient> subscribers,
      int receivers)
      throws Exception {
    begin(peers, publishers, underWay, frames, subscribers, receivers)
        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  /** Publishes without waiting. */
  static CompletableFuture<Void> begin(
      LoadClients peers,
      List<LoadClient> publishers,
      int underWay,
      List<byte[]> frames,
      List<LoadClient> subscribers,
      int receivers) {
    Publishing it = new Publishing(frames, publishers.size() * underWay, receivers);
    publishers.forEach(peer -> peer.listen((verb, text) -> it.answered(peer, verb, text)));
    subscribers.forEach(peer -> peer.listen((verb, text) -> it.delivered(verb, text)));
    peers.execute(
        () -> {
          for (int i = 0; i < underWay; i++) {
            it.free.addAll(publishers);
          }
          it.sendNext();
        });
    return it.done;
  }

  /** Publishes without subscribers. */
  static void publish(
      LoadClients peers, List<LoadClient> publishers, int underWay, List<byte[]> frames)
      throws Exception {
    publish(peers, publishers, underWay, frames, List.of(), 0);
  }

  private void answered(LoadClient peer, Verb verb, ByteBuf text) {
    if (verb == Verb.OK && LoadClient.isSettled(text)) {
      answered++;
      free.add(peer);
      sendNext();
    } else {
      done.completeExceptionally(LoadClient.unexpected(text));
    }
  }

  private void delivered(Verb verb, ByteBuf text) {
    if (verb == Verb.EVENT) {
      delivered++;
      sendNext();
    } else {
      done.completeExceptionally(LoadClient.unexpected(text));
    }
  }

  private void sendNext() {
    while (!free.isEmpty() && frames.hasNext() && delivered >= (sent - ahead + 1) * receivers) {
      free.remove().send(frames.next());
      sent++;
    }
    if (answered == all && delivered == all * receivers) {
      done.complete(null);
    }
  }
}
