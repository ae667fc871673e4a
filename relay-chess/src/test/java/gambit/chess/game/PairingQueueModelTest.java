package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.PairingQueue.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares the queue with a list that is searched from the front. */
class PairingQueueModelTest {

  record Waiting(int player, int notWith, long until) {
    /** When the two may meet. */
    long meets(Waiting other) {
      long mine = other.player == notWith ? until : Long.MIN_VALUE;
      long theirs = player == other.notWith ? other.until : Long.MIN_VALUE;
      return Math.max(mine, theirs);
    }
  }

  private static final int NOBODY = -1;

  @Property(tries = 1000)
  void queueAgreesWithAScannedList(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int players) {
    Random random = new Random(seed);
    PairingQueue<Integer> queue = new PairingQueue<>();
    List<Waiting> model = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 200; i++) {
      int player = random.nextInt(players);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          boolean fresh = model.stream().noneMatch(w -> w.player == player);
          assertThat(queue.add(player)).isEqualTo(fresh);
          if (fresh) {
            model.add(new Waiting(player, NOBODY, 0));
          }
        }
        case 2 -> {
          int notWith = random.nextInt(players);
          long until = now + random.nextInt(20);
          queue.addFirst(player, notWith, until);
          model.removeIf(w -> w.player == player);
          model.add(0, new Waiting(player, notWith, until));
        }
        case 3 ->
            assertThat(queue.remove(player)).isEqualTo(model.removeIf(w -> w.player == player));
        case 4 -> now += random.nextInt(5);
        default -> assertThat(queue.pair(now)).isEqualTo(pair(model, now));
      }
      assertThat(queue.size()).isEqualTo(model.size());
      assertThat(queue.contains(player))
          .isEqualTo(model.stream().anyMatch(w -> w.player == player));
      assertThat(queue.nextRetry(now)).isEqualTo(retry(model, now));
    }
  }

  @Property(tries = 1000)
  void noPlayerWaitsWhileAnAllowedOpponentWaits(@ForAll long seed) {
    Random random = new Random(seed);
    PairingQueue<Integer> queue = new PairingQueue<>();
    List<Waiting> waiting = new ArrayList<>();
    int players = 2 + random.nextInt(30);
    for (int player = 0; player < players; player++) {
      int notWith = random.nextInt(players);
      queue.addFirst(player, notWith, 10);
      waiting.add(new Waiting(player, notWith, 10));
    }
    for (Optional<Pair<Integer>> pair = queue.pair(0); pair.isPresent(); pair = queue.pair(0)) {
      Pair<Integer> found = pair.get();
      assertThat(found.first()).isNotEqualTo(found.second());
      assertThat(waiting.removeIf(w -> w.player == found.first())).isTrue();
      assertThat(waiting.removeIf(w -> w.player == found.second())).isTrue();
    }
    assertThat(queue.size()).isEqualTo(waiting.size()).isLessThanOrEqualTo(3);
    assertThat(pair(waiting, 0)).isEmpty();
  }

  private static Optional<Pair<Integer>> pair(List<Waiting> model, long now) {
    for (int i = 0; i < model.size(); i++) {
      for (int j = i + 1; j < model.size(); j++) {
        if (model.get(i).meets(model.get(j)) <= now) {
          int second = model.remove(j).player;
          int first = model.remove(i).player;
          return Optional.of(new Pair<>(first, second));
        }
      }
    }
    return Optional.empty();
  }

  private static OptionalLong retry(List<Waiting> model, long now) {
    LongStream.Builder times = LongStream.builder();
    for (int i = 0; i < model.size(); i++) {
      for (int j = i + 1; j < model.size(); j++) {
        times.add(Math.max(now, model.get(i).meets(model.get(j))));
      }
    }
    return times.build().min();
  }
}
