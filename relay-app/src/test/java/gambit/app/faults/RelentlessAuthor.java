package gambit.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * An author who publishes until the relay is killed, and then checks the stored events. An
 * unacknowledged event may be stored or not, but its fate must not change later. One thread at a
 * time.
 */
final class RelentlessAuthor {
  /** The number of unanswered events. */
  private static final int MAX_UNANSWERED_EVENTS = 16;

  private static final int IDS_PER_FILTER = 500;

  private enum Fate {
    THERE,
    GONE,
    UNKNOWN
  }

  private final Signer signer;
  private final Random random;
  private final Map<String, Fate> fates = new HashMap<>();
  private final List<Event> notes = new ArrayList<>(); // without a request to delete them
  private final Map<String, Event> deleted = new HashMap<>(); // by the deletion's id
  private long time = 1_700_000_000;
  private long profile; // created_at of the newest stored one

  RelentlessAuthor(String name, long seed) {
    this.signer = Keys.of(name);
    this.random = new Random(seed);
  }

  /** Publishes until the connection is lost. */
  void publish(URI relay, Runnable acknowledged) {
    Client client = new Client(relay);
    try {
      while (true) {
        List<Event> sent = new ArrayList<>();
        for (int i = 0; i < MAX_UNANSWERED_EVENTS; i++) {
          Event event = next();
          sent.add(event);
          client.publish(event);
        }
        for (Event event : sent) {
          String answer = client.next();
          if (!answer.startsWith("[")) {
            return;
          }
          assertThat(answer).isEqualTo("[\"OK\",\"" + event.id() + "\",true,\"\"]");
          acknowledge(event);
          acknowledged.run();
        }
      }
    } catch (CompletionException e) {
      // The relay is gone.
    } finally {
      client.abort();
    }
  }

  private Event next() {
    time++;
    int choice = random.nextInt(8);
    if (choice == 0) {
      return signer.sign(time, 0, Tags.NONE, "profile");
    }
    if (choice > 2 || notes.isEmpty()) {
      Event note = signer.sign(time, 1, Tags.NONE, "note" + "x".repeat(random.nextInt(2_000)));
      fates.put(note.id().hex(), Fate.UNKNOWN);
      return note;
    }
    Event note = notes.remove(random.nextInt(notes.size()));
    Tags tags = new Tags(List.of(List.of("e", note.id().hex())));
    Event deletion = signer.sign(time, 5, tags, "");
    fates.put(deletion.id().hex(), Fate.UNKNOWN);
    fates.put(note.id().hex(), Fate.UNKNOWN);
    deleted.put(deletion.id().hex(), note);
    return deletion;
  }

  private void acknowledge(Event event) {
    if (event.kind() == 0) {
      profile = event.createdAt();
      return;
    }
    fates.put(event.id().hex(), Fate.THERE);
    if (event.kind() == 1) {
      notes.add(event);
    } else {
      fates.put(deleted.get(event.id().hex()).id().hex(), Fate.GONE);
    }
  }

  /** Checks that acknowledged events are served, and deleted ones are not. */
  void check(URI relay) {
    try (Client client = new Client(relay)) {
      List<String> ids = List.copyOf(fates.keySet());
      for (int i = 0; i < ids.size(); i += IDS_PER_FILTER) {
        checkNotes(client, ids.subList(i, Math.min(i + IDS_PER_FILTER, ids.size())));
      }
      deleted.forEach(
          (deletion, note) ->
              assertThat(fates.get(note.id().hex()))
                  .as("what is deleted by %s", deletion)
                  .isEqualTo(fates.get(deletion) == Fate.THERE ? Fate.GONE : Fate.THERE));
      checkProfile(client);
      checkThatDeletedNotesAreRefused(client);
    }
  }

  private void checkNotes(Client client, List<String> ids) {
    Set<String> found = new HashSet<>();
    query(client, "\"ids\":[\"" + String.join("\",\"", ids) + "\"]")
        .forEach(event -> found.add(event.path("id").asText()));
    for (String id : ids) {
      Fate fate = found.contains(id) ? Fate.THERE : Fate.GONE;
      assertThat(fates.put(id, fate)).as(id).isIn(fate, Fate.UNKNOWN);
    }
  }

  private void checkProfile(Client client) {
    List<JsonNode> found =
        query(client, "\"kinds\":[0],\"authors\":[\"" + signer.pubkey().hex() + "\"]");
    assertThat(found).as("profiles").hasSizeBetween(profile > 0 ? 1 : 0, 1);
    for (JsonNode event : found) {
      assertThat(event.path("created_at").asLong()).isBetween(profile, time);
      profile = event.path("created_at").asLong();
    }
  }

  private void checkThatDeletedNotesAreRefused(Client client) {
    deleted.entrySet().stream()
        .filter(entry -> fates.get(entry.getKey()) == Fate.THERE)
        .limit(MAX_UNANSWERED_EVENTS)
        .forEach(
            entry -> {
              client.publish(entry.getValue());
              assertThat(client.nextJson().path(2).asBoolean(true)).as("deleted").isFalse();
            });
  }

  private static List<JsonNode> query(Client client, String filter) {
    client.send("[\"REQ\",\"q\",{" + filter + "}]");
    List<JsonNode> frames = client.until("EOSE");
    client.send("[\"CLOSE\",\"q\"]");
    return frames.stream().limit(frames.size() - 1).map(frame -> frame.path(2)).toList();
  }
}
