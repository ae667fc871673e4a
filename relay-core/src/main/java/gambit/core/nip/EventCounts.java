package gambit.core.nip;

import gambit.core.feature.ClientSession;
import gambit.core.feature.EventReceiver;
import gambit.core.feature.Feature;
import gambit.core.feature.FeatureVerb;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageForm.Argument;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * NIP-45: exact counts of stored events and current states, with a HyperLogLog for the filters for
 * which its offset is clearly defined: one filter with one tag condition of one value.
 *
 * @param counts whether COUNT is answered; if not, it is refused, but known
 */
record EventCounts(boolean counts) implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    if (counts) {
      relay.supports(45);
    }
    MessageForm form = MessageForm.of("COUNT", Argument.FILTERS);
    relay.messages(
        List.of(new FeatureVerb(form, Verb.COUNT)), session -> new CountHandler(session, counts));
  }

  private record CountHandler(ClientSession session, boolean counts) implements MessageHandler {
    @Override
    public void receive(FeatureMessage message) {
      if (counts) {
        session.query(
            message.verb(),
            message.filters(),
            true,
            new RunningCount(session, message.id(), sketch(message.filters())));
      } else {
        refuse(message.verb(), message.id(), Reason.unsupported("this relay does not count"));
      }
    }

    @Override
    public void refuse(String verb, String id, Reason reason) {
      session.send(new RelayMessage.Closed(id, reason));
    }
  }

  private static @Nullable HyperLogLog sketch(List<Filter> filters) {
    if (filters.size() != 1 || filters.get(0).tags().size() != 1) {
      return null;
    }
    var values = filters.get(0).tags().values().iterator().next();
    return values.size() == 1 ? HyperLogLog.forTagValue(values.iterator().next()) : null;
  }

  private static final class RunningCount implements EventReceiver {
    private final ClientSession session;
    private final String id;
    private final @Nullable HyperLogLog sketch;
    private long events;

    RunningCount(ClientSession session, String id, @Nullable HyperLogLog sketch) {
      this.session = session;
      this.id = id;
      this.sketch = sketch;
    }

    @Override
    public boolean take(Event event) {
      events++;
      if (sketch != null) {
        sketch.add(event.pubkey());
      }
      return true;
    }

    @Override
    public void complete() {
      Optional<String> registers = Optional.ofNullable(sketch).map(HyperLogLog::hex);
      session.send(new RelayMessage.Counted(id, events, registers));
    }

    @Override
    public void refused(Reason reason) {
      session.send(new RelayMessage.Closed(id, reason));
    }

    @Override
    public void abandoned() {}
  }
}
