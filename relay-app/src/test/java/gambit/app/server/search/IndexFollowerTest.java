package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.Transaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index that fails between two turns, or is opened again. */
class IndexFollowerTest {
  private static final Duration RETRY_PERIOD = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final Lane lane = new Lane("search-index", 100, new TestMetrics(), failures::add);
  private final Alarms alarms = new Alarms();
  private final EventStore store = new MemoryEventStore(1 << 20);

  @AfterEach
  void nothingElseFailed() {
    lane.close();
    store.close();
    assertThat(failures).isEmpty();
  }

  @Test
  void indexThatFailsBetweenTwoTurnsIsOpenedAgainAfterHalfAMinuteAndNotBefore() {
    try (IndexFollower follower = follower()) {
      follower.start();
      awaitIndex(follower);
      TextIndex first = Objects.requireNonNull(follower.index());
      follower.report(first, new IOException("a file cannot be read"));
      awaitLane();
      assertThat(alarms.delays).last().isEqualTo(RETRY_PERIOD);
      alarms.tasks.get(0).run(); // the alarm of the turn, which was replaced too late
      awaitLane();
      assertThat(follower.index()).isNull();
      assertThat(alarms.delays).last().isEqualTo(RETRY_PERIOD);
      alarms.tasks.get(alarms.tasks.size() - 1).run();
      awaitIndex(follower);
      assertThat(follower.index()).isNotSameAs(first);
      lane.close();
    }
  }

  @Test
  void wordsOfEventsThatWereRemovedBeforeARestartAreErasedAtOnce() throws IOException {
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < 20; i++) {
        Event note = Keys.of("alice").sign(i, 1, Tags.NONE, "note " + i);
        transaction.append(note, Transaction.NEVER);
      }
      transaction.commit();
    }
    try (TextIndex index = open()) {
      Changes all = store.changes(0, KindSet.of(1), 100);
      index.apply(all);
      index.commit(all.upTo());
      long first = all.added().get(0).offset();
      index.apply(new Changes(List.of(), List.of(first), all.upTo()));
      index.commit(all.upTo());
    }
    try (TextIndex index = open()) {
      assertThat(index.hasRemoved()).isTrue();
    }
    try (IndexFollower follower = follower()) {
      follower.start();
      awaitIndex(follower);
      TextIndex index = Objects.requireNonNull(follower.index());
      await().atMost(Duration.ofMinutes(2)).until(() -> !index.hasRemoved());
      lane.close();
    }
  }

  private TextIndex open() throws IOException {
    return TextIndex.open(directory, false, new WordAnalyzer(), KindSet.of(1), store);
  }

  private IndexFollower follower() {
    return new IndexFollower(
        store, directory, new WordAnalyzer(), KindSet.of(1), Duration.ofSeconds(5), lane, alarms);
  }

  /** Waits for the end of the turn in which the index is opened, or of a later one. */
  private void awaitIndex(IndexFollower follower) {
    await().atMost(Duration.ofMinutes(2)).until(() -> follower.index() != null);
    awaitLane();
  }

  private void awaitLane() {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    lane.put(() -> reached.complete(null));
    reached.orTimeout(2, TimeUnit.MINUTES).join();
  }

  /** Alarms that the test sets off. Set on the lane, read after {@link #awaitLane}. */
  private static final class Alarms implements Deadlines {
    private final List<Duration> delays = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public void set(Object key, Duration delay, Runnable task) {
      delays.add(delay);
      tasks.add(task);
    }

    @Override
    public void cancel(Object key) {}
  }
}
