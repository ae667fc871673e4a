package gambit.chess.session.lobby;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.TimeControl;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares a queue with a list that is searched from the front. */
class SearchQueuesModelTest {

  private static final TimeControl TIME = TimeControl.TEN_MINUTES_A_MOVE;
  private static final ColourNotifications NONE = new ColourNotifications();

  record Pair(int first, int second) {}

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
    SearchQueues queue = new SearchQueues();
    List<Waiting> model = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 200; i++) {
      int player = random.nextInt(players);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          boolean fresh = model.stream().noneMatch(w -> w.player == player);
          if (fresh) {
            queue.add(new SearchQueues.Search(key(player), TIME, NONE));
            model.add(new Waiting(player, NOBODY, 0));
          }
        }
        case 2 -> {
          int notWith = random.nextInt(players);
          long until = now + random.nextInt(20);
          queue.addFirst(search(player, notWith, until));
          model.removeIf(w -> w.player == player);
          model.add(0, new Waiting(player, notWith, until));
        }
        case 3 ->
            assertThat(queue.remove(key(player)) != null)
                .isEqualTo(model.removeIf(w -> w.player == player));
        case 4 -> now += random.nextInt(5);
        default -> assertThat(pair(queue, now)).isEqualTo(pair(model, now));
      }
      assertThat(queue.size()).isEqualTo(model.size());
      assertThat(queue.contains(key(player)))
          .isEqualTo(model.stream().anyMatch(w -> w.player == player));
      assertThat(queue.nextRetry(TIME, now)).isEqualTo(retry(model, now));
    }
  }

  @Property(tries = 1000)
  void noPlayerWaitsWhileAnAllowedOpponentWaits(@ForAll long seed) {
    Random random = new Random(seed);
    SearchQueues queue = new SearchQueues();
    List<Waiting> waiting = new ArrayList<>();
    int players = 2 + random.nextInt(30);
    for (int player = 0; player < players; player++) {
      int notWith = random.nextInt(players);
      queue.addFirst(search(player, notWith, 10));
      waiting.add(new Waiting(player, notWith, 10));
    }
    for (Optional<Pair> pair = pair(queue, 0); pair.isPresent(); pair = pair(queue, 0)) {
      Pair found = pair.get();
      assertThat(found.first()).isNotEqualTo(found.second());
      assertThat(waiting.removeIf(w -> w.player == found.first())).isTrue();
      assertThat(waiting.removeIf(w -> w.player == found.second())).isTrue();
    }
    assertThat(queue.size()).isEqualTo(waiting.size()).isLessThanOrEqualTo(3);
    assertThat(pair(waiting, 0)).isEmpty();
  }

  private static SearchQueues.Search search(int player, int notWith, long until) {
    return new SearchQueues.Search(key(player), TIME, NONE, key(notWith), until);
  }

  private static PubKey key(int player) {
    return new PubKey(ByteBuffer.allocate(32).putInt(player).array());
  }

  private static Optional<Pair> pair(SearchQueues queue, long now) {
    return queue.pair(TIME, now).map(it -> new Pair(number(it.first()), number(it.second())));
  }

  private static int number(SearchQueues.Search search) {
    return ByteBuffer.wrap(search.player().bytes()).getInt();
  }

  private static Optional<Pair> pair(List<Waiting> model, long now) {
    for (int i = 0; i < model.size(); i++) {
      for (int j = i + 1; j < model.size(); j++) {
        if (model.get(i).meets(model.get(j)) <= now) {
          int second = model.remove(j).player;
          int first = model.remove(i).player;
          return Optional.of(new Pair(first, second));
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
