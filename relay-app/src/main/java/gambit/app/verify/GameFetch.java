package gambit.app.verify;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.client.ReceivedEvent;
import gambit.app.client.RelayFailed;
import gambit.app.client.RelaySocket;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings what a relay serves of a game, by ordinary requests (NIP-01), within a given time. No game
 * has more moves than {@link #MOST_EVENTS}: the 75-move rule ends it before. One thread.
 */
final class GameFetch implements AutoCloseable {
  private static final int MOST_EVENTS = 18_000;
  private static final int EVENTS_AT_ONCE = 100;
  private static final int MOST_RECORDS = 4;

  /** Of all events together; those of the longest game take a tenth of it. */
  private static final long MOST_BYTES = 64 << 20;

  /** Frames besides the events that were asked for that a relay may send as an answer. */
  private static final int MOST_OTHERS = 100;

  private final RelaySocket socket;
  private final Duration within;
  private final long end;
  private int requests;
  private long bytes;

  /**
   * Connects.
   *
   * @param within how long all of it may take
   */
  GameFetch(URI relay, Duration within) throws RelayFailed {
    this.within = within;
    this.end = System.nanoTime() + within.toNanos();
    this.socket = new RelaySocket(relay, within);
  }

  /** All that can be had of the game; what is missing is left out. */
  Evidence fetch(EventId game) throws RelayFailed {
    Optional<Event> announcement =
        ask("{\"ids\":[\"" + game + "\"]}", 1).stream()
            .filter(event -> event.id().equals(game))
            .findFirst();
    if (announcement.isEmpty()) {
      return new Evidence(game, announcement, List.of(), Map.of());
    }
    List<Event> records =
        ask(
                "{\"kinds\":[%d],\"authors\":[\"%s\"],\"#e\":[\"%s\"]}"
                    .formatted(Protocol.RECORD, announcement.get().pubkey(), game),
                MOST_RECORDS)
            .stream()
            .filter(event -> event.kind() == Protocol.RECORD)
            .toList();
    return new Evidence(game, announcement, records, named(records));
  }

  private Map<String, Event> named(List<Event> records) throws RelayFailed {
    List<String> ids =
        records.stream()
            .flatMap(
                record ->
                    Stream.of(Protocol.PLIES, Protocol.ENDING)
                        .flatMap(name -> Protocol.listed(record, name).stream()))
            .filter(id -> Hex.isLowerCase(id, 64))
            .distinct()
            .toList();
    if (ids.size() > MOST_EVENTS) {
      throw new RelayFailed("The record names " + ids.size() + " events: no game is so long.");
    }
    Map<String, Event> events = new HashMap<>();
    for (int at = 0; at < ids.size(); at += EVENTS_AT_ONCE) {
      fetch(ids.subList(at, Math.min(at + EVENTS_AT_ONCE, ids.size())), events);
    }
    return events;
  }

  /** Asks for what is missing while that brings any of it: relays limit what they send at once. */
  private void fetch(List<String> ids, Map<String, Event> events) throws RelayFailed {
    List<String> missing = ids;
    int before;
    do {
      before = missing.size();
      String quoted = missing.stream().collect(Collectors.joining("\",\"", "\"", "\""));
      for (Event event : ask("{\"ids\":[" + quoted + "]}", missing.size())) {
        events.putIfAbsent(event.id().hex(), event);
      }
      missing = ids.stream().filter(id -> !events.containsKey(id)).toList();
    } while (!missing.isEmpty() && missing.size() < before);
  }

  /** The stored events that the relay sends for a filter. */
  private List<Event> ask(String filter, int most) throws RelayFailed {
    String name = "verify-" + requests++;
    socket.send("[\"REQ\",\"" + name + "\"," + filter + "]");
    List<Event> events = new ArrayList<>();
    int others = 0;
    while (true) {
      JsonNode frame = next();
      boolean answer = frame.path(1).asText().equals(name);
      String verb = answer ? frame.path(0).asText() : "";
      if (verb.equals("EOSE")) {
        socket.send("[\"CLOSE\",\"" + name + "\"]");
        return events;
      } else if (verb.equals("CLOSED")) {
        throw new RelayFailed("The relay does not serve it: " + frame.path(2).asText());
      }
      Optional<Event> event =
          verb.equals("EVENT") ? ReceivedEvent.read(frame.path(2).toString()) : Optional.empty();
      event.ifPresent(events::add);
      bytes += event.map(it -> it.json().length).orElse(0);
      others += event.isPresent() ? 0 : 1;
      if (events.size() > most || bytes > MOST_BYTES || others > MOST_OTHERS) {
        throw new RelayFailed("The relay sends more than it was asked for.");
      }
    }
  }

  private JsonNode next() throws RelayFailed {
    long left = Math.max(0, end - System.nanoTime());
    return socket
        .next(Duration.ofNanos(left))
        .orElseThrow(
            () ->
                new RelayFailed(
                    "The relay has not served the game within " + within.toSeconds() + " s."));
  }

  @Override
  public void close() {
    socket.close();
  }
}
