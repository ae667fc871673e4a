package gambit.chess.session.play;

import gambit.chess.dialect.RefereeEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Publishes which players are here (kind 20308), for those who ask for them by name. Changes are
 * published at the next whole second, in portions of {@value #PORTION} players; one that is undone
 * within its second is not. Nothing is signed unless somebody subscribes.
 *
 * <p>Memory: about 700 bytes for each player who is connected or plays, so it is bounded by the
 * bindings. Owned by the chess lane.
 */
public final class PlayerPresences {
  /** The best that is true of a player. */
  private enum Status {
    /** In a running live game, connected or not. */
    PLAYING("playing"),
    /** A connection is bound to the player. */
    ONLINE("online"),
    OFFLINE("offline");

    private final String word;

    Status(String word) {
      this.word = word;
    }
  }

  /** The maximum of players in one output. */
  static final int PORTION = 100;

  private record PlayersKey() {}

  private final SessionContext context;
  private final KnownGames games;

  /** The players who are here, as published last. */
  private final Map<PubKey, Status> published = new HashMap<>();

  private final Set<PubKey> changed = new LinkedHashSet<>();
  private boolean isScheduled;

  public PlayerPresences(SessionContext context, KnownGames games) {
    this.context = context;
    this.games = games;
  }

  /** A player has come or gone, or a game of the player has begun or ended. */
  public void changed(PubKey player) {
    changed.add(player);
    if (!isScheduled) {
      isScheduled = true;
      context.scheduleAtWholeSecond(new PlayersKey(), 0, this::publishChanges);
    }
  }

  private void publishChanges() {
    isScheduled = false;
    List<PubKey> due = List.copyOf(changed);
    changed.clear();
    publishPortions(due.iterator());
  }

  /** Publishes some of the changes, and the others after the tasks that wait for the lane. */
  private void publishPortions(Iterator<PubKey> due) {
    List<Outgoing> outgoing = new ArrayList<>();
    for (int left = PORTION; left > 0 && due.hasNext(); left--) {
      publish(due.next(), outgoing);
    }
    context.commits().send(outgoing);
    if (due.hasNext()) {
      context.lane().execute(() -> publishPortions(due));
    }
  }

  private void publish(PubKey player, List<Outgoing> outgoing) {
    Status status = statusOf(player);
    boolean isGone = status == Status.OFFLINE;
    Status before = isGone ? published.remove(player) : published.put(player, status);
    if (status != (before == null ? Status.OFFLINE : before)) {
      List<List<String>> tags =
          List.of(
              List.of("d", player.hex()),
              List.of("p", player.hex()),
              List.of("status", status.word));
      long now = context.now();
      outgoing.add(
          new Outgoing.Current(
              player.hex(),
              RefereeEvents.PLAYER_KIND,
              Set.of(player),
              () -> context.relay().current(RefereeEvents.PLAYER_KIND, tags, now),
              isGone));
    }
  }

  private Status statusOf(PubKey player) {
    if (games.of(player).stream().anyMatch(game -> !game.isSlow())) {
      return Status.PLAYING;
    }
    return context.bindings().isPresent(player) ? Status.ONLINE : Status.OFFLINE;
  }
}
