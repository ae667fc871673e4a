package gambit.chess.session;

import gambit.chess.dialect.OpenLobby;
import gambit.chess.game.TimeControl;
import gambit.chess.session.play.ColourNotifications;
import gambit.chess.session.play.Games;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The players who search for an opponent: a queue for each time control, and another one for rated
 * games, in the order in which players are paired. Bounded by the connections, since a player
 * leaves the queue with the last one. Owned by the chess lane.
 *
 * <p>In a rated queue, two may meet when their ratings differ by at most {@value #DIFFERENCE}
 * hundredths, and more with each millisecond that either has waited, without bound after {@value
 * #MAX_WAIT_MILLIS}. Of the pairs that may meet, the one with the smallest difference is made
 * first.
 *
 * <p>A player added by {@link #addFirst} avoids one opponent for a while. A caller who pairs until
 * nobody is left to pair leaves at most three players in a casual queue: each avoids at most one
 * other, which cannot keep four players apart. So no two players wait who may be paired, and a
 * pairing costs O(1). In a rated queue, the same holds of the players within any 100 points: with
 * all ratings between 400 and 3,000, at most 81 wait. A pairing there compares all pairs, 3,240 for
 * 81 players.
 */
public final class SearchQueues {
  /** The difference of ratings in a new pair, in hundredths. */
  private static final int DIFFERENCE = 10_000;

  /** The time after which the difference does not matter. */
  private static final int MAX_WAIT_MILLIS = 20_000;

  /** What a player searches for; those with equal terms are in one queue. */
  public record SearchTerms(TimeControl time, boolean isRated) {}

  /**
   * A player's search.
   *
   * @param event the first {@code connect} event that has led to it
   * @param colourNotifications of the {@code connect} events that have led to it
   * @param rating the player's at its start, in hundredths; 0 in a search for a casual game
   * @param since its start, in epoch milliseconds
   * @param notWith the opponent to avoid before {@code until}, in epoch milliseconds, or null
   */
  public record Search(
      PubKey player,
      EventId event,
      SearchTerms terms,
      ColourNotifications colourNotifications,
      int rating,
      long since,
      @Nullable PubKey notWith,
      long until) {

    Search withoutAvoidance() {
      return new Search(
          player, event, terms, colourNotifications, rating, since, null, Long.MIN_VALUE);
    }

    Games.Entrant entrant() {
      return new Games.Entrant(player, event, colourNotifications, 0);
    }
  }

  /**
   * Two searches that are paired; the players' colours are not decided yet.
   *
   * @param first the one that was ahead in the queue
   */
  public record Pair(Search first, Search second) {
    private long difference() {
      return Math.abs((long) first.rating - second.rating);
    }

    /** The time from which the two may be paired, before {@code now} if they already may. */
    private long mayMeetAt(long now) {
      long notAvoided =
          Math.max(
              second.player.equals(first.notWith) ? first.until : Long.MIN_VALUE,
              first.player.equals(second.notWith) ? second.until : Long.MIN_VALUE);
      long since = Math.min(first.since, second.since);
      if (difference() <= DIFFERENCE || now < since) { // the clock may be set back
        return notAvoided;
      }
      long wait = (2 * (difference() - DIFFERENCE) + 4) / 5; // 25 points a second
      return Math.max(notAvoided, since + Math.min(wait, MAX_WAIT_MILLIS));
    }

    private static Pair closer(Pair one, Pair other) {
      return other.difference() < one.difference() ? other : one;
    }
  }

  private final Map<SearchTerms, Map<PubKey, Search>> queues = new LinkedHashMap<>();
  private final Map<PubKey, Search> searches = new HashMap<>();
  private long changes;

  public void add(Search search) {
    changes++;
    searches.put(search.player(), search);
    queues
        .computeIfAbsent(search.terms(), terms -> new LinkedHashMap<>())
        .put(search.player(), search);
  }

  /** Adds a player at the front of a queue, or moves the player there. */
  void addFirst(Search search) {
    remove(search.player());
    List<Search> others = List.copyOf(queue(search.terms()).values());
    others.forEach(other -> remove(other.player()));
    add(search);
    others.forEach(this::add);
  }

  private Map<PubKey, Search> queue(SearchTerms terms) {
    return queues.getOrDefault(terms, Map.of());
  }

  @Nullable Search remove(PubKey player) {
    Search search = searches.remove(player);
    if (search != null) {
      changes++;
      Map<PubKey, Search> queue = queue(search.terms());
      queue.remove(player);
      if (queue.isEmpty()) {
        queues.remove(search.terms());
      }
    }
    return search;
  }

  public boolean contains(PubKey player) {
    return searches.containsKey(player);
  }

  public int size() {
    return searches.size();
  }

  long changes() {
    return changes;
  }

  /** The queues with the most players, which come first. */
  List<OpenLobby.Waiting> longest(int max) {
    return queues.entrySet().stream()
        .map(queue -> waiting(queue.getKey(), queue.getValue().size()))
        .sorted(
            Comparator.comparingInt(OpenLobby.Waiting::players)
                .reversed()
                .thenComparing(waiting -> waiting.time().text())
                .thenComparing(OpenLobby.Waiting::isRated))
        .limit(max)
        .toList();
  }

  private static OpenLobby.Waiting waiting(SearchTerms terms, int players) {
    return new OpenLobby.Waiting(terms.time(), terms.isRated(), players);
  }

  @Nullable ColourNotifications colourNotificationsOf(PubKey player) {
    Search search = searches.get(player);
    return search == null ? null : search.colourNotifications();
  }

  /** The players of a queue: between two pairings few. */
  List<PubKey> players(SearchTerms terms) {
    return List.copyOf(queue(terms).keySet());
  }

  /**
   * Removes two players of a queue who may be paired, if there are two: in a rated queue those with
   * the smallest difference of ratings, and of several such pairs, or in a casual queue, the first.
   */
  public Optional<Pair> pair(SearchTerms terms, long now) {
    Stream<Pair> possible = pairs(terms).filter(it -> it.mayMeetAt(now) <= now);
    Optional<Pair> pair = terms.isRated() ? possible.reduce(Pair::closer) : possible.findFirst();
    pair.ifPresent(it -> remove(it.first().player()));
    pair.ifPresent(it -> remove(it.second().player()));
    return pair;
  }

  /**
   * The time from which {@link #pair} succeeds without another player: the end of an avoidance or
   * of a wait, or {@code now}. Empty if there are fewer than two players.
   */
  OptionalLong nextRetry(SearchTerms terms, long now) {
    return pairs(terms).mapToLong(it -> Math.max(it.mayMeetAt(now), now)).min();
  }

  /** The pairs of a queue's players, in the order in which they are considered. */
  private Stream<Pair> pairs(SearchTerms terms) {
    Collection<Search> queue = queue(terms).values();
    return queue.stream()
        .flatMap(
            first ->
                queue.stream()
                    .dropWhile(it -> !it.player().equals(first.player()))
                    .skip(1)
                    .map(second -> new Pair(first, second)));
  }
}
