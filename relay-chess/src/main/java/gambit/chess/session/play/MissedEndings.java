package gambit.chess.session.play;

import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.runtime.SimultaneousGames;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The endings of games that are not known to have reached their player, who was away, had not
 * subscribed, or lost the connection together with the relay. Each is kept until it has been sent,
 * at most for a day. Beyond {@value #MAX_ENDINGS} in all, or {@value #MAX_OF_PLAYER} of one player
 * (or as many as the player may have games at once), the oldest is dropped. Each has a row of the
 * store, which is committed with the ending. Owned by the chess lane.
 */
public final class MissedEndings {
  public static final Duration KEPT_FOR = Duration.ofDays(1);

  public static final int MAX_ENDINGS = 10_000;
  public static final int MAX_OF_PLAYER = 16;

  private final Map<PubKey, Set<MissedEnding>> byPlayer = new HashMap<>();
  private final Set<MissedEnding> all = new LinkedHashSet<>(); // the oldest first
  private final SimultaneousGames simultaneousGames;

  public MissedEndings(SimultaneousGames simultaneousGames) {
    this.simultaneousGames = simultaneousGames;
  }

  public void recover(Map<String, byte[]> rows) {
    List<MissedEnding> endings = new ArrayList<>();
    rows.forEach((key, value) -> endings.add(MissedEnding.read(key, value)));
    endings.sort(Comparator.comparingLong(MissedEnding::until));
    endings.forEach(this::put);
  }

  /** Adds an ending whose row is committed; returns those that are dropped in exchange. */
  public List<MissedEnding> add(MissedEnding ending) {
    put(ending);
    List<MissedEnding> dropped = new ArrayList<>();
    List<MissedEnding> own = of(ending.player());
    if (own.size() > maxOf(ending.player())) {
      dropped.add(own.get(0));
    } else if (all.size() > MAX_ENDINGS) {
      dropped.add(all.iterator().next());
    }
    dropped.forEach(this::remove);
    return dropped;
  }

  private int maxOf(PubKey player) {
    return Math.max(MAX_OF_PLAYER, simultaneousGames.maxOf(player));
  }

  private void put(MissedEnding ending) {
    all.add(ending);
    byPlayer.computeIfAbsent(ending.player(), player -> new LinkedHashSet<>(2)).add(ending);
  }

  /** Removes an ending; the caller removes its row. False if it was removed before. */
  public boolean remove(MissedEnding ending) {
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
  public List<MissedEnding> expire(long now) {
    List<MissedEnding> expired = all.stream().takeWhile(ending -> ending.until() <= now).toList();
    expired.forEach(this::remove);
    return expired;
  }

  /** A player's endings, the oldest first. */
  public List<MissedEnding> of(PubKey player) {
    return List.copyOf(byPlayer.getOrDefault(player, Set.of()));
  }
}
