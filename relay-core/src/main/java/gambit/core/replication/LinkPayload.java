package gambit.core.replication;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.List;
import java.util.Set;

/**
 * What a follower sends to the leader over its link: the complete list. A connection is named by
 * its number on the follower. Treated as immutable.
 */
sealed interface LinkPayload {

  /** Begins a session, perhaps without any states yet; connections and subscriptions follow. */
  record Hello(boolean needsStates) implements LinkPayload {}

  /** A connection is open, whose client has logged in with those keys. */
  record Open(long connection, ClientAddress address, boolean isOperator, Set<PubKey> keys)
      implements LinkPayload {}

  /** A client has logged in; the keys are all that it has. */
  record Login(long connection, Set<PubKey> keys) implements LinkPayload {}

  record Closed(long connection) implements LinkPayload {}

  /**
   * A verified event.
   *
   * @param ageMillis how long ago the event arrived
   * @param awaited as in {@link gambit.core.feature.Submission}
   */
  record Submit(
      long number, long connection, long ageMillis, boolean awaited, boolean imported, Event event)
      implements LinkPayload {
    public Submit {
      if (ageMillis < 0) {
        throw new IllegalArgumentException("no event arrives later than now");
      }
    }
  }

  /**
   * Asks for a {@link Commit} without an addition, under a number of the follower; {@link
   * Effect.Outcome} is the answer.
   */
  record CommitRequest(
      long number,
      List<Event> events,
      List<EventId> withdrawn,
      List<EventId> erased,
      List<Row> rows)
      implements LinkPayload {
    public CommitRequest(long number, Commit commit) {
      this(number, commit.events(), commit.withdrawn(), commit.erased(), commit.rows());
    }

    public Commit commit() {
      return new Commit(events, withdrawn, erased, rows);
    }
  }

  /** As {@link SubscriptionListener#opened}, then {@code subscribed}. */
  record SubscriptionOpened(long connection, List<Filter> filters) implements LinkPayload {}

  /** As {@link SubscriptionListener#subscribed} for a subscription that was opened before. */
  record SubscriptionChecked(long connection, List<Filter> filters) implements LinkPayload {}

  /** As {@link SubscriptionListener#closed}. */
  record SubscriptionClosed(long connection, List<Filter> filters) implements LinkPayload {}

  /**
   * For {@code RemoteReports}: whether output was sent; or, negatively, that everything has been
   * forwarded that had arrived before a {@link BusMessage.FenceRequest}.
   */
  record Report(long number, boolean isSent) implements LinkPayload {}
}
