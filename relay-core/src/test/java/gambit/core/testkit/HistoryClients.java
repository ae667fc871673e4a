package gambit.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Clients that publish events of a {@link RandomHistory} at once, and an observer, who is shown all
 * of them in the order in which the relay releases them.
 */
public final class HistoryClients implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final int EVENTS_OF_EACH = 15;

  private final RandomHistory history;
  private final Client observer;
  private final List<CompletableFuture<Integer>> writers = new ArrayList<>();

  /** Connects the observer and begins to write. */
  public HistoryClients(TestRelay relay, RandomHistory history) {
    this.history = history;
    observer = relay.connect();
    observer.login(relay.now(), RandomHistory.AUTHORS.toArray(Signer[]::new));
    observer.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
    for (int i = 0; i < WRITERS; i++) {
      List<Event> events = Stream.generate(history::any).limit(EVENTS_OF_EACH).toList();
      writers.add(CompletableFuture.supplyAsync(() -> write(relay, events)));
    }
  }

  /** Publishes without waiting, then reads the answers; returns the number of events stored. */
  private static int write(TestRelay relay, List<Event> events) {
    try (Client writer = relay.connect()) {
      events.forEach(writer::publish);
      int stored = 0;
      for (Event ignored : events) {
        JsonNode ok = writer.nextJson();
        if (ok.get(2).asBoolean() && ok.get(3).asText().isEmpty()) {
          stored++;
        }
      }
      return stored;
    }
  }

  /** Waits until everything is written; returns the stored events in the order of their release. */
  public List<Event> awaitStored() {
    int stored = writers.stream().mapToInt(CompletableFuture::join).sum();
    Map<EventId, Event> byId = new HashMap<>();
    history.events().forEach(event -> byId.put(event.id(), event));
    List<Event> released = new ArrayList<>();
    for (int i = 0; i < stored; i++) {
      JsonNode frame = observer.nextJson();
      released.add(byId.get(EventId.ofHex(frame.get(2).get("id").asText())));
    }
    return released;
  }

  /** Passes on a client without a login, one with one author's, and so on, with their keys. */
  public static void forEachReader(
      TestRelay relay, Random random, BiConsumer<Client, Set<PubKey>> reading) {
    for (int people = 0; people <= RandomHistory.AUTHORS.size(); people++) {
      List<Signer> keys = new ArrayList<>(RandomHistory.AUTHORS);
      Collections.shuffle(keys, random);
      try (Client reader = relay.connect()) {
        Set<PubKey> own = new HashSet<>();
        reader.login(relay.now(), keys.subList(0, people).toArray(Signer[]::new));
        keys.subList(0, people).forEach(key -> own.add(key.pubkey()));
        reading.accept(reader, own);
      }
    }
  }

  @Override
  public void close() {
    observer.close();
  }
}
