package gambit.core.wire;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message from a client: the complete list (NIP-01, 42, and those that features add). Immutable
 * values; nothing is verified yet.
 */
public sealed interface ClientMessage {
  /** {@code ["EVENT", event]}: well-formed, its id and signature not yet checked. */
  record Publish(Event event) implements ClientMessage {}

  /** {@code ["REQ", subscription, filter…]}. */
  record Subscribe(String subscription, List<Filter> filters) implements ClientMessage {}

  /** {@code ["CLOSE", subscription]}. */
  record Unsubscribe(String subscription) implements ClientMessage {}

  /**
   * {@code [verb, id, argument…]}: a message whose verb a feature has added, with the filters and
   * the strings among its arguments, in their order.
   */
  record FeatureMessage(String verb, String id, List<Filter> filters, List<String> texts)
      implements ClientMessage {}

  /** {@code ["AUTH", event]}: well-formed, nothing else is verified. */
  record Authenticate(Event login) implements ClientMessage {}

  /** A message that is refused with a reason. */
  sealed interface InvalidMessage extends ClientMessage {
    Reason reason();
  }

  /** An invalid EVENT or AUTH; {@code id} is the event id in it, or null if none can be read. */
  record BadEvent(@Nullable String id, Reason reason) implements InvalidMessage {}

  /** An invalid REQ with a readable subscription id. */
  record BadSubscribe(String subscription, Reason reason) implements InvalidMessage {}

  /** An invalid message with a verb that a feature has added and a readable id. */
  record BadFeatureMessage(String verb, String id, Reason reason) implements InvalidMessage {}

  /** Any other invalid message: not a JSON array, an unknown verb, a missing part. */
  record Garbage(Reason reason) implements InvalidMessage {}

  /** A text frame that is not UTF-8 (RFC 6455, section 8.1). */
  record NotText() implements ClientMessage {}
}
