package gambit.app.command.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * A subscription to the notes of all authors at one node, for as long as the connection lives; then
 * another one. On each, the numbers of every author must follow each other, from a note on that was
 * sent before the subscription was confirmed. Has a thread.
 */
final class Subscriber {
  private static final long STORED_SECONDS = 2;

  private final Load load;
  private final RelayNode node;
  private volatile Subscription current;
  private volatile long received;

  Subscriber(Load load, RelayNode node) {
    this.load = load;
    this.node = node;
  }

  /** What one connection has received. The receiver's thread only, unless stated. */
  private final class Subscription {
    private final Map<String, Long> last = new HashMap<>(); // numbers by author; guarded by itself
    private final Map<String, Long> sentBefore = new HashMap<>(); // guarded by the other
    private final Set<String> stored = new HashSet<>(); // notes with their authors
    private boolean isConfirmed;

    private void take(JsonNode message) {
      switch (message.get(0).asText()) {
        case "EOSE" -> {
          synchronized (last) {
            load.authors().forEach(it -> sentBefore.put(it.pubkey(), it.sent()));
          }
          isConfirmed = true;
          stored.clear();
        }
        case "EVENT" -> take(message.get(2), isConfirmed);
        default -> load.violations().add("a subscriber got " + message);
      }
    }

    private void take(JsonNode event, boolean isLive) {
      String author = event.get("pubkey").asText();
      String content = event.get("content").asText();
      long number = Long.parseLong(content.substring(0, content.indexOf(' ')));
      received++;
      synchronized (last) {
        if (!isLive) { // stored ones come in no certain order
          if (!stored.add(content + author)) {
            load.violations().add("at " + node.name() + " stored note twice: " + content);
          }
          last.merge(author, number, Math::max);
          return;
        }
        Long before = last.put(author, number);
        boolean isNext =
            before == null
                ? number <= sentBefore.getOrDefault(author, -1L) + 1
                : number == before + 1;
        if (!isNext) {
          load.violations()
              .add("at " + node.name() + " note " + number + " of " + author + " after " + before);
        }
      }
    }

    /** Whether it has the newest notes. Any thread. */
    private boolean isComplete(List<Author> authors) {
      synchronized (last) {
        return authors.stream()
            .allMatch(
                it -> {
                  Long newest = last.getOrDefault(it.pubkey(), sentBefore.get(it.pubkey()));
                  return newest != null && newest >= it.acknowledged();
                });
      }
    }

    private String missing(List<Author> authors) {
      synchronized (last) {
        StringBuilder text = new StringBuilder(node.name());
        authors.forEach(
            it ->
                text.append(' ')
                    .append(last.getOrDefault(it.pubkey(), -1L))
                    .append('/')
                    .append(it.acknowledged()));
        return text.toString();
      }
    }
  }

  /** Subscribes until the load ends. */
  void run() {
    while (load.isRunning()) {
      Subscription subscription = new Subscription();
      try (NodeClient client = new NodeClient(node.url(), subscription::take)) {
        current = subscription;
        long since = System.currentTimeMillis() / 1000 - STORED_SECONDS;
        client.send(
            "[\"REQ\",\"notes\",{\"kinds\":[" + Author.KIND + "],\"since\":" + since + "}]");
        while (load.isRunning() && !client.hasEnded()) {
          load.pause(50);
        }
      } catch (CompletionException e) {
        load.pause(100);
      }
    }
  }

  /** Whether the current connection has received the newest notes of all authors. */
  boolean isComplete() {
    Subscription now = current;
    return now != null && now.isComplete(load.authors());
  }

  /** The newest numbers that it has of each author, and those that were accepted. */
  String progress() {
    Subscription now = current;
    return now == null ? node.name() + " none" : now.missing(load.authors());
  }

  long received() {
    return received;
  }
}
