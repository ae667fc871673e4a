package gambit.chess.session.lobby;

import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/** Commits the granted requests of players who have no game yet. The chess lane's only. */
final class LobbyCommits {
  private final SessionContext context;

  LobbyCommits(SessionContext context) {
    this.context = context;
  }

  /** The announcements of a granted request, which contain its answer. */
  Announcements granted(PlayerRequest request) {
    Announcements told = context.announce();
    told.reply(request.submission(), request.writer().granted(request.event(), List.of()));
    return told;
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
      Announcements told,
      boolean isSearch,
      Runnable committed,
      Runnable failed) {
    List<Row> rows = new ArrayList<>(more);
    if (told.stored().isEmpty()) {
      rows.addAll(context.seen().rows(request.id(), null, isSearch));
    }
    context
        .commits()
        .store(
            List.of(request.player()),
            new Commit(told.stored(), List.of(), rows),
            told.outgoing(),
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
