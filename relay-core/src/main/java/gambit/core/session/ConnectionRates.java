package gambit.core.session;

import gambit.core.model.PubKey;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.util.Optional;

/**
 * The rate limits of one connection: counts its messages, and objects to those that exceed a limit.
 * Confined to the connection's event loop.
 */
final class ConnectionRates {
  private final RelayCore relay;
  private final Peer peer;
  private final Logins logins;

  ConnectionRates(RelayCore relay, Peer peer, Logins logins) {
    this.relay = relay;
    this.peer = peer;
    this.logins = logins;
  }

  /** Counts a message for the client's address; returns a reason if it exceeds the rate limit. */
  Optional<Reason> objection(Verb verb) {
    relay.metrics().received(verb);
    return peer.isOperator() ? Optional.empty() : objectionToAddress(verb);
  }

  /** Counts a query for the client's address and for every key with which it has logged in. */
  Optional<Reason> objectionToQuery(Verb verb) {
    if (isTrusted()) {
      relay.metrics().received(verb);
      return Optional.empty();
    }
    Optional<Reason> objection = objection(verb);
    for (PubKey key : logins.keys()) {
      if (objection.isEmpty()) {
        objection = relay.bounds().rates().objection(verb, key);
      }
    }
    return objection;
  }

  /** Counts an event for the client's address; the metrics have counted it already. */
  Optional<Reason> objectionToEvent() {
    return isTrusted() ? Optional.empty() : objectionToAddress(Verb.EVENT);
  }

  private Optional<Reason> objectionToAddress(Verb verb) {
    return relay.bounds().rates().objection(verb, peer.address());
  }

  /**
   * Whether the client is the operator or has logged in with a trusted key, and so is exempt from
   * the rate limits on events and queries. A mere claim, such as the author of an event that is not
   * verified yet, does not exempt: whoever can make it could have any number of signatures
   * verified.
   */
  private boolean isTrusted() {
    if (peer.isOperator()) {
      return true;
    }
    for (PubKey key : logins.keys()) {
      if (relay.features().trusted().test(key)) {
        return true;
      }
    }
    return false;
  }
}
