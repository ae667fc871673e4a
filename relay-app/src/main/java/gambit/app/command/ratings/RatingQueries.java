package gambit.app.command.ratings;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Queries of one relay about ratings; each answer has a time limit. One thread. */
final class RatingQueries implements AutoCloseable {
  private static final int MAX_UNREQUESTED = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final RelaySession session;
  private final PubKey referee;
  private final int eventsOfAPage;

  RatingQueries(URI url) throws RelayFailure {
    RelayPlace place = RelayPlace.of(url);
    try {
      referee = RelayInfo.fetch(place, TIMEOUT).join().referee();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RelayFailure failure ? failure : new RelayFailure("" + e);
    }
    eventsOfAPage = RelayLimits.fetch(place, TIMEOUT).join().events();
    session = RelaySession.connect(place, TIMEOUT);
  }

  PubKey referee() {
    return referee;
  }

  /** The valid events of the relay that it serves for filters, the newest first. */
  List<Event> ofRelay(String filters) throws RelayFailure {
    EventVerifier verifier = new EventVerifier();
    return query(filters, eventsOfAPage).stream()
        .filter(event -> event.pubkey().equals(referee))
        .filter(event -> verifier.hasValidId(event) && verifier.hasValidSignature(event))
        .toList();
  }

  /** All stored events of a filter, which is JSON without its last brace, the newest first. */
  void pages(String filter, Consumer<List<Event>> pages) throws RelayFailure {
    String until = "";
    Set<EventId> known = new HashSet<>();
    while (true) {
      List<Event> page = query(filter + until + ",\"limit\":" + eventsOfAPage + "}", eventsOfAPage);
      List<Event> fresh = page.stream().filter(event -> !known.contains(event.id())).toList();
      if (fresh.isEmpty() && page.size() >= eventsOfAPage) {
        throw new RelayFailure("The relay has too many events of one second.");
      } else if (fresh.isEmpty()) {
        return;
      }
      pages.accept(fresh);
      long oldest = page.stream().mapToLong(Event::createdAt).min().orElseThrow();
      known.clear();
      page.stream().filter(it -> it.createdAt() == oldest).map(Event::id).forEach(known::add);
      until = ",\"until\":" + oldest;
    }
  }

  /** The number of the relay's stored events of a filter (NIP-45). */
  long count(String filter) throws RelayFailure {
    AtomicLong count = new AtomicLong(-1);
    String id =
        session.register(
            message -> {
              if (message.verb().equals("CLOSED")) {
                throw RelaySession.refusal(message);
              }
              count.set(message.array().path(2).path("count").asLong());
            });
    session.send("[\"COUNT\",\"" + id + "\"," + filter + "]");
    long before = session.messages();
    while (count.get() < 0) {
      step(session.messages() - before);
    }
    session.unregister(id);
    return count.get();
  }

  private List<Event> query(String filters, int most) throws RelayFailure {
    List<Event> events = new ArrayList<>();
    long before = session.messages();
    session.query(
        filters,
        message -> message.event().filter(event -> events.size() < most).ifPresent(events::add),
        () -> step(session.messages() - before - events.size()));
    return events;
  }

  private boolean step(long unrequested) throws RelayFailure {
    if (unrequested > MAX_UNREQUESTED) {
      throw new RelayFailure("The relay sends more than was requested.");
    } else if (!session.step(TIMEOUT)) {
      throw new RelayFailure("The relay has not answered for " + TIMEOUT.toSeconds() + " s.");
    }
    return true;
  }

  @Override
  public void close() {
    session.close();
  }
}
