package gambit.chess.session.rating;

import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rating.Category;
import gambit.chess.rating.Glicko2;
import gambit.chess.rating.Rating;
import gambit.chess.session.journal.StoredRatings.PlayerRatings;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The best players of each category whose deviation is at most {@link Rating#MAX_LEADER_DEVIATION},
 * published as current states of kind 20307. A change costs the logarithm of the number of such
 * players, each of whom occupies some 150 bytes. Owned by the chess lane.
 */
final class Leaderboards {
  static final int MAX_PLAYERS = 100;

  private static final long REST_MILLIS = 10_000;

  /** A player whose deviation was small enough after the last game. */
  private record Leader(PubKey player, Rating rating) implements Comparable<Leader> {
    private static final Comparator<Leader> BEST_FIRST =
        Comparator.<Leader>comparingInt(it -> it.rating.rating())
            .reversed()
            .thenComparing(Leader::player);

    @Override
    public int compareTo(Leader other) {
      return BEST_FIRST.compare(this, other);
    }

    List<String> tag(int deviation) {
      RatedStart.Strength strength = RatedStart.Strength.of(rating.rating(), deviation);
      return List.of(
          "rating",
          player.hex(),
          "" + strength.rating(),
          "" + strength.deviation(),
          "" + rating.games());
    }
  }

  private record PublicationKey(Category category) {}

  private record Changed(PubKey player, Category category) {}

  private final SessionContext context;
  private final Map<Category, NavigableSet<Leader>> leaders = new EnumMap<>(Category.class);
  private final Set<Changed> changed = new HashSet<>(); // before it has begun
  private final Set<Category> scheduled = EnumSet.noneOf(Category.class);
  private boolean hasBegun;

  Leaderboards(SessionContext context) {
    this.context = context;
    for (Category category : Category.values()) {
      leaders.put(category, new TreeSet<>());
    }
  }

  private NavigableSet<Leader> of(Category category) {
    return Objects.requireNonNull(leaders.get(category));
  }

  /**
   * Takes the stored ratings, and publishes all leaderboards. Those that have changed since are
   * newer.
   */
  void begin(Map<PubKey, PlayerRatings> stored) {
    stored.forEach(
        (player, ratings) ->
            ratings
                .ratings()
                .forEach(
                    (category, rating) -> {
                      if (!changed.contains(new Changed(player, category))) {
                        add(player, category, rating);
                      }
                    }));
    changed.clear();
    hasBegun = true;
    for (Category category : Category.values()) {
      publish(category);
    }
  }

  private void add(PubKey player, Category category, Rating rating) {
    if (rating.deviation() <= Rating.MAX_LEADER_DEVIATION) {
      of(category).add(new Leader(player, rating));
    }
  }

  void change(PubKey player, Category category, Rating before, Rating after) {
    if (!hasBegun) {
      changed.add(new Changed(player, category));
    }
    of(category).remove(new Leader(player, before));
    add(player, category, after);
  }

  /** Publishes a category soon; a category is published at most once in ten seconds. */
  void publishLater(Category category) {
    if (hasBegun && scheduled.add(category)) { // else each game would put it off
      context.scheduleAtWholeSecond(
          new PublicationKey(category),
          REST_MILLIS,
          () -> {
            scheduled.remove(category);
            publish(category);
          });
    }
  }

  private void publish(Category category) {
    long now = context.now();
    List<List<String>> tags = tags(category, now / 1000);
    context.send(
        new Outgoing.Current(
            category.word(),
            RefereeEvents.LEADERBOARD_KIND,
            Set.of(),
            () -> context.relay().current(RefereeEvents.LEADERBOARD_KIND, tags, now),
            false));
  }

  /** The best players, without those whose deviation has grown too much since their last game. */
  private List<List<String>> tags(Category category, long now) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("d", category.word()));
    Iterator<Leader> best = of(category).iterator();
    while (best.hasNext() && tags.size() <= MAX_PLAYERS) {
      Leader leader = best.next();
      int deviation = Glicko2.deviationAt(leader.rating(), now);
      if (deviation > Rating.MAX_LEADER_DEVIATION) {
        best.remove();
      } else {
        tags.add(leader.tag(deviation));
      }
    }
    return tags;
  }
}
