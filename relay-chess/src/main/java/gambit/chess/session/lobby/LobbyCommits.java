package gambit.chess.session.lobby;

import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/** Commits the granted requests of players who have no game yet. Owned by the chess lane. */
final class LobbyCommits {
  private final SessionContext context;

  LobbyCommits(SessionContext context) {
    this.context = context;
  }

  /** The announcements of a granted request, which contain its answer. */
  Announcements granted(PlayerRequest request) {
    Announcements announcements = context.announce();
    announcements.reply(
        request.submission(), request.dialect().granted(request.event(), List.of()));
    return announcements;
  }

  /**
   * Commits a granted request, and announces it after the commit.
   *
   * @param more rows to commit with it
   * @param isSearch whether it begins a search
   * @param committed runs when it is committed
   * @param failed runs when it cannot be committed
   */
  void commit(
      PlayerRequest request,
      List<Row> more,
      Announcements announcements,
      boolean isSearch,
      Runnable committed,
      Runnable failed) {
    List<Row> rows = new ArrayList<>(more);
    if (announcements.stored().isEmpty()) {
      rows.addAll(context.seen().rows(request.id(), null, isSearch));
    }
    context
        .commits()
        .store(
            List.of(request.player()),
            new Commit(announcements.stored(), List.of(), rows),
            announcements.outgoing(),
            outcome -> List.of(request.submission().refused(outcome.reason())),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                committed.run();
              } else {
                context.unbind(request);
                failed.run();
              }
            });
  }
}
