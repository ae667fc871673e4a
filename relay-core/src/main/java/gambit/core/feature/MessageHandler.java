package gambit.core.feature;

import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.Reason;

/**
 * Answers the messages of one client whose verbs a feature has added ({@link
 * RelayBuilder#messages}). Its fields are the feature's state of the connection: it is created for
 * the first of the client's messages and dropped when the connection closes. Called on the
 * connection's event loop; it must be quick and never wait.
 */
public interface MessageHandler {
  /** Handles a message of the registered form that no rate limit refuses. */
  void receive(FeatureMessage message);

  /** Answers a message that is malformed, or refused by a rate limit. */
  void refuse(String verb, String id, Reason reason);

  default void closed() {}
}
