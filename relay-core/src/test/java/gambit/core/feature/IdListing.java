package gambit.core.feature;

import gambit.core.feature.ClientSession.EventReceiver;
import gambit.core.model.Event;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageForm.Argument;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.FeatureAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A small protocol with the messages of NIP-77's form. {@code ["IDS", id, filter]} is answered with
 * {@code ["ID", id, event id, created_at]} for each stored event, up to the filter's limit, and
 * {@code ["IDS-END", id]}, or with {@code ["IDS-ERR", id, reason]}. {@code ["IDS-CLOSE", id]} and
 * another IDS with the same id cancel the query.
 */
final class IdListing implements Feature {
  private final AtomicInteger abandoned = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private volatile CountDownLatch pause = new CountDownLatch(0);

  @Override
  public void install(RelayBuilder relay) {
    relay.messages(
        Map.of(
            MessageForm.of("IDS", Argument.FILTER),
            Verb.REQ,
            MessageForm.of("IDS-CLOSE"),
            Verb.CLOSE),
        Handler::new);
  }

  /** The number of queries that were cancelled, or whose connection closed. */
  int abandoned() {
    return abandoned.get();
  }

  /** The number of connections that have closed after they had sent one of the messages. */
  int closed() {
    return closed.get();
  }

  /** The number of queries that the handlers of open connections keep. */
  int running() {
    return running.get();
  }

  /** Makes queries stop after their next answer until {@link #resume}. */
  void pauseAfterAnswers() {
    pause = new CountDownLatch(1);
  }

  void resume() {
    pause.countDown();
  }

  private final class Handler implements MessageHandler {
    private final ClientSession session;
    private final Map<String, Listing> listings = new HashMap<>();

    Handler(ClientSession session) {
      this.session = session;
    }

    @Override
    public void receive(FeatureMessage message) {
      Listing before = listings.get(message.id());
      if (before != null) {
        forget(before);
        before.query.cancel();
      }
      if (message.verb().equals("IDS")) {
        Long limit = message.filters().get(0).limit();
        Listing listing = new Listing(this, message.id(), limit == null ? Long.MAX_VALUE : limit);
        listings.put(message.id(), listing);
        running.incrementAndGet();
        listing.query = session.query(message.verb(), message.filters(), false, listing);
      }
    }

    private void forget(Listing listing) {
      if (listings.remove(listing.id, listing)) {
        running.decrementAndGet();
      }
    }

    @Override
    public void refuse(String verb, String id, Reason reason) {
      session.send(FeatureAnswer.refused("IDS-ERR", id, reason));
    }

    @Override
    public void closed() {
      closed.incrementAndGet();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Listing implements EventReceiver {
    private final Handler handler;
    private final ClientSession session;
    private final String id;
    private ClientSession.RunningQuery query = () -> {};
    private long wanted;

    Listing(Handler handler, String id, long wanted) {
      this.handler = handler;
      this.session = handler.session;
      this.id = id;
      this.wanted = wanted;
    }

    @Override
    public boolean take(Event event) {
      if (wanted == 0) {
        return false;
      }
      String time = Long.toString(event.createdAt());
      session.send(FeatureAnswer.of("ID", id, event.id().hex(), time));
      await(pause);
      wanted--;
      return wanted > 0;
    }

    @Override
    public void complete() {
      handler.forget(this);
      session.send(FeatureAnswer.of("IDS-END", id));
    }

    @Override
    public void refused(Reason reason) {
      handler.forget(this);
      session.send(FeatureAnswer.refused("IDS-ERR", id, reason));
    }

    @Override
    public void abandoned() {
      handler.forget(this);
      abandoned.incrementAndGet();
    }
  }
}
