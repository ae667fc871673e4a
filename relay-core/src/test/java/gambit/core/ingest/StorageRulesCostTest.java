package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the rules look up in the store for an event, counted. */
class StorageRulesCostTest {
  private static final long NOW = 1_000_000;
  private static final Signer ALICE = Keys.of("alice");

  private final EventStore store = new MemoryEventStore(1 << 30);
  private final StorageRules rules = new StorageRules(store, Set.of(9, 40, 62));

  @Test
  void noteIsLookedUpByItsIdAndInTwoTablesOfRemovals() throws IOException {
    Event note = ALICE.sign(NOW, 1, new Tags(List.of(List.of("p", "a"), List.of("t", "b"))), "");
    assertThat(callsFor(note))
        .isEqualTo(Map.of("byId", 1, "row", 2, "hasRoomFor", 1, "append", 1, "commit", 1));
  }

  @Test
  void replaceableEventIsAlsoLookedUpByItsAddress() throws IOException {
    callsFor(ALICE.sign(NOW - 1, 10_000, Tags.NONE, "older"));
    assertThat(callsFor(ALICE.sign(NOW, 10_000, Tags.NONE, "")))
        .isEqualTo(
            Map.of(
                "byId",
                1,
                "row",
                3,
                "byAddress",
                1,
                "hasRoomFor",
                1,
                "remove",
                1,
                "append",
                1,
                "commit",
                1));
  }

  /** The number of calls of each method of a transaction that stores the event. */
  private Map<String, Integer> callsFor(Event event) throws IOException {
    Map<String, Integer> calls = new TreeMap<>();
    try (Transaction transaction = store.begin()) {
      Transaction counted =
          (Transaction)
              Proxy.newProxyInstance(
                  Transaction.class.getClassLoader(),
                  new Class<?>[] {Transaction.class},
                  (proxy, method, arguments) -> {
                    calls.merge(method.getName(), 1, Integer::sum);
                    return call(transaction, method, arguments);
                  });
      WriteOutcome outcome =
          rules.apply(
              counted, Commit.of(List.of(event)), false, Instant.ofEpochSecond(NOW), copy -> {});
      assertThat(outcome).isEqualTo(WriteOutcome.STORED);
      counted.commit();
    }
    return calls;
  }

  private static Object call(Transaction transaction, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(transaction, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
