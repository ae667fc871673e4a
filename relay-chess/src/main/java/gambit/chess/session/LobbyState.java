package gambit.chess.session;

import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.OpenLobby;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rating.Category;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.SessionContext;
import gambit.core.model.PubKey;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the current lobby (kind 20305): who waits, as numbers, the open invites, and the number
 * of games. A change is published at the next whole second, together with all others before it. So
 * there is at most one event a second, and the numbers do not show when exactly a player came. A
 * large lobby is published less often, so that its changes cannot be used to flood all subscribers:
 * one of 100 invites, about 25 KB, every six seconds. Nothing is signed unless somebody subscribes.
 *
 * <p>An open invite is listed while it can be accepted at once: its author is connected and may
 * begin a game. Of an unlisted one the lobby has the id only, for whoever has a link to it.
 *
 * <p>Owned by the chess lane.
 */
public final class LobbyState {
  /** The maximum of time controls in the event; beyond it, those with the fewest players. */
  static final int MAX_TIME_CONTROLS = 100;

  /**
   * The maximum of invites of either kind, and of starts, in the event; beyond it, the oldest are
   * left out.
   */
  static final int MAX_INVITES = 100;

  private static final long SECOND = 1000;

  /** The number of queues and invites for each of which the lobby rests a further second. */
  private static final int ENTRIES_PER_SECOND = 20;

  private static final long MAX_REST =
      SECOND * (MAX_TIME_CONTROLS + 3 * MAX_INVITES) / ENTRIES_PER_SECOND;

  private record PublicationKey() {}

  private final SessionContext context;
  private final Games games;
  private final SearchQueues queues;
  private final PendingInvites invites;
  private final JesterGames jester;
  private final GameLimits limits;
  private @Nullable OpenLobby published;
  private long restsUntil;
  private long authorChanges;
  private long noticedChanges;
  private int noticedGames;

  public LobbyState(
      SessionContext context,
      Games games,
      SearchQueues queues,
      PendingInvites invites,
      JesterGames jester) {
    this.context = context;
    this.games = games;
    this.queues = queues;
    this.invites = invites;
    this.jester = jester;
    this.limits = new GameLimits(context, games);
  }

  /** Publishes the current lobby, if it differs from the one published last. */
  public void publish() {
    OpenLobby lobby =
        new OpenLobby(
            queues.longest(MAX_TIME_CONTROLS),
            acceptable(false).map(this::open).toList(),
            acceptable(true).map(PendingInvite::id).toList(),
            jester.openStarts(MAX_INVITES),
            playing());
    if (!lobby.equals(published)) {
      published = lobby;
      restsUntil = context.now() + SECOND * (lobby.entries() / ENTRIES_PER_SECOND);
      context.send(
          context.current(RefereeEvents.LOBBY_KIND, OpenLobby.NAME, Set.of(), lobby.tags(), false));
    }
  }

  private OpenLobby.OpenInvite open(PendingInvite invite) {
    InviteTerms terms = invite.terms();
    RatedStart.Strength strength =
        terms.isRated()
            ? context.strength(invite.author(), Category.of(terms.time()).orElseThrow())
            : null;
    return new OpenLobby.OpenInvite(invite.id(), invite.author(), terms, strength);
  }

  private Stream<PendingInvite> acceptable(boolean unlisted) {
    return invites
        .openNewestFirst()
        .filter(it -> it.terms().isUnlisted() == unlisted)
        .filter(it -> context.bindings().isPresent(it.author()))
        .filter(it -> limits.objectionToInviter(it.author(), it.terms().time()).isEmpty())
        .limit(MAX_INVITES);
  }

  /** A player has a first connection, or has lost the last one. */
  public void presenceChanged(PubKey player) {
    if (invites.hasInvitesBy(player)) {
      authorChanges++;
    }
  }

  /** Schedules a publication if the lobby has changed. Called after each task of the lane. */
  public void publishChangesLater() {
    long changes = // all of them grow
        queues.changes() + invites.changesOfList() + authorChanges + jester.changes();
    int playing = playing();
    if (changes != noticedChanges || playing != noticedGames) {
      noticedChanges = changes;
      noticedGames = playing;
      long left = restsUntil - context.now();
      long rest = Math.max(0, Math.min(MAX_REST, left)); // the clock may be set back
      context.publishAtWholeSecond(new PublicationKey(), rest, this::publish);
    }
  }

  private int playing() {
    return games.size() + jester.running();
  }
}
