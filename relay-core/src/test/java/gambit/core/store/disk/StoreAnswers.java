package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answers of a store of {@link NumberedGroups} to queries of every kind. */
public final class StoreAnswers {
  private final EventStore store;
  private final Map<String, Object> answersByQuestion = new HashMap<>();

  /** Asserts that two stores give the same answers. */
  public static void assertSameAnswers(EventStore store, EventStore model, String when) {
    Map<String, Object> answers = new StoreAnswers(store).answersByQuestion;
    new StoreAnswers(model)
        .answersByQuestion.forEach(
            (question, answer) ->
                assertThat(answers.get(question)).as("%s: %s", when, question).isEqualTo(answer));
  }

  private StoreAnswers(EventStore store) {
    this.store = store;
    answersByQuestion.put("size", store.size());
    for (String table : List.of(NumberedGroups.ROWS, NumberedGroups.LAST_NUMBER)) {
      Map<String, ByteBuffer> rows = new HashMap<>();
      store.rows(table).forEach((key, row) -> rows.put(key, ByteBuffer.wrap(row)));
      answersByQuestion.put(table, rows);
    }
    askByIds();
    ask(null, null, Map.of(), null);
    for (PubKey author : NumberedGroups.AUTHORS) {
      ask(author, null, Map.of(), null);
      NumberedGroups.KINDS.forEach(kind -> ask(author, kind, Map.of(), 10L));
    }
    NumberedGroups.KINDS.forEach(kind -> ask(null, kind, Map.of(), null));
    for (int i = 0; i < NumberedGroups.DISTINCT_VALUES; i++) {
      ask(null, null, Map.of('t', Set.of("v" + i)), null);
      ask(null, 1, Map.of('d', Set.of("v" + i)), 20L);
    }
    askForExpired();
  }

  private void askByIds() {
    long count = NumberedGroups.count(store);
    for (long number = count - NumberedGroups.GROUPS_KEPT; number <= count + 1; number++) {
      NumberedGroups.events(number)
          .forEach(event -> answersByQuestion.put("" + event.id(), store.contains(event.id())));
    }
  }

  private void ask(
      @Nullable PubKey author,
      @Nullable Integer kind,
      Map<Character, Set<String>> tags,
      @Nullable Long since) {
    Filter filter =
        new Filter(
            null,
            author == null ? null : Set.of(author),
            kind == null ? null : Set.of(kind),
            tags,
            since,
            since == null ? null : since + 20,
            null);
    List<String> found = new ArrayList<>();
    Query query = store.query(filter, Long.MAX_VALUE);
    Page page;
    do {
      page = query.next(100, Integer.MAX_VALUE);
      page.found().forEach(stored -> found.add(stored.expiresAt() + " " + stored.event()));
    } while (!page.isLast());
    answersByQuestion.put("" + filter, found);
  }

  private void askForExpired() {
    try (Transaction transaction = store.begin()) {
      answersByQuestion.put(
          "expired",
          transaction.expired(25, Integer.MAX_VALUE).stream()
              .map(stored -> "" + stored.event())
              .sorted()
              .toList());
    }
  }
}
