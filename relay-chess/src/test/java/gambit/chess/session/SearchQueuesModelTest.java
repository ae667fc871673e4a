package gambit.chess.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.TimeControl;
import gambit.chess.session.SearchQueues.SearchTerms;
import gambit.chess.session.play.ColourNotifications;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Compares a queue with a list whose pairs are all examined, from the front. */
class SearchQueuesModelTest {
  private static final EventId EVENT = new EventId(new byte[32]);

  private static final TimeControl TIME = TimeControl.TEN_MINUTES_A_MOVE;
  private static final ColourNotifications NONE = new ColourNotifications();

  record Pair(int first, int second) {}

  /** A search; the rating is in hundredths, times are in milliseconds. */
  record Waiting(int player, int rating, long since, int notWith, long until) {
    int difference(Waiting other) {
      return Math.abs(rating - other.rating);
    }

    boolean mayMeet(Waiting other, long now) {
      boolean isAvoided =
          (other.player == notWith && now < until)
              || (player == other.notWith && now < other.until);
      long waited = now - Math.min(since, other.since);
      boolean isClose = 10L * difference(other) <= 10 * 10_000 + 25 * waited;
      return !isAvoided && (isClose || waited >= 20_000);
    }
  }

  private static final int NOBODY = -1;

  @Property(tries = 100)
  void queueAgreesWithAScannedList(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int players, @ForAll boolean isRated) {
    SearchTerms terms = new SearchTerms(TIME, isRated);
    int spread = isRated ? 80_000 : 1;
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
            Waiting search = new Waiting(player, random.nextInt(spread), now, NOBODY, 0);
            queue.add(search(terms, search));
            model.add(search);
          }
        }
        case 2 -> {
          int notWith = random.nextInt(players);
          long until = now + random.nextInt(20_000);
          Waiting search = new Waiting(player, random.nextInt(spread), now, notWith, until);
          queue.addFirst(search(terms, search));
          model.removeIf(w -> w.player == player);
          model.add(0, search);
        }
        case 3 ->
            assertThat(queue.remove(key(player)) != null)
                .isEqualTo(model.removeIf(w -> w.player == player));
        case 4 -> now += random.nextInt(5_000);
        default -> assertThat(pair(queue, terms, now)).isEqualTo(pair(model, now));
      }
      assertThat(queue.size()).isEqualTo(model.size());
      assertThat(queue.contains(key(player)))
          .isEqualTo(model.stream().anyMatch(w -> w.player == player));
      assertRetry(queue.nextRetry(terms, now), model, now);
    }
  }

  /** The first pair can be made at the time of the next try, and none a millisecond before. */
  private static void assertRetry(OptionalLong retry, List<Waiting> model, long now) {
    assertThat(retry.isPresent()).isEqualTo(model.size() >= 2);
    if (retry.isPresent()) {
      assertThat(closest(model, retry.getAsLong())).isPresent();
      assertThat(retry.getAsLong() == now || closest(model, retry.getAsLong() - 1).isEmpty())
          .isTrue();
    }
  }

  @Property(tries = 100)
  void noPlayerWaitsWhileAnAllowedOpponentWaits(@ForAll long seed, @ForAll boolean isRated) {
    SearchTerms terms = new SearchTerms(TIME, isRated);
    int spread = isRated ? 40_000 : 1;
    Random random = new Random(seed);
    SearchQueues queue = new SearchQueues();
    List<Waiting> waiting = new ArrayList<>();
    int players = 2 + random.nextInt(30);
    for (int player = 0; player < players; player++) {
      int notWith = random.nextInt(players);
      Waiting search = new Waiting(player, random.nextInt(spread), 0, notWith, 10);
      queue.addFirst(search(terms, search));
      waiting.add(search);
    }
    for (var pair = pair(queue, terms, 0); pair.isPresent(); pair = pair(queue, terms, 0)) {
      Pair found = pair.get();
      assertThat(found.first()).isNotEqualTo(found.second());
      assertThat(waiting.removeIf(w -> w.player == found.first())).isTrue();
      assertThat(waiting.removeIf(w -> w.player == found.second())).isTrue();
    }
    int most = isRated ? 3 * (spread / 10_000) : 3;
    assertThat(queue.size()).isEqualTo(waiting.size()).isLessThanOrEqualTo(most);
    assertThat(pair(waiting, 0)).isEmpty();
  }

  @Test
  void searchIsNotDelayedByAClockThatIsSetBack() {
    SearchTerms terms = new SearchTerms(TIME, true);
    SearchQueues queue = new SearchQueues();
    queue.add(search(terms, new Waiting(1, 100_000, 86_400_000, NOBODY, 0)));
    queue.add(search(terms, new Waiting(2, 200_000, 86_400_000, NOBODY, 0)));
    assertThat(queue.nextRetry(terms, 86_400_000)).hasValue(86_420_000);
    assertThat(pair(queue, terms, 5)).contains(new Pair(1, 2));
  }

  private static SearchQueues.Search search(SearchTerms terms, Waiting it) {
    return new SearchQueues.Search(
        key(it.player), EVENT, terms, NONE, it.rating, it.since, key(it.notWith), it.until);
  }

  private static PubKey key(int player) {
    return new PubKey(ByteBuffer.allocate(32).putInt(player).array());
  }

  private static Optional<Pair> pair(SearchQueues queue, SearchTerms terms, long now) {
    return queue.pair(terms, now).map(it -> new Pair(number(it.first()), number(it.second())));
  }

  private static int number(SearchQueues.Search search) {
    return ByteBuffer.wrap(search.player().bytes()).getInt();
  }

  private static Optional<Pair> pair(List<Waiting> model, long now) {
    Optional<Pair> pair = closest(model, now);
    pair.ifPresent(it -> model.removeIf(w -> w.player == it.first() || w.player == it.second()));
    return pair;
  }

  private static Optional<Pair> closest(List<Waiting> model, long now) {
    Optional<Pair> closest = Optional.empty();
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < model.size(); i++) {
      for (int j = i + 1; j < model.size(); j++) {
        Waiting first = model.get(i);
        Waiting second = model.get(j);
        if (first.mayMeet(second, now) && first.difference(second) < smallest) {
          smallest = first.difference(second);
          closest = Optional.of(new Pair(first.player, second.player));
        }
      }
    }
    return closest;
  }
}
