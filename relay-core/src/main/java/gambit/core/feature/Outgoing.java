package gambit.core.feature;

import gambit.core.crypto.LazilySignedEvent;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All types of output that the live lane delivers, in the order in which it is given. */
public sealed interface Outgoing {
  /** The OK that answers an event; each event has exactly one answer. */
  record Answer(Submission to, Ok ok) implements Outgoing {}

  /** A further OK for an event that has been answered. */
  record LateOk(ClientConnection to, Ok ok) implements Outgoing {}

  /**
   * An event for all clients: it is sent under each matching subscription, and in a numbered frame
   * to each fallback's connection that has no matching subscription.
   */
  record Broadcast(Event event, List<Fallback> fallbacks) implements Outgoing {}

  /**
   * An event for some connections only: it is sent under each of their matching subscriptions, and
   * in a numbered frame to each fallback's connection that has none. An object's last state ({@link
   * Current}) that was the last state before it is not repeated, and counts as sent.
   *
   * @param whetherSent called on the live lane afterwards, with true if at least one frame was
   *     queued
   */
  record Multicast(
      Event event,
      Set<ClientConnection> to,
      List<Fallback> fallbacks,
      Consumer<Boolean> whetherSent)
      implements Outgoing {
    @SuppressWarnings("UnnecessaryLambda") // its identity counts
    private static final Consumer<Boolean> NOBODY = isSent -> {};

    public Multicast(Event event, Set<ClientConnection> to, List<Fallback> fallbacks) {
      this(event, to, fallbacks, NOBODY);
    }

    /** Whether anybody wants to know if a frame was queued. */
    public boolean isReported() {
      return whetherSent != NOBODY;
    }
  }

  /**
   * Sends nothing, but reports, once and on any thread, when the output before it has been handed
   * to the socket of the first of some connections; never if all of them are closed before.
   */
  record OutputReport(Set<ClientConnection> of, Runnable whenSent) implements Outgoing {}

  /** Sends nothing, but notifies listeners again of each subscription that the event matches. */
  record SubscriptionCheck(Event event) implements Outgoing {}

  /**
   * The current state of an object, in an ephemeral event of the relay. It is sent under matching
   * subscriptions now, and before EOSE under later ones whose filter names the kind, until there is
   * a newer state of the same kind and key. It is not stored.
   *
   * <p>Where the key is the only key that the event is about, the object is a person: its states
   * are sent only under filters that name the kind, and persons in {@code #d} or {@code #p}, so
   * that nobody can list all of them.
   *
   * <p>The event has no other tags with names of one letter than those below, and its author is the
   * relay, so that it need not be built to find out whether a subscription may match it.
   *
   * @param key the object: the event's {@code d} tag
   * @param kind the event's kind
   * @param about the keys in the event's {@code p} tags
   * @param state builds the event; called at most once, on any thread: if a subscription may match
   *     it, or for the other nodes of a cluster
   * @param ends whether this is the object's last state, which is sent now and then forgotten
   */
  record Current(
      String key, int kind, Set<PubKey> about, Supplier<LazilySignedEvent> state, boolean ends)
      implements Outgoing {
    public Current {
      about = Set.copyOf(about);
    }

    public boolean isOfPerson() {
      return about.size() == 1 && about.iterator().next().hex().equals(key);
    }
  }

  /** Forgets the current state with that key and kind, if there is one. Nothing is sent. */
  record StateRemoval(String key, int kind) implements Outgoing {}

  /**
   * What another node of the cluster does in its place among the output of the leader. Nothing is
   * delivered by this one.
   */
  non-sealed interface RemoteEffect extends Outgoing {}

  /** The receiver of an EVENT frame with a number in place of the subscription id (NIP-100). */
  record Fallback(ClientConnection to, int number) {}
}
