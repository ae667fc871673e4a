package gambit.app.tool.client;

import gambit.core.model.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

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

  private final RelaySession session;
  private final BiConsumer<Duration, Runnable> later;
  private final Set<UnansweredEvent> events = new LinkedHashSet<>();

  /** The events that were refused with {@code auth-required:}. */
  private final Set<UnansweredEvent> awaitingLogin = new HashSet<>();

  /**
   * No events.
   *
   * @param later runs a task after a time, unless the connection has been lost by then
   */
  UnansweredEvents(RelaySession session, BiConsumer<Duration, Runnable> later) {
    this.session = session;
    this.later = later;
  }

  /**
   * Adds an event; the result, the text of its OK, fails at once if there are too many.
   *
   * @param isSent whether to send it now; otherwise {@link #sendAll} does
   */
  CompletableFuture<String> publish(Event event, boolean isSent) {
    if (events.size() >= MAX_EVENTS) {
      return CompletableFuture.failedFuture(
          new UnansweredException("The relay has left too many events unanswered."));
    }
    UnansweredEvent added = new UnansweredEvent(event);
    events.add(added);
    if (isSent) {
      added.send();
    }
    return added.answer;
  }

  /** There is a new connection, on which nothing is sent yet. */
  void opened() {
    awaitingLogin.clear();
  }

  /** Sends all events over a new connection. */
  void sendAll() {
    events.forEach(UnansweredEvent::send);
  }

  /** Sends what required a login, or refuses it with the login. */
  void loginAnswered(boolean isAccepted, String text) {
    List<UnansweredEvent> awaiting = List.copyOf(awaitingLogin);
    awaitingLogin.clear();
    awaiting.forEach(isAccepted ? UnansweredEvent::sendAgain : event -> event.refused(text));
  }

  /** Removes the events created before a time, in seconds: the relay would refuse them. */
  void expire(long createdBefore) {
    List<UnansweredEvent> expired = new ArrayList<>(events);
    expired.removeIf(each -> each.event.createdAt() >= createdBefore);
    for (UnansweredEvent each : expired) {
      events.remove(each);
      awaitingLogin.remove(each);
      session.forget(each.event.id());
      each.answer.completeExceptionally(
          new UnansweredException("The relay has not answered in time."));
    }
  }

  /** An event, and the promise of the text of its OK. */
  private final class UnansweredEvent implements RelaySession.Answer {
    private final Event event;
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private final Backoff backoff = Backoff.ofRefusals();
    private int repeats;

    private UnansweredEvent(Event event) {
      this.event = event;
    }

    void send() {
      session.publish(event, this);
    }

    void sendAgain() {
      if (events.contains(this)) {
        send();
      }
    }

    @Override
    public void received(boolean isAccepted, String text) {
      boolean needsLogin = !isAccepted && text.startsWith("auth-required:");
      if (isAccepted) {
        events.remove(this);
        answer.complete(text);
      } else if (needsLogin && !session.isLoggedIn()) {
        awaitingLogin.add(this); // the relay sends a challenge with this refusal
      } else if ((needsLogin || text.startsWith("rate-limited:")) && repeats++ < MAX_REPEATS) {
        later.accept(backoff.next(), this::sendAgain);
      } else {
        refused(text);
      }
    }

    void refused(String text) {
      events.remove(this);
      answer.completeExceptionally(new RefusedException(text));
    }
  }
}
