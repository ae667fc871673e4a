package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageForm.Argument;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.FeatureAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  @Override
  public void install(RelayBuilder relay) {
    relay.messages(
        List.of(
            new FeatureVerb(MessageForm.of("IDS", Argument.FILTER), Verb.REQ),
            new FeatureVerb(MessageForm.of("IDS-CLOSE"), Verb.CLOSE)),
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

  private final class Handler implements MessageHandler {
    private final ClientSession session;
    private final Map<String, ClientSession.RunningQuery> running = new HashMap<>();

    Handler(ClientSession session) {
      this.session = session;
    }

    @Override
    public void receive(FeatureMessage message) {
      ClientSession.RunningQuery before = running.remove(message.id());
      if (before != null) {
        before.cancel();
      }
      if (message.verb().equals("IDS")) {
        Long limit = message.filters().get(0).limit();
        Listing listing =
            new Listing(session, message.id(), limit == null ? Long.MAX_VALUE : limit);
        running.put(message.id(), session.query(EventQuery.stored(message.filters()), listing));
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

  private final class Listing implements EventReceiver {
    private final ClientSession session;
    private final String id;
    private long wanted;

    Listing(ClientSession session, String id, long wanted) {
      this.session = session;
      this.id = id;
      this.wanted = wanted;
    }

    @Override
    public Demand take(Event event) {
      String time = Long.toString(event.createdAt());
      session.send(FeatureAnswer.of("ID", id, event.id().hex(), time));
      wanted--;
      return wanted > 0 ? Demand.MORE_WHEN_ROOMY : Demand.ENOUGH;
    }

    @Override
    public void complete() {
      session.send(FeatureAnswer.of("IDS-END", id));
    }

    @Override
    public void refused(Reason reason) {
      session.send(FeatureAnswer.refused("IDS-ERR", id, reason));
    }

    @Override
    public void abandoned() {
      abandoned.incrementAndGet();
    }
  }
}
