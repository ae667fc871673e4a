package gambit.core.negentropy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.model.EventId;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.TestEffort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MediatorTest {

  /** Sets of any size, with many or few times in common, and any of the limits of the answers. */
  @Test
  void theDifferenceIsThatOfTheSets() throws Exception {
    for (int run = TestEffort.of(40, 1_000); run > 0; run--) {
      long seed = new Random().nextLong();
      Random random = new Random(seed);
      Set<Position> common = randomItems(random);
      Set<Position> first = new TreeSet<>(common);
      first.addAll(randomItems(random));
      Set<Position> second = new TreeSet<>(common);
      second.addAll(randomItems(random));
      Comparison comparison = new Comparison(first, second, 1024 + random.nextInt(60_000));
      comparison.run();
      assertThat(comparison.onlyAtFirst).as("seed %d", seed).isEqualTo(idsOf(first, second));
      assertThat(comparison.onlyAtSecond).as("seed %d", seed).isEqualTo(idsOf(second, first));
    }
  }

  @Test
  void tenDifferencesOfManyItemsCostFewBytes() throws Exception {
    Random random = new Random(1);
    Set<Position> common = items(random, 20_000, 1_000_000);
    Set<Position> first = new TreeSet<>(common);
    first.addAll(items(random, 5, 1_000_000));
    Set<Position> second = new TreeSet<>(common);
    second.addAll(items(random, 5, 1_000_000));
    Comparison comparison = new Comparison(first, second, 60_000);
    comparison.run();
    assertThat(comparison.onlyAtFirst).hasSize(5);
    assertThat(comparison.onlyAtSecond).hasSize(5);
    assertThat(comparison.bytes).isLessThan(50_000);
    assertThat(comparison.messages).isLessThan(15);
  }

  @Test
  void itemsOfOneSecondAreToldApartByTheirIds() throws Exception {
    Set<Position> first = items(new Random(2), 5000, 1);
    Set<Position> second = items(new Random(3), 5000, 1);
    Comparison comparison = new Comparison(first, second, 4096);
    comparison.run();
    assertThat(comparison.onlyAtFirst).isEqualTo(idsOf(first, second));
    assertThat(comparison.onlyAtSecond).isEqualTo(idsOf(second, first));
  }

  /** Another relay's answers may be longer than the messages that this side may send. */
  @Test
  void listsThatAreTooLongForAMessageAreComparedNevertheless() throws Exception {
    Set<Position> first = items(new Random(4), 10, 1000);
    Set<Position> second = items(new Random(5), 30_000, 1000);
    Comparison comparison = new Comparison(first, second, 4096);
    comparison.maxAnswerOfSecond = 1 << 20;
    comparison.run();
    assertThat(comparison.onlyAtFirst).isEqualTo(idsOf(first, second));
    assertThat(comparison.onlyAtSecond).isEqualTo(idsOf(second, first));
    assertThat(comparison.messages).isLessThan(10);
  }

  @Test
  void theShortestMessagesFindDifferencesSoonAgain() throws Exception {
    Random random = new Random(7);
    Set<Position> common = items(random, 50_000, 1_000_000);
    Set<Position> first = new TreeSet<>(common);
    first.addAll(items(random, 300, 1_000_000));
    Set<Position> second = new TreeSet<>(common);
    second.addAll(items(random, 300, 1_000_000));
    Comparison comparison = new Comparison(first, second, Mediator.MIN_MESSAGE_BYTES);
    comparison.run();
    assertThat(comparison.onlyAtFirst).isEqualTo(idsOf(first, second));
    assertThat(comparison.onlyAtSecond).isEqualTo(idsOf(second, first));
    assertThat(comparison.mostFruitlessMessages).isLessThan(50);
  }

  @Test
  void aPeerOfAnotherVersionIsNamed() {
    Mediator mediator = new Mediator(4096, new Comparison(Set.of(), Set.of(), 4096));
    mediator.start();
    assertThatThrownBy(() -> mediator.toSecond(new byte[] {0x62}))
        .isInstanceOf(NegentropyException.class)
        .hasMessageContaining("version 1");
  }

  private static Set<Position> randomItems(Random random) {
    int size = random.nextInt(4) == 0 ? 0 : random.nextInt(1 << random.nextInt(13));
    return items(random, size, 1 + random.nextInt(random.nextBoolean() ? 3 : 100_000));
  }

  private static Set<Position> items(Random random, int size, int seconds) {
    Set<Position> items = new TreeSet<>();
    for (int i = 0; i < size; i++) {
      byte[] id = new byte[32];
      random.nextBytes(id);
      items.add(new Position(random.nextInt(seconds), new EventId(id)));
    }
    return items;
  }

  private static Set<EventId> idsOf(Set<Position> items, Set<Position> without) {
    Set<EventId> ids = new HashSet<>();
    items.forEach(item -> ids.add(item.id()));
    without.forEach(item -> ids.remove(item.id()));
    return ids;
  }

  /** A comparison of two sets in memory. */
  private static final class Comparison implements Mediator.Differences {
    final ListItemSet first;
    final ListItemSet second;
    final int maxBytes;
    final int maxAnswer;
    int maxAnswerOfSecond;
    final Set<EventId> onlyAtFirst = new HashSet<>();
    final Set<EventId> onlyAtSecond = new HashSet<>();
    int messages;
    int bytes;

    /** In a row. */
    int mostFruitlessMessages;

    private int fruitlessMessages;

    Comparison(Set<Position> first, Set<Position> second, int maxBytes) {
      List<Position> shuffled = new ArrayList<>(first);
      Collections.shuffle(shuffled, new Random(6));
      this.first = ListItemSet.of(shuffled);
      this.second = ListItemSet.of(second);
      this.maxBytes = maxBytes;
      this.maxAnswer = Math.max(maxBytes, Responder.MIN_ANSWER_BYTES);
      this.maxAnswerOfSecond = maxAnswer;
    }

    void run() throws NegentropyException {
      Mediator mediator = new Mediator(maxBytes, this);
      Optional<byte[]> toFirst = Optional.of(mediator.start());
      while (toFirst.isPresent()) {
        Optional<byte[]> toSecond =
            mediator.toSecond(SyncClient.answer(first, toFirst.get(), maxAnswer));
        if (toSecond.isEmpty()) {
          return;
        }
        byte[] answer = SyncClient.answer(second, toSecond.get(), maxAnswerOfSecond);
        assertThat(toSecond.get()).hasSizeLessThanOrEqualTo(maxBytes);
        assertThat(answer).hasSizeLessThanOrEqualTo(maxAnswerOfSecond);
        messages++;
        bytes += toSecond.get().length + answer.length;
        mostFruitlessMessages = Math.max(mostFruitlessMessages, ++fruitlessMessages);
        toFirst = mediator.toFirst(answer);
        toFirst.ifPresent(message -> assertThat(message).hasSizeLessThanOrEqualTo(maxBytes));
      }
    }

    @Override
    public void onlyAtFirst(EventId id) {
      onlyAtFirst.add(id);
      fruitlessMessages = 0;
    }

    @Override
    public void onlyAtSecond(EventId id) {
      onlyAtSecond.add(id);
      fruitlessMessages = 0;
    }
  }
}
