package gambit.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentRemovalsTest {
  private final RecentRemovals removals = new RecentRemovals();

  @Test
  void removalsSinceACountAreThoseAddedLater() {
    removals.add(List.of(30L, 10L));
    long count = removals.count();
    removals.add(List.of(50L, 20L));
    removals.add(List.of(40L));
    assertThat(removals.since(count)).containsExactly(20, 40, 50);
    assertThat(removals.since(removals.count())).isEmpty();
  }

  @Test
  void asManyAsAreKeptAreReturnedAndOneMoreIsTooMany() {
    removals.add(List.of(-1L));
    List<Long> all = LongStream.range(0, RecentRemovals.CAPACITY).boxed().toList();
    all.forEach(offset -> removals.add(List.of(offset)));
    assertThat(removals.since(1)).containsExactly(all.stream().mapToLong(it -> it).toArray());
    assertThat(removals.since(0)).isNull();
  }

  @Test
  void removalsThatAreBeingOverwrittenAreNotReturned() {
    removals.add(List.of(1L, 2L));
    List<Object> seen = new ArrayList<>();
    removals.add(
        new AbstractList<>() {
          @Override
          public Long get(int index) {
            if (index == RecentRemovals.CAPACITY - 1) {
              seen.add(removals.since(1) == null);
              seen.add(removals.since(2));
            }
            return 3L;
          }

          @Override
          public int size() {
            return RecentRemovals.CAPACITY;
          }
        });
    assertThat(seen).containsExactly(true, new long[0]);
  }
}
