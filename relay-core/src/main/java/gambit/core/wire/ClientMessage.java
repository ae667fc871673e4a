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

  /** Calls the visitor's method for this type. */
  void accept(MessageVisitor visitor);

  /** Has a method for each type, so that a new type does not compile until it is handled. */
  interface MessageVisitor {
    void publish(Publish message);

    void subscribe(Subscribe message);

    void unsubscribe(Unsubscribe message);

    void featureMessage(FeatureMessage message);

    void authenticate(Authenticate message);

    void badEvent(BadEvent message);

    void badSubscribe(BadSubscribe message);

    void badFeatureMessage(BadFeatureMessage message);

    void garbage(Garbage message);

    void notText(NotText message);
  }

  /** {@code ["EVENT", event]}: well-formed, its id and signature not yet checked. */
  record Publish(Event event) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.publish(this);
    }
  }

  /** {@code ["REQ", subscription, filter…]}. */
  record Subscribe(String subscription, List<Filter> filters) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.subscribe(this);
    }
  }

  /** {@code ["CLOSE", subscription]}. */
  record Unsubscribe(String subscription) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.unsubscribe(this);
    }
  }

  /**
   * {@code [verb, id, argument…]}: a message whose verb a feature has added.
   *
   * @param filters the filters among the arguments, in their order
   * @param texts the strings among the arguments, in their order
   */
  record FeatureMessage(String verb, String id, List<Filter> filters, List<String> texts)
      implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.featureMessage(this);
    }
  }

  /** {@code ["AUTH", event]}: well-formed, nothing else is verified. */
  record Authenticate(Event login) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.authenticate(this);
    }
  }

  /** An invalid EVENT or AUTH; {@code id} is the event id in it, or null if none can be read. */
  record BadEvent(@Nullable String id, Reason reason) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.badEvent(this);
    }
  }

  /** An invalid REQ with a readable subscription id. */
  record BadSubscribe(String subscription, Reason reason) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.badSubscribe(this);
    }
  }

  /** An invalid message with a verb that a feature has added and a readable id. */
  record BadFeatureMessage(String verb, String id, Reason reason) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.badFeatureMessage(this);
    }
  }

  /** Any other invalid message: not a JSON array, an unknown verb, a missing part. */
  record Garbage(Reason reason) implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.garbage(this);
    }
  }

  /** A text frame that is not UTF-8 (RFC 6455, section 8.1). */
  record NotText() implements ClientMessage {
    @Override
    public void accept(MessageVisitor visitor) {
      visitor.notText(this);
    }
  }
}
