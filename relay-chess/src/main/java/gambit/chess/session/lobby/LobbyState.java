package gambit.chess.session.lobby;

import gambit.chess.dialect.OpenLobby;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the current lobby (kind 20305): who waits, as numbers, the open invites, and the number
 * of games. A change is published at the next whole second, together with all others before it. So
 * there is at most one event a second, and the numbers do not show when exactly a player came.
 * Nothing is signed unless somebody subscribes.
 *
 * <p>An invite is listed while it can be accepted at once: its author is connected and may begin a
 * game.
 *
 * <p>Owned by the chess lane.
 */
public final class LobbyState {
  /** The maximum of time controls in the event; beyond it, those with the fewest players. */
  static final int MAX_TIME_CONTROLS = 100;

  /** The maximum of invites in the event; beyond it, the oldest are left out. */
  static final int MAX_INVITES = 100;

  private static final long SECOND = 1000;

  /** The key of the timer that publishes changes. */
  private record PublicationKey() {}

  private final SessionContext context;
  private final Games games;
  private final SearchQueues queues;
  private final PendingInvites invites;
  private final GameLimits limits;
  private @Nullable OpenLobby published;
  private boolean isScheduled;
  private long authorChanges;
  private long noticedChanges;
  private int noticedGames;

  LobbyState(SessionContext context, Games games, SearchQueues queues, PendingInvites invites) {
    this.context = context;
    this.games = games;
    this.queues = queues;
    this.invites = invites;
    this.limits = new GameLimits(context.settings().simultaneousGames(), games);
  }

  /** Publishes the current lobby, if it differs from the one published last. */
  public void publish() {
    OpenLobby lobby =
        new OpenLobby(queues.longest(MAX_TIME_CONTROLS), acceptableInvites(), games.size());
    if (!lobby.equals(published)) {
      published = lobby;
      long now = context.now();
      context.send(
          new Outgoing.Current(
              OpenLobby.NAME,
              RelayEvents.LOBBY_KIND,
              Set.of(),
              () -> context.relay().lobby(lobby, now),
              false));
    }
  }

  private List<OpenLobby.OpenInvite> acceptableInvites() {
    return invites
        .open()
        .newestFirst()
        .filter(invite -> canPlay(invite.author()))
        .limit(MAX_INVITES)
        .map(invite -> new OpenLobby.OpenInvite(invite.id(), invite.author(), invite.terms()))
        .toList();
  }

  private boolean canPlay(PubKey author) {
    return context.bindings().isPresent(author) && limits.objectionToInviter(author).isEmpty();
  }

  /** A player has a first connection, or has lost the last one. */
  public void presenceChanged(PubKey player) {
    if (invites.hasInvitesBy(player)) {
      authorChanges++;
    }
  }

  /** Schedules a publication if the lobby has changed. Called after each task of the lane. */
  public void publishChangesLater() {
    long changes = queues.changes() + invites.open().changes() + authorChanges; // all of them grow
    int playing = games.size();
    if (changes != noticedChanges || playing != noticedGames) {
      noticedChanges = changes;
      noticedGames = playing;
      schedule();
    }
  }

  private void schedule() {
    if (!isScheduled) {
      isScheduled = true;
      Duration wait = Duration.ofMillis(SECOND - context.now() % SECOND);
      context
          .timers()
          .schedule(
              new PublicationKey(),
              wait,
              () -> {
                isScheduled = false;
                publish();
              });
    }
  }
}
