package gambit.chess.session.runtime;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Reply;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of the session manager share; one for the relay. The chess lane's only.
 *
 * @param dialects all of them; the first is that of players who have sent nothing yet
 */
public record SessionContext(
    ChessSettings settings,
    List<Dialect> dialects,
    RelayEvents relay,
    Timers timers,
    Bindings bindings,
    SeenEvents seen,
    Commits commits,
    ChessMetrics metrics) {

  /** The time in epoch milliseconds. */
  public long now() {
    return timers.now();
  }

  /** The tasks that wait for a commit. */
  public Inboxes inboxes() {
    return commits.inboxes();
  }

  /** Announcements to the players' connections, none yet. */
  public Announcements announce() {
    return new Announcements(bindings);
  }

  /** Says something at once that needs no commit. */
  public void tell(Outgoing outgoing) {
    commits.tell(List.of(outgoing));
  }

  /** Refuses without any effect, and remembers it. */
  public void refuse(PlayerRequest request, Reason reason) {
    refuse(request.submission(), request.dialect(), reason, null);
  }

  /** Refuses what may not have an effect here and now, in any dialect's words. */
  public void refuse(Submission submission, Reason reason) {
    refuse(submission, Reply.refused(reason), List.of());
  }

  /**
   * Refuses without any effect, and remembers it unless a stranger may have sent it.
   *
   * @param game the author's, if it is about that
   */
  public void refuse(
      Submission submission, Dialect dialect, Reason reason, @Nullable GameRef game) {
    refuse(
        submission, dialect.writer().refused(submission.event(), reason, game, now()), List.of());
  }

  /**
   * The same with an answer that is made already: it is told once it will be remembered also after
   * a restart.
   *
   * @param more what else to tell the author then
   */
  public void refuse(Submission submission, Reply reply, List<Notice> more) {
    Event event = submission.event();
    Announcements told = announce();
    told.reply(submission, reply);
    told.answer(submission, more);
    List<Row> rows = remember(submission, reply);
    if (rows.isEmpty()) {
      commits.tell(told.outgoing());
      return;
    }
    commits.store(
        List.of(event.pubkey()),
        new Commit(List.of(), List.of(), rows),
        told.outgoing(),
        outcome -> told.outgoing(), // it has no effect: it may be told as well
        outcome -> {});
  }

  /** Remembers a refusal; returns what to commit before it is told, if anything. */
  private List<Row> remember(Submission submission, Reply reply) {
    Event event = submission.event();
    if (bindings.isBound(event.pubkey(), submission.connection())) {
      return seen.refused(event.id(), event.createdAt(), reply.refusal());
    } else if (reply.refusal() == null) {
      seen.refusedUnbound(event.id());
    }
    return List.of();
  }

  /**
   * Binds the connection to the player, as what is asked is going to be granted; answers the event
   * itself when it cannot.
   */
  public boolean bind(PlayerRequest request) {
    ClientConnection connection = request.submission().connection();
    if (!connection.isOpen() && !request.before().isBound()) {
      tell(request.submission().refused(Reason.error("the connection is closed")));
      return false;
    }
    if (!bindings.bind(request.player(), connection)) {
      tell(request.submission().refused(Reason.restricted("too many players on this connection")));
      return false;
    }
    bindings.spoke(request.player(), connection, request.dialect());
    return true;
  }

  /** What was asked could not be granted after all. */
  public void unbind(PlayerRequest request) {
    ClientConnection connection = request.submission().connection();
    boolean hasLoggedIn = connection.keys().contains(request.player()); // perhaps just now
    if (!request.before().isBound() && !hasLoggedIn) {
      bindings.unbind(request.player(), connection);
    }
    bindings.restore(request.player(), connection, request.before());
  }
}
