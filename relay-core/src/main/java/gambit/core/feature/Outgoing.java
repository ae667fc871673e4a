package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.Set;

/** The complete list of what the relay can let out to clients, in the order it is given. */
public sealed interface Outgoing {

  /** The OK that answers an event, exactly one for each. */
  record Answer(Submission to, Ok ok) implements Outgoing {}

  /** A further OK for an event that was answered before. */
  record LateOk(ClientConnection to, Ok ok) implements Outgoing {}

  /**
   * An event for everyone: under each matching subscription, and in a numbered frame to each
   * fallback's connection that no subscription of its own has given it to.
   */
  record Broadcast(Event event, List<Fallback> fallbacks) implements Outgoing {}

  /**
   * An event for some connections only: under each of their matching subscriptions, and in a
   * numbered frame to each fallback's connection that has none.
   */
  record Whisper(Event event, Set<ClientConnection> to, List<Fallback> fallbacks)
      implements Outgoing {}

  /** An EVENT frame with a bare number where the subscription id stands (NIP-100 draft). */
  record Fallback(ClientConnection to, int number) {}
}
