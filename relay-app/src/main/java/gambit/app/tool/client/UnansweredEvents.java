package gambit.app.tool.client;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The events of this player that the relay has not answered, in the order of their creation, at
 * most {@link #MAX_EVENTS}. They are kept while they are fresh, so that they can be sent again
 * unchanged: the relay recognizes them, and none takes effect twice. Owned by the thread of its
 * {@link PlayerClient}.
 */
final class UnansweredEvents {
  static final int MAX_EVENTS = 1000;

  /** How often one event is sent again after {@code rate-limited:} or {@code auth-required:}. */
  private static final int MAX_REPEATS = 5;

  /** An event, and the promise of the text of its OK. */
  static final class Unanswered {
    private final Event event;
    private final CompletableFuture<String> answer;
    private final Backoff backoff = RelayLink.retries();
    private int repeats;

    private Unanswered(Event event, CompletableFuture<String> answer) {
      this.event = event;
      this.answer = answer;
    }

    Event event() {
      return event;
    }

    /** Whether the event may be sent again after a refusal that invites to do so. */
    boolean mayBeRepeated() {
      return repeats++ < MAX_REPEATS;
    }

    /** The time until it is sent again. */
    Duration nextDelay() {
      return backoff.next();
    }
  }

  private final Map<EventId, Unanswered> events = new LinkedHashMap<>();

  /** Adds an event; false, and the answer is completed, if there are too many. */
  boolean add(Event event, CompletableFuture<String> answer) {
    if (events.size() >= MAX_EVENTS) {
      answer.completeExceptionally(
          new UnansweredException("The relay has left too many events unanswered."));
      return false;
    }
    events.put(event.id(), new Unanswered(event, answer));
    return true;
  }

  @Nullable Unanswered get(EventId id) {
    return events.get(id);
  }

  /** The events to be sent again after a reconnection. */
  List<Event> all() {
    return events.values().stream().map(Unanswered::event).toList();
  }

  void accepted(EventId id, String text) {
    Unanswered known = events.remove(id);
    if (known != null) {
      known.answer.complete(text);
    }
  }

  void refused(EventId id, String reason) {
    Unanswered known = events.remove(id);
    if (known != null) {
      known.answer.completeExceptionally(new RefusedException(reason));
    }
  }

  /** Removes the events created before a time, in seconds: the relay would refuse them. */
  void expire(long createdBefore) {
    List<Unanswered> expired = new ArrayList<>();
    for (Unanswered each : events.values()) {
      if (each.event.createdAt() < createdBefore) {
        expired.add(each);
      }
    }
    for (Unanswered each : expired) {
      events.remove(each.event.id());
      each.answer.completeExceptionally(
          new UnansweredException("The relay has not answered in time."));
    }
  }
}
