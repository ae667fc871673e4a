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
 * Publishes events over some connections, so many under way on each of them: the next one goes out
 * when one has had its answer, and has been delivered to all who have subscribed. On the event
 * loop.
 */
final class Publishing {
  private static final int TIMEOUT_SECONDS = 300;

  private final Iterator<byte[]> frames;
  private final long all;
  private final long ahead;
  private final long receivers;
  private final Deque<LoadClient> free = new ArrayDeque<>(); // each as often as it may send
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
   * Publishes them all, and waits for the last answer and the last delivery.
   *
   * @param underWay for each publisher
   * @param subscribers all who get anything
   * @param receivers how many of them get each event
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

  /** The same, without waiting. */
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
          it.goOn();
        });
    return it.done;
  }

  /** The same where nobody has subscribed. */
  static void publish(
      LoadClients peers, List<LoadClient> publishers, int underWay, List<byte[]> frames)
      throws Exception {
    publish(peers, publishers, underWay, frames, List.of(), 0);
  }

  private void answered(LoadClient peer, Verb verb, ByteBuf text) {
    if (verb == Verb.OK && LoadClient.isSettled(text)) {
      answered++;
      free.add(peer);
      goOn();
    } else {
      done.completeExceptionally(LoadClient.unexpected(text));
    }
  }

  private void delivered(Verb verb, ByteBuf text) {
    if (verb == Verb.EVENT) {
      delivered++;
      goOn();
    } else {
      done.completeExceptionally(LoadClient.unexpected(text));
    }
  }

  private void goOn() {
    while (!free.isEmpty() && frames.hasNext() && delivered >= (sent - ahead + 1) * receivers) {
      free.remove().send(frames.next());
      sent++;
    }
    if (answered == all && delivered == all * receivers) {
      done.complete(null);
    }
  }
}
