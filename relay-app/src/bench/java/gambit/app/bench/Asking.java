package gambit.app.bench;

import gambit.app.common.SafeText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Asks for stored events: REQ, events, EOSE, CLOSE. Each answer is compared with the oracle's. On
 * the event loop.
 */
final class Asking implements Loop.Operations {
  private final List<BenchQuery> queries;
  private final Random random;
  private final Map<BenchClient, Asked> underWay = new HashMap<>();
  private long count;

  /** A REQ and what it has found so far. */
  private static final class Asked {
    private final String name;
    private final BenchQuery query;
    private final long begun;
    private final Set<Long> seen = new HashSet<>();
    private int found;
    private String fault = "";

    Asked(String name, BenchQuery query, long begun) {
      this.name = name;
      this.query = query;
      this.begun = begun;
    }

    void found(long key) {
      if (!query.isOrdered()) {
        fault = seen.add(key) ? fault : "an event twice";
      } else if (fault.isEmpty() && found < query.size() && query.expected(found) != key) {
        fault = "another event at place " + (found + 1);
      }
      found++;
    }

    String fault() {
      if (found != query.size()) {
        return found + " events instead of " + query.size();
      }
      for (int i = 0; i < found && !query.isOrdered(); i++) {
        if (!seen.contains(query.expected(i))) {
          return "other events";
        }
      }
      return fault;
    }
  }

  Asking(List<BenchQuery> queries, long seed) {
    this.queries = queries;
    this.random = new Random(seed);
  }

  void listen(List<BenchClient> clients, Loop loop) {
    for (BenchClient client : clients) {
      Publishing.listen(client, message -> received(client, message, loop), loop);
    }
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public void begin(BenchClient client, long begun, Loop loop) {
    BenchQuery query = queries.get(random.nextInt(queries.size()));
    Asked asked = new Asked("q" + count++, query, begun);
    underWay.put(client, asked);
    client.send("[\"REQ\",\"" + asked.name + "\"," + query.filters() + "]");
  }

  /** Takes a message of the client. */
  void received(BenchClient client, Message message, Loop loop) {
    Asked asked = underWay.get(client);
    switch (message.verb()) {
      case EVENT -> {
        if (asked == null || !message.name().equals(asked.name)) {
          loop.totals().wrong("an event after EOSE: " + SafeText.of(message.text()));
        } else {
          asked.found(message.eventKey());
        }
      }
      case EOSE -> {
        if (asked != null && message.name().equals(asked.name)) {
          underWay.remove(client);
          ended(client, asked, loop);
        }
      }
      case CLOSED -> loop.fail("The relay closed a REQ: " + SafeText.of(message.text()));
      case NOTICE -> loop.fail("The relay sent a notice: " + SafeText.of(message.name()));
      default -> {} // a login is not required
    }
  }

  private static void ended(BenchClient client, Asked asked, Loop loop) {
    long now = System.nanoTime();
    client.send("[\"CLOSE\",\"" + asked.name + "\"]");
    Totals totals = loop.totals();
    totals.operation(now - asked.begun);
    totals.answer(asked.found);
    String fault = asked.fault();
    if (!fault.isEmpty()) {
      totals.wrong(fault + ", asked for " + SafeText.of(asked.query.filters()));
    }
    loop.freed(client);
  }
}
