package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.OngoingGame;
import gambit.chess.session.play.ChessMetrics;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.KnownGames;
import gambit.chess.session.play.Lots;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.chess.session.play.SeenEvents;
import gambit.chess.session.play.StoredRatings;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.EventId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/** The production session manager for a test that runs its lane itself. */
public final class ManualSession {
  /** The tables of the rows that survive a restart. */
  public static final String GAMES = GameRows.TABLE;

  public static final String INVITES = PendingInvite.TABLE;
  public static final String LOTS = Lots.LotRow.TABLE;
  public static final String SEEN = SeenEvents.TABLE;
  public static final String ENDINGS = MissedEnding.TABLE;

  public static final String RATINGS = StoredRatings.TABLE;

  private final GameRows journal;

  public ManualSession(RefereeEvents events) {
    journal = new GameRows(dialects(events));
  }

  private static List<Dialect> dialects(RefereeEvents events) {
    return List.of(new Nip100(events), new Ephemeral(events));
  }

  /** What the relay speaks to. */
  public record Chess(
      EventHandler handler,
      ConnectionListener listener,
      SubscriptionListener subscriptions,
      ReadGuard commentGuard) {}

  /** A game as its rows have it. */
  public record Written(GameRef ref, OngoingGame game, List<String> plies) {}

  /**
   * As {@code ChessFeature} does it, but with a lane of the caller's.
   *
   * @param takesOver whether clients are connected already
   */
  public static Chess open(
      RelayBuilder relay,
      ChessSettings settings,
      Predicate<Runnable> inbox,
      Executor lane,
      Lots.Source lots,
      boolean takesOver) {
    RefereeEvents events = new RefereeEvents(relay.signer(), relay.urls().primary());
    List<Dialect> dialects = dialects(events);
    KnownGames known = new KnownGames(dialects);
    EventIntake intake =
        new EventIntake(
            relay,
            events,
            dialects,
            known,
            new ChessMetrics(relay.metrics(), relay.time()),
            () -> settings,
            (owners, task) -> inbox.test(task),
            lane,
            Runnable::run,
            lots,
            takesOver);
    if (!takesOver) {
      lane.execute(intake::open);
    }
    FinishedGames finished =
        new FinishedGames(relay.storedEvents(), settings.maxClockSkew(), known::of);
    LeadingReferee referee = new LeadingReferee(dialects, known, finished, lane);
    referee.lead(isListening -> intake);
    return new Chess(referee, referee, referee, known.commentGuard());
  }

  /** Reads the games of some rows, by their key in hex. */
  public List<Written> read(Map<String, byte[]> rows) {
    return journal.read(rows).stream()
        .map(
            it ->
                new Written(
                    it.ref(),
                    it.snapshot().game(),
                    it.snapshot().plies().stream().map(EventId::hex).toList()))
        .toList();
  }
}
