package gambit.core.feature;

import gambit.core.crypto.Draft;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The complete list of what the relay can let out to clients, in the order it is given. */
public sealed interface Outgoing {

  /** Calls the visitor's method for this type. */
  void accept(Visitor visitor);

  /** Has a method for each type, so that a new type does not compile until it is delivered. */
  interface Visitor {
    void answer(Answer answer);

    void lateOk(LateOk late);

    void broadcast(Broadcast broadcast);

    void whisper(Whisper whisper);

    void subscriptionCheck(SubscriptionCheck check);

    void current(Current current);
  }

  /** The OK that answers an event, exactly one for each. */
  record Answer(Submission to, Ok ok) implements Outgoing {
    @Override
    public void accept(Visitor visitor) {
      visitor.answer(this);
    }
  }

  /** A further OK for an event that was answered before. */
  record LateOk(ClientConnection to, Ok ok) implements Outgoing {
    @Override
    public void accept(Visitor visitor) {
      visitor.lateOk(this);
    }
  }

  /**
   * An event for everyone: under each matching subscription, and in a numbered frame to each
   * fallback's connection that no subscription of its own has given it to.
   */
  record Broadcast(Event event, List<Fallback> fallbacks) implements Outgoing {
    @Override
    public void accept(Visitor visitor) {
      visitor.broadcast(this);
    }
  }

  /**
   * An event for some connections only: under each of their matching subscriptions, and in a
   * numbered frame to each fallback's connection that has none.
   *
   * @param whetherSent is called on the live lane once that is done: true if at least one frame is
   *     on its way
   */
  record Whisper(
      Event event,
      Set<ClientConnection> to,
      List<Fallback> fallbacks,
      Consumer<Boolean> whetherSent)
      implements Outgoing {

    public Whisper(Event event, Set<ClientConnection> to, List<Fallback> fallbacks) {
      this(event, to, fallbacks, isSent -> {});
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.whisper(this);
    }
  }

  /**
   * Sends nothing: notifies every {@link SubscriptionListener} again of each subscription that the
   * event matches.
   */
  record SubscriptionCheck(Event event) implements Outgoing {
    @Override
    public void accept(Visitor visitor) {
      visitor.subscriptionCheck(this);
    }
  }

  /**
   * How something is from now on, in an ephemeral event of the relay: who subscribes to it is told
   * now, and who asks for its kind by name is told before EOSE, for as long as there is no newer
   * state of the same kind and key. Nothing of it is stored.
   *
   * @param key what it is of: the event's {@code d} tag in hex
   * @param kind the event's kind
   * @param about the keys in the event's {@code p} tags
   * @param state makes the event; called at most once, on any thread, and only when somebody may
   *     want to know
   * @param ends whether this is the last one: it is told now, and later nothing is
   */
  record Current(EventId key, int kind, Set<PubKey> about, Supplier<Draft> state, boolean ends)
      implements Outgoing {
    public Current {
      about = Set.copyOf(about);
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.current(this);
    }
  }

  /** An EVENT frame with a bare number where the subscription id stands (NIP-100 draft). */
  record Fallback(ClientConnection to, int number) {}
}
