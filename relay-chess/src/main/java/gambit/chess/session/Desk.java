package gambit.chess.session;

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
import gambit.core.lane.Deadlines;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of the session manager work with; one for the relay. The chess lane's only.
 *
 * @param lane continues on the chess lane
 * @param dialects all of them; the first is that of players who have not said anything
 */
record Desk(
    ChessSettings settings,
    List<Dialect> dialects,
    RelayEvents relay,
    InstantSource time,
    Deadlines deadlines,
    Executor lane,
    Bindings bindings,
    Inboxes inboxes,
    SeenEvents seen,
    Commits commits,
    ChessMeters meters) {

  /** Epoch milliseconds. */
  long now() {
    return time.millis();
  }

  Announcements announce() {
    return new Announcements(bindings);
  }

  /** Says something at once that needs no commit. */
  void tell(Outgoing outgoing) {
    commits.tell(List.of(outgoing));
  }

  /** Runs a task on the chess lane after a while; the same key replaces it. */
  void later(Object key, Duration delay, Runnable task) {
    deadlines.set(key, delay, () -> lane.execute(task));
  }

  /** Refuses without any effect, and remembers it. */
  void refuse(Ask ask, Reason reason) {
    refuse(ask.submission(), ask.dialect(), reason, null);
  }

  /** Refuses what may not have an effect here and now, in any dialect's words. */
  void refuse(Submission submission, Reason reason) {
    refuse(submission, Reply.refused(reason), List.of());
  }

  /**
   * Refuses without any effect, and remembers it unless a stranger may have sent it.
   *
   * @param game the author's, if it is about that
   */
  void refuse(Submission submission, Dialect dialect, Reason reason, @Nullable GameRef game) {
    refuse(
        submission, dialect.writer().refused(submission.event(), reason, game, now()), List.of());
  }

  /**
   * The same with an answer that is made already: it is told once it will be remembered also after
   * a restart.
   *
   * @param more what else to tell the author then
   */
  void refuse(Submission submission, Reply reply, List<Notice> more) {
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
  boolean bind(Ask ask) {
    ClientConnection connection = ask.submission().connection();
    if (!connection.isOpen() && !ask.before().isBound()) {
      tell(ask.submission().refused(Reason.error("the connection is closed")));
      return false;
    }
    if (!bindings.bind(ask.player(), connection)) {
      tell(ask.submission().refused(Reason.restricted("too many players on this connection")));
      return false;
    }
    bindings.spoke(ask.player(), connection, ask.dialect());
    return true;
  }

  /** What was asked could not be granted after all. */
  void unbind(Ask ask) {
    ClientConnection connection = ask.submission().connection();
    boolean hasLoggedIn = connection.keys().contains(ask.player()); // perhaps just now
    if (!ask.before().isBound() && !hasLoggedIn) {
      bindings.unbind(ask.player(), connection);
    }
    bindings.restore(ask.player(), connection, ask.before());
  }
}
