package gambit.core.session;

import gambit.core.feature.ClientSession;
import gambit.core.feature.MessageHandler;
import gambit.core.log.LimitedLog;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.session.SessionFeatures.HandledVerb;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.Reason;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Passes the messages of one client whose verbs features have added to the features' handlers for
 * the connection. Confined to the connection's event loop.
 */
final class FeatureMessages {
  private static final LimitedLog LOG = LimitedLog.of(FeatureMessages.class);

  private final Map<String, HandledVerb> verbs;
  private final ClientSession session;
  private final Map<MessageHandler.HandlerFactory, MessageHandler> handlers = new HashMap<>();

  FeatureMessages(Map<String, HandledVerb> verbs, ClientSession session) {
    this.verbs = verbs;
    this.session = session;
  }

  /** The rate limit of the messages with that verb. */
  Verb rate(String verb) {
    return find(verb).rate();
  }

  void receive(FeatureMessage message) {
    handler(message.verb()).receive(message);
  }

  void refuse(String verb, String id, Reason reason) {
    handler(verb).refuse(verb, id, reason);
  }

  /** Closes all handlers, also when closing one of them fails. */
  void close() {
    for (MessageHandler handler : handlers.values()) {
      try {
        handler.closed();
      } catch (RuntimeException e) {
        LOG.error("A feature failed when a connection was closed", e);
      }
    }
    handlers.clear();
  }

  private MessageHandler handler(String verb) {
    return handlers.computeIfAbsent(find(verb).handlers(), it -> it.handlerFor(session));
  }

  private HandledVerb find(String verb) {
    return Objects.requireNonNull(verbs.get(verb), verb);
  }
}
