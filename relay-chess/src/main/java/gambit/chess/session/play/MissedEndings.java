package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * The endings of games that are not known to have reached their player, who was away, had not
 * subscribed, or lost the connection together with the relay. Each is kept until it has been sent,
 * at most for a time ({@link #keptFor}). Beyond {@value #MAX_ENDINGS} in all, the one that is kept
 * least long is dropped; beyond {@value #MAX_OF_PLAYER} of one player (or as many as the player may
 * have games at once), the oldest. Each has a row of the store, which is committed with the ending.
 * When a player returns, {@link ReturningPlayers} has the endings sent. Owned by the chess lane.
 */
public final class MissedEndings {
  private static final Duration KEPT_FOR = Duration.ofDays(1);

  /** As long as a player may think about a move. */
  private static final Duration SLOW_KEPT_FOR = Duration.ofDays(30);

  public static final int MAX_ENDINGS = 10_000;
  public static final int MAX_OF_PLAYER = 16;

  /** The time after which a removal of rows that could not be committed is tried again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /** The maximum of rows that one commit removes. */
  private static final int MAX_REMOVED_ROWS = 500;

  private final SessionContext context;
  private final Kept kept;
  private final UnconfirmedSends<MissedEnding> sends = new UnconfirmedSends<>();

  /** The rows that must be removed and that no pending commit removes. */
  private final List<Row> obsolete = new ArrayList<>();

  private Consumer<PubKey> settled = player -> {};

  private record RemovalKey() {}

  public MissedEndings(SessionContext context) {
    this.context = context;
    this.kept = new Kept(player -> context.settings().maxGamesOf(player));
  }

  /** The time for which an ending of a game waits for its player. */
  public static Duration keptFor(GameRef game) {
    return game.isSlow() ? SLOW_KEPT_FOR : KEPT_FOR;
  }

  /** Sets what receives a player for whom the result of a send is known. */
  void onSettled(Consumer<PubKey> settled) {
    this.settled = settled;
  }

  public void recover(Map<String, byte[]> rows) {
    kept.recover(rows);
    expire();
  }

  boolean isEmpty(PubKey player) {
    return kept.of(player).isEmpty();
  }

  /** Sends what a player has missed, the oldest first. */
  void send(PubKey player, Announcements announcements) {
    kept.of(player).forEach(ending -> send(ending, announcements));
  }

  /** Sends an ending on all connections of its player, on none of which it was queued. */
  private void send(MissedEnding ending, Announcements announcements) {
    if (sends.begin(ending, () -> send(ending))) {
      announcements.notifyPlayer(
          ending.player(),
          context.bindings().of(ending.player()),
          ending.notice(),
          isSent -> context.lane().execute(() -> settle(ending, isSent)));
    }
  }

  private void send(MissedEnding ending) {
    Announcements announcements = context.announce();
    send(ending, announcements);
    context.commits().send(announcements.outgoing());
  }

  /** Keeps the committed ending of a game until it is queued on a connection of its player. */
  void endingCommitted(MissedEnding ending) {
    expire();
    remove(kept.add(ending));
    sends.begin(ending, () -> {});
  }

  /**
   * Whether the frame with the ending of a game was queued on any open connection of its player. If
   * not, it is sent once more, since the player may have subscribed meanwhile. Any thread.
   */
  void endingSent(MissedEnding ending, boolean isSent) {
    context.lane().execute(() -> endingSentNow(ending, isSent));
  }

  private void endingSentNow(MissedEnding ending, boolean isSent) {
    PubKey player = ending.player();
    Set<PubKey> waitsFor = Set.of(player); // with the commit of the ending, until it is settled
    if (context.busyPlayers().awaitIfBusy(waitsFor, () -> endingSentNow(ending, isSent))) {
      return;
    }
    settle(ending, isSent);
    if (!isSent && context.bindings().isPresent(player)) {
      send(ending);
    }
  }

  private void settle(MissedEnding ending, boolean isSent) {
    if (isSent && kept.remove(ending)) {
      remove(List.of(ending));
    }
    settled.accept(ending.player());
    sends.end(ending, isSent);
  }

  void expire() {
    remove(kept.expire(context.now()));
  }

  private void remove(List<MissedEnding> gone) {
    gone.forEach(ending -> obsolete.add(ending.removal()));
    commitRemovals();
  }

  /** Removes obsolete rows; after a failure, it tries again later. */
  private void commitRemovals() {
    while (!obsolete.isEmpty()) {
      List<Row> part = obsolete.subList(0, Math.min(MAX_REMOVED_ROWS, obsolete.size()));
      List<Row> rows = List.copyOf(part);
      part.clear();
      Announcements removals = context.announce();
      removals.addRows(rows);
      context
          .commits()
          .store(
              List.of(),
              removals,
              outcome -> List.of(),
              outcome -> {
                if (outcome != WriteOutcome.STORED) {
                  obsolete.addAll(rows);
                  context.schedule(new RemovalKey(), RETRY_DELAY, this::commitRemovals);
                }
              });
    }
  }

  /** The endings in memory, within their bounds. */
  static final class Kept {
    private final Map<PubKey, Set<MissedEnding>> byPlayer = new HashMap<>();
    private final SortedSet<MissedEnding> all = // the one that is kept least long first
        new TreeSet<>(
            Comparator.comparingLong(MissedEnding::until)
                .thenComparing(MissedEnding::player)
                .thenComparing(MissedEnding::game));
    private final ToIntFunction<PubKey> maxGames;

    /** Takes the maximum of a player's games at a time. */
    Kept(ToIntFunction<PubKey> maxGames) {
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
}
