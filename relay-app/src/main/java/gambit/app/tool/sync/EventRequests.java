package gambit.app.tool.sync;

import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelaySession;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Requests the events of one relay by their ids, in batches, of which a few are on their way at
 * once. What is not served is requested again, unless nothing of a batch is served. Owned by the
 * pair's thread.
 */
final class EventRequests {
  private static final int IDS_OF_A_REQUEST = 250;
  private static final int BYTES_OF_AN_ID = "\"\",".length() + 64;
  private static final int BYTES_WITHOUT_IDS =
      "[\"REQ\",\"sync-2147483647\",{\"ids\":[],\"limit\":250}]".length();
  private static final int MAX_REQUESTS = 4;

  /** Those that are open besides: the subscription to new events, and the comparison. */
  private static final int OTHER_SUBSCRIPTIONS = 2;

  /** Requests in a row of which nothing is served, after which the source is given up. */
  private static final int MAX_EMPTY_REQUESTS = 8;

  private static final int MAX_UNREQUESTED = 1000;

  private final RelaySession source;
  private final MoveCounts counts;
  private final Consumer<Event> receiver;
  private final int maxIds;
  private final int maxRequests;
  private final Set<EventId> wanted = new LinkedHashSet<>();
  private int requests;
  private int emptyRequests;
  private int unrequested;
  private long answers;

  EventRequests(RelaySession source, MoveCounts counts, Consumer<Event> receiver) {
    this.source = source;
    this.counts = counts;
    this.receiver = receiver;
    RelayLimits limits = source.limits();
    int fitting = (limits.messageBytes() - BYTES_WITHOUT_IDS) / BYTES_OF_AN_ID;
    maxIds = Math.max(1, Math.min(IDS_OF_A_REQUEST, Math.min(fitting, limits.events())));
    maxRequests = Math.max(1, Math.min(MAX_REQUESTS, limits.subscriptions() - OTHER_SUBSCRIPTIONS));
  }

  /** An event to be requested; false if it was added before. */
  boolean add(EventId id) {
    return wanted.add(id);
  }

  int waiting() {
    return wanted.size();
  }

  boolean isIdle() {
    return wanted.isEmpty() && requests == 0;
  }

  /** Messages that the source has sent for requests. */
  long answers() {
    return answers;
  }

  /** Does not read the source, or reads it again, while requests are on their way. */
  void hold(boolean held) {
    if (requests > 0) {
      source.hold(held);
    }
  }

  /** Sends the next request; false if there is nothing to request, or too much is on its way. */
  boolean sendNext() {
    if (requests >= maxRequests || wanted.isEmpty()) {
      return false;
    }
    Set<EventId> ids = new HashSet<>();
    for (var next = wanted.iterator(); next.hasNext() && ids.size() < maxIds; ) {
      ids.add(next.next());
      next.remove();
    }
    requests++;
    new Request(ids).send();
    return true;
  }

  private final class Request implements RelaySession.Handler {
    private final Set<EventId> missing;
    private final int size;
    private String id = "";

    private Request(Set<EventId> ids) {
      this.missing = ids;
      this.size = ids.size();
    }

    void send() {
      String ids = missing.stream().map(EventId::hex).collect(Collectors.joining("\",\""));
      id = source.subscribe("{\"ids\":[\"" + ids + "\"],\"limit\":" + size + "}", this);
    }

    @Override
    public void received(ReceivedMessage message) throws RelayFailure {
      switch (message.verb()) {
        case "EVENT" -> deliver(message.event());
        case "EOSE" -> {
          answers++;
          source.unsubscribe(id);
          end();
        }
        case "CLOSED" -> {
          answers++;
          source.unregister(id);
          if (!message.text(2).startsWith("rate-limited:")) {
            throw new RelayFailure(source.name() + " refused a query: " + message.text(2));
          }
          end();
        }
        default -> {}
      }
    }

    private void deliver(Optional<Event> event) throws RelayFailure {
      if (event.isEmpty() || !missing.remove(event.get().id())) {
        if (++unrequested > MAX_UNREQUESTED) {
          throw new RelayFailure(source.name() + " sends events that were not requested.");
        }
      } else {
        answers++;
        receiver.accept(event.get());
      }
    }

    /** Requests the rest again, since relays limit the events of a query; not if none has come. */
    private void end() throws RelayFailure {
      requests--;
      if (requests == 0) {
        source.hold(false);
      }
      if (missing.size() < size) {
        emptyRequests = 0;
        wanted.addAll(missing);
        return;
      }
      counts.undelivered(missing.size());
      if (++emptyRequests >= MAX_EMPTY_REQUESTS) {
        throw new RelayFailure(
            source.name() + " does not serve the events that it claims to have.");
      }
    }
  }
}
