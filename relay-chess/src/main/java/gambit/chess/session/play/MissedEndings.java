package gambit.chess.session.play;

import gambit.chess.session.journal.MissedEnding;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * The endings of games that are not known to have reached their player, who was away, had not
 * subscribed, or lost the connection together with the relay. Beyond {@value #MAX_ENDINGS} in all,
 * the one that is kept least long is dropped; beyond {@value #MAX_OF_PLAYER} of one player (or as
 * many as the player may have games at once), the oldest. Each has a row of the store, which the
 * owner removes. Owned by the chess lane.
 */
public final class MissedEndings {
  public static final int MAX_ENDINGS = 10_000;
  public static final int MAX_OF_PLAYER = 16;

  private final Map<PubKey, Set<MissedEnding>> byPlayer = new HashMap<>();
  private final SortedSet<MissedEnding> all = // the one that is kept least long first
      new TreeSet<>(
          Comparator.comparingLong(MissedEnding::until)
              .thenComparing(MissedEnding::player)
              .thenComparing(MissedEnding::game));
  private final ToIntFunction<PubKey> maxGames;

  MissedEndings(ToIntFunction<PubKey> maxGames) {
    this.maxGames = maxGames;
  }

  void recover(Map<String, byte[]> rows) {
    List<MissedEnding> endings = new ArrayList<>();
    rows.forEach((key, value) -> endings.add(MissedEnding.read(key, value)));
    endings.sort(Comparator.comparingLong(MissedEnding::until));
    endings.forEach(this::put);
  }

  /** Adds an ending whose row is committed; returns those that are dropped in exchange. */
  List<MissedEnding> add(MissedEnding ending) {
    put(ending);
    List<MissedEnding> dropped = new ArrayList<>();
    List<MissedEnding> own = of(ending.player());
    if (own.size() > Math.max(MAX_OF_PLAYER, maxGames.applyAsInt(ending.player()))) {
      dropped.add(own.get(0));
    } else if (all.size() > MAX_ENDINGS) {
      dropped.add(all.first());
    }
    dropped.forEach(this::remove);
    return dropped;
  }

  private void put(MissedEnding ending) {
    all.add(ending);
    byPlayer.computeIfAbsent(ending.player(), player -> new LinkedHashSet<>(2)).add(ending);
  }

  /** Removes an ending; the caller removes its row. False if it was removed before. */
  boolean remove(MissedEnding ending) {
    Set<MissedEnding> own = byPlayer.get(ending.player());
    if (own == null || !own.remove(ending)) {
      return false;
    }
    all.remove(ending);
    if (own.isEmpty()) {
      byPlayer.remove(ending.player());
    }
    return true;
  }

  /** Removes and returns the expired endings. */
  List<MissedEnding> expire(long now) {
    List<MissedEnding> expired = all.stream().takeWhile(ending -> ending.until() <= now).toList();
    expired.forEach(this::remove);
    return expired;
  }

  /** A player's endings, the oldest first. */
  List<MissedEnding> of(PubKey player) {
    return List.copyOf(byPlayer.getOrDefault(player, Set.of()));
  }
}
