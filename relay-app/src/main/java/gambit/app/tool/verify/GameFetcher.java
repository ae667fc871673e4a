package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.rating.Lot;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fetches a game's events from a relay with queries (NIP-01), within a given time. No game has more
 * moves than {@link #MAX_NAMED_EVENTS}: the 75-move rule ends it before. One thread.
 */
final class GameFetcher implements AutoCloseable {
  private static final int MAX_NAMED_EVENTS = 18_000;
  private static final int IDS_PER_QUERY = 100;
  private static final int MAX_RECORDS = 4;
  private static final int MAX_ERASURES = 100;

  /** The length of all messages together; the longest game needs a tenth of it. */
  private static final long MAX_CHARS = 64 << 20;

  /** The number of other messages that a relay may send during one query. */
  private static final int MAX_OTHER_MESSAGES = 100;

  private final RelayPlace relay;
  private final RelaySession session;
  private final Duration timeout;
  private final long deadlineNanos;
  private long chars;

  /** The timeout is for all queries together. */
  GameFetcher(URI url, Duration timeout) throws RelayFailure {
    this.relay = RelayPlace.of(url);
    this.timeout = timeout;
    this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    this.session = RelaySession.connect(relay, timeout);
  }

  /** Fetches all events of the game; the result lacks those that the relay does not serve. */
  FetchedGame fetch(EventId game) throws RelayFailure {
    Optional<Event> announcement =
        query("{\"ids\":[\"" + game + "\"]}", 1).stream()
            .filter(event -> event.id().equals(game))
            .findFirst();
    if (announcement.isEmpty()) {
      return new FetchedGame(game, announcement, List.of(), Map.of(), List.of(), Optional.empty());
    }
    boolean isJester = announcement.get().kind() == JesterMessage.KIND;
    List<Event> records =
        isJester ? jesterRecords(game) : records(game, Optional.of(announcement.get().pubkey()));
    List<String> ids = namedBy(records);
    Map<String, Event> events = new HashMap<>();
    fetch(ids, records, events);
    fetch(heads(game, events), records, events);
    return new FetchedGame(
        game,
        announcement,
        records,
        events,
        events.keySet().containsAll(ids) ? List.of() : fetchErasures(records.get(0)),
        isJester ? Optional.empty() : fetchLots(announcement.get()));
  }

  /** The records of a game that a player's event begins: the relay's, or else those of others. */
  private List<Event> jesterRecords(EventId game) throws RelayFailure {
    Optional<PubKey> self = self();
    List<Event> records = self.isEmpty() ? List.of() : records(game, self);
    return records.isEmpty() ? records(game, Optional.empty()) : records;
  }

  private Optional<PubKey> self() {
    try {
      Duration left = Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
      return Optional.of(RelayInfo.fetch(relay, left).join().referee());
    } catch (CompletionException e) {
      return Optional.empty(); // not a relay that referees chess, but it may have the game
    }
  }

  private List<Event> records(EventId game, Optional<PubKey> author) throws RelayFailure {
    String authors = author.map(key -> ",\"authors\":[\"" + key + "\"]").orElse("");
    return query(
            "{\"kinds\":[%d],\"#e\":[\"%s\"],\"limit\":%d%s}"
                .formatted(ChessKinds.RECORD, game, MAX_RECORDS, authors),
            MAX_RECORDS)
        .stream()
        .filter(event -> event.kind() == ChessKinds.RECORD)
        .toList();
  }

  /** The events before those of kind 30, which may be without a move. */
  private static List<String> heads(EventId game, Map<String, Event> events) {
    return events.values().stream()
        .filter(event -> event.kind() == JesterMessage.KIND)
        .flatMap(event -> event.tags().values("e").skip(1).limit(1))
        .filter(id -> Hex.isLowerCase(id, 64) && !events.containsKey(id))
        .filter(id -> !id.equals(game.hex()))
        .distinct()
        .toList();
  }

  private void fetch(List<String> ids, List<Event> records, Map<String, Event> events)
      throws RelayFailure {
    for (List<String> some : batches(ids)) {
      fetch(some, events);
    }
    // Of events that their authors have deleted, the referee keeps copies.
    String copies = "{\"kinds\":[%d],\"authors\":[\"%s\"],\"#e\":[%s]}";
    for (List<String> some : batches(missing(ids, events))) {
      PubKey referee = records.get(0).pubkey();
      for (Event copy :
          query(copies.formatted(Kind.GENERIC_REPOST, referee, quoted(some)), some.size())) {
        ReceivedMessage.parseEvent(copy.content())
            .filter(event -> some.contains(event.id().hex()))
            .ifPresent(event -> events.putIfAbsent(event.id().hex(), event));
      }
    }
  }

  private static List<String> missing(List<String> ids, Map<String, Event> events) {
    return ids.stream().filter(id -> !events.containsKey(id)).toList();
  }

  private Optional<Event> fetchLots(Event announcement) throws RelayFailure {
    Optional<String> chain =
        announcement.tags().first(Lot.TAG).filter(it -> it.matches("[1-9][0-9]{0,8}"));
    return chain.isEmpty()
        ? Optional.empty()
        : query(
                "{\"kinds\":[%d],\"authors\":[\"%s\"],\"#d\":[\"%s\"]}"
                    .formatted(ChessKinds.LOTS, announcement.pubkey(), chain.get()),
                1)
            .stream()
            .findFirst();
  }

  private static List<String> namedBy(List<Event> records) throws RelayFailure {
    List<String> ids =
        records.stream()
            .flatMap(
                record ->
                    Stream.of(ChessProtocol.PLIES, ChessProtocol.ENDING)
                        .flatMap(name -> ChessProtocol.valuesOf(record, name).stream()))
            .filter(id -> Hex.isLowerCase(id, 64))
            .distinct()
            .toList();
    if (ids.size() > MAX_NAMED_EVENTS) {
      throw new RelayFailure("The record names " + ids.size() + " events; no game is that long.");
    }
    return ids;
  }

  private static List<List<String>> batches(List<String> ids) {
    List<List<String>> batches = new ArrayList<>();
    for (int at = 0; at < ids.size(); at += IDS_PER_QUERY) {
      batches.add(ids.subList(at, Math.min(at + IDS_PER_QUERY, ids.size())));
    }
    return batches;
  }

  private List<Event> fetchErasures(Event record) throws RelayFailure {
    List<String> players =
        record.tags().values("p").filter(key -> Hex.isLowerCase(key, 64)).limit(2).toList();
    String filter = "{\"kinds\":[%d],\"authors\":[%s],\"limit\":%d}";
    return players.isEmpty()
        ? List.of()
        : query(filter.formatted(Kind.VANISH, quoted(players), MAX_ERASURES), MAX_ERASURES);
  }

  private static String quoted(List<String> texts) {
    return texts.stream().collect(Collectors.joining("\",\"", "\"", "\""));
  }

  /** Repeats the query while it returns missing events, because relays limit their number. */
  private void fetch(List<String> ids, Map<String, Event> events) throws RelayFailure {
    List<String> missing = ids;
    int previouslyMissing;
    do {
      previouslyMissing = missing.size();
      for (Event event : query("{\"ids\":[" + quoted(missing) + "]}", missing.size())) {
        events.putIfAbsent(event.id().hex(), event);
      }
      missing = missing(ids, events);
    } while (!missing.isEmpty() && missing.size() < previouslyMissing);
  }

  private List<Event> query(String filter, int maxEvents) throws RelayFailure {
    List<Event> events = new ArrayList<>();
    long before = session.messages();
    session.query(
        filter,
        message -> {
          message.event().ifPresent(events::add);
          chars += message.text().length();
          requireBounds(events.size() <= maxEvents && chars <= MAX_CHARS);
        },
        () -> {
          long left = Math.max(0, deadlineNanos - System.nanoTime());
          if (!session.step(Duration.ofNanos(left))) {
            throw new RelayFailure(
                "The relay has not served the game within " + timeout.toSeconds() + " s.");
          }
          requireBounds(session.messages() - before - events.size() <= MAX_OTHER_MESSAGES);
          return true;
        });
    return events;
  }

  private static void requireBounds(boolean isWithin) throws RelayFailure {
    if (!isWithin) {
      throw new RelayFailure("The relay sent more than was requested.");
    }
  }

  @Override
  public void close() {
    session.close();
  }

  /**
   * What a relay has served for a game, none of it checked: the event with the game's id, the
   * records, the events that they name by id, of deleted ones the relay's copies, the players'
   * requests to vanish (NIP-62) if one is missing, and the chain of lots that the announcement
   * names.
   */
  record FetchedGame(
      EventId game,
      Optional<Event> announcement,
      List<Event> records,
      Map<String, Event> events,
      List<Event> erasures,
      Optional<Event> lots) {

    /** The author of the announcement; of a game that a player has begun, that of the record. */
    PubKey referee() {
      return (isJester() ? records.get(0) : announcement.orElseThrow()).pubkey();
    }

    boolean isJester() {
      return announcement.orElseThrow().kind() == JesterMessage.KIND;
    }

    String absence(List<PubKey> players, EventVerifier verifier) {
      boolean isErased =
          erasures.stream()
              .anyMatch(
                  it ->
                      it.kind() == Kind.VANISH
                          && players.contains(it.pubkey())
                          && it.createdAt() >= announcement.orElseThrow().createdAt()
                          && AuthenticityCheck.forgery(it, verifier).isEmpty());
      return isErased
          ? " was erased at its author's request (NIP-62): nothing proves it"
          : " is missing: nothing proves it";
    }
  }
}
