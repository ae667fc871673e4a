package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Ends invites that lead to no game: rejected, withdrawn or expired. An end that cannot be
 * committed has not happened; the relay retries those that it has caused. Owned by the chess lane.
 */
final class InviteEndings {
  /** The time after which an end that could not be committed is tried again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private record TimerKey(EventId invite) {}

  private final SessionContext context;
  private final PendingInvites pending;

  InviteEndings(SessionContext context, PendingInvites pending) {
    this.context = context;
    this.pending = pending;
  }

  void add(PendingInvite invite) {
    pending.add(invite);
    begin(invite);
  }

  /** Lists a committed invite in the lobby, if it is open; ends it when it expires. */
  void begin(PendingInvite invite) {
    pending.list(invite);
    scheduleExpiry(invite);
  }

  void remove(PendingInvite invite) {
    context.cancel(new TimerKey(invite.id()));
    pending.remove(invite);
  }

  private void scheduleExpiry(PendingInvite invite) {
    long wait = invite.terms().expiresAt() * 1000 - context.now();
    schedule(invite, Duration.ofMillis(Math.max(0, wait)), this::expire);
  }

  private void schedule(PendingInvite invite, Duration wait, Consumer<PendingInvite> end) {
    context.schedule(new TimerKey(invite.id()), wait, () -> end.accept(invite));
  }

  private void expire(PendingInvite invite) {
    if (!invite.equals(pending.get(invite.id()))) {
      return;
    }
    if (!invite.isExpired(context.now())) { // timers use another clock
      scheduleExpiry(invite);
      return;
    }
    Announcements announcements = context.announce();
    if (invite.terms().opponent() == null) {
      PubKey author = invite.author();
      for (Dialect dialect : context.dialects()) { // the invite's own is not known after a restart
        announcements.notifyPlayer(
            author, dialect.inviteExpired(invite.id(), author, context.now()));
      }
    }
    end(invite, announcements, this::expire);
  }

  /** Ends an invite without a notification. */
  void end(PendingInvite invite) {
    end(invite, context.announce(), this::end);
  }

  private void end(
      PendingInvite invite, Announcements announcements, Consumer<PendingInvite> retry) {
    remove(invite);
    announcements.addRows(rows(invite));
    commit(
        invite,
        List.of(invite.author()),
        announcements,
        outcome -> List.of(),
        outcome -> {
          if (outcome != WriteOutcome.STORED) {
            pending.add(invite);
            schedule(invite, RETRY_DELAY, retry);
          }
        });
  }

  /** Ends an invite that a player has rejected or withdrawn, with the given answers. */
  void reject(PlayerRequest request, PendingInvite invite, Announcements announcements) {
    remove(invite);
    announcements.addRows(context.seen().rows(request.id(), null, false));
    announcements.addRows(rows(invite));
    commit(
        invite,
        Stream.of(invite.author(), request.player()).distinct().toList(),
        announcements,
        outcome -> List.of(request.submission().refused(outcome.reason())),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            context.seen().accepted(request.id(), null);
          } else {
            context.unbind(request);
            add(invite);
          }
        });
  }

  /** Removes the event of an invite from the store, if it is still there, and commits the rest. */
  private void commit(
      PendingInvite invite,
      List<PubKey> about,
      Announcements announcements,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    Consumer<WriteOutcome> rememberAndSettle =
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            context.seen().accepted(invite.id(), null);
          }
          settled.accept(outcome);
        };
    announcements.withdraw(invite.id());
    context
        .commits()
        .store(
            about,
            announcements,
            outcome -> outcome == WriteOutcome.GONE ? List.of() : instead.apply(outcome),
            outcome -> {
              if (outcome == WriteOutcome.GONE) { // the event has expired or was deleted
                announcements.withdrawNothing();
                context.commits().store(about, announcements, instead, rememberAndSettle);
              } else {
                rememberAndSettle.accept(outcome);
              }
            });
  }

  /** The rows to commit with the end of an invite, so that its event has no effect again. */
  List<Row> rows(PendingInvite invite) {
    List<Row> rows = new ArrayList<>(context.seen().rows(invite.id(), null, false));
    rows.add(invite.removal());
    return rows;
  }
}
