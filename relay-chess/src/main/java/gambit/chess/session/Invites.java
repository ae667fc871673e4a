package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.Reply;
import gambit.chess.dialect.Request;
import gambit.chess.game.TimeControl;
import gambit.chess.session.play.Announcements;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.PlayerRequest;
import gambit.chess.session.play.Reminders;
import gambit.chess.session.play.SessionContext;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Players' requests about invites: to invite, accept, reject or withdraw; and the ends of invites
 * that lead to no game: rejected, withdrawn or expired. A granted request takes effect once it is
 * committed. An end that cannot be committed has not happened; the relay retries those that it has
 * caused. Owned by the chess lane.
 */
public final class Invites {
  private static final Reason NO_SUCH_INVITE = Reason.invalid("no such invite, or it is over");

  private static final Reason INVITER_REFUSED =
      Reason.blocked("the operator refuses events of this invite's author");

  private static final Reason SECRET_NEEDED =
      Reason.restricted("this invite needs the secret of its link");

  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  private record ExpiryKey(EventId invite) {}

  private final SessionContext context;
  private final Games games;
  private final Searches searches;
  private final Reminders reminders;
  private final Predicate<PubKey> isRefused; // by the relay, perhaps only since the invite
  private final Consumer<PlayerRequest> retry;
  private final GameLimits limits;
  private final PendingInvites pending = new PendingInvites();

  public Invites(
      SessionContext context,
      Games games,
      Searches searches,
      Reminders reminders,
      Predicate<PubKey> isRefused,
      Consumer<PlayerRequest> retry) {
    this.context = context;
    this.games = games;
    this.searches = searches;
    this.reminders = reminders;
    this.isRefused = isRefused;
    this.retry = retry;
    this.limits = new GameLimits(context, games);
  }

  public void recover(Map<String, byte[]> rows) {
    rows.entrySet().stream()
        .map(row -> PendingInvite.read(row.getKey(), row.getValue()))
        .sorted(Comparator.comparingLong(PendingInvite::createdAt))
        .forEach(
            invite -> {
              add(invite);
              remind(invite, invite.createdAt() * 1000);
            });
  }

  private void remind(PendingInvite invite, long since) {
    PubKey invited = invite.terms().opponent();
    if (invited != null && invite.terms().time().isSlow()) {
      reminders.invited(
          invited,
          invite.id(),
          invite.author(),
          since,
          () -> pending.get(invite.id()) != null && !invite.isExpired(context.now()));
    }
  }

  public PendingInvites pending() {
    return pending;
  }

  public void invite(PlayerRequest request, Request.Invite invite) {
    long now = context.now() / 1000;
    Optional<Reason> objection = invite.expiration().objection(now);
    if (objection.isPresent()) {
      context.refuse(request, objection.get());
    } else {
      invite(request, InviteTerms.of(invite, context.settings().defaultTime(), now), null);
    }
  }

  void invite(PlayerRequest request, InviteTerms terms, @Nullable EventId rematchOf) {
    ClientAddress address = request.submission().connection().address();
    Optional<Reason> objection =
        terms
            .ratedObjection()
            .or(() -> limits.objectionToRated(terms, request.player(), terms.opponent()))
            .or(() -> limits.objectionTo(request.player(), terms.time()))
            .or(() -> objectionToInvited(terms, address))
            .or(() -> limits.objectionToSlowGame(terms.time(), address))
            .or(() -> pending.objection(request.player(), address));
    if (objection.isPresent()) {
      refuse(request, objection.get());
    } else if (context.bind(request)) {
      commit(
          request,
          new PendingInvite(
              request.id(),
              request.player(),
              address,
              request.event().createdAt(),
              terms,
              rematchOf,
              request.colourNotifications()));
    }
  }

  private Optional<Reason> objectionToInvited(InviteTerms terms, ClientAddress address) {
    PubKey invited = terms.opponent();
    return invited == null
        ? Optional.empty()
        : limits
            .objectionToInvited(invited, terms.time())
            .or(
                () ->
                    limits.objectionToAddress(
                        invited, address, terms.time(), "who you invite has"));
  }

  /** Refuses a request; a rate-limited event may be sent again, so that is not remembered. */
  private void refuse(PlayerRequest request, Reason reason) {
    if (reason.prefix() == Reason.Prefix.RATE_LIMITED) {
      context.send(request.submission().refused(reason));
    } else {
      context.refuse(request, reason);
    }
  }

  private void commit(PlayerRequest request, PendingInvite invite) {
    if (invite.terms().inviter() == null) {
      games.prepareDraw();
    }
    Announcements announcements = context.granted(request);
    announcements.publish(request.event());
    announcements.addRow(invite.row());
    // Pending from now on: whoever reacts to the committed event at once waits for its author.
    pending.add(invite);
    context.commit(
        request,
        announcements,
        false,
        () -> {
          context.seen().stored(request.id());
          begin(invite);
          remind(invite, context.now());
        },
        () -> pending.remove(invite));
  }

  public void accept(PlayerRequest request, Request.AcceptInvite acceptance) {
    PendingInvite invite = named(request, acceptance.invite());
    if (invite == null || invite.isExpired(request.arrival())) {
      context.refuse(request, NO_SUCH_INVITE);
    } else {
      accept(request, invite, acceptance.secret());
    }
  }

  /** The invite that an event names, by its own id or, if it is a rematch, by the game's. */
  private @Nullable PendingInvite named(PlayerRequest request, EventId id) {
    PendingInvite invite = pending.get(id);
    return invite == null
        ? pending.rematch(id, request.player(), request.arrival()).orElse(null)
        : invite;
  }

  /** Accepts a pending invite with the secret that the acceptance has. */
  void accept(PlayerRequest request, PendingInvite invite, Optional<String> secret) {
    PubKey author = invite.author();
    TimeControl time = invite.terms().time();
    Optional<Reason> objection =
        limits
            .objectionToRated(invite.terms(), author, request.player())
            .or(() -> limits.objectionTo(request.player(), time))
            .or(() -> limits.objectionToAddress(request.player(), invite.from(), time, "you have"))
            .or(() -> limits.objectionToSlowGame(time, invite.from()));
    if (author.equals(request.player())) {
      context.refuse(request, Reason.invalid("this is your own invite"));
    } else if (!invite.isFor(request.player())) {
      context.refuse(request, Reason.invalid("this invite is for somebody else"));
    } else if (!invite.terms().isOpenedBy(secret)) {
      context.refuse(request, SECRET_NEEDED);
    } else if (isRefused.test(author)) {
      context.refuse(request, INVITER_REFUSED);
    } else if (objection.isPresent()) {
      refuse(request, objection.get());
    } else if (context.busyPlayers().contains(author)) {
      context.busyPlayers().await(author, () -> retry.accept(request));
    } else if (limits.objectionToInviter(author, time).isPresent()) {
      context.refuse(request, limits.objectionToInviter(author, time).get());
    } else if (context.bind(request)) {
      start(request, invite);
    }
  }

  private void start(PlayerRequest request, PendingInvite invite) {
    PubKey author = invite.author();
    PubKey player = request.player();
    InviteTerms terms = invite.terms();
    SimultaneousGames levels = context.settings().simultaneousGames();
    games.begin(
        new Games.NewGame(
            new Games.Entrant(
                author,
                invite.id(),
                invite.colourNotifications(),
                levels.levelOf(author, terms.level())),
            new Games.Entrant(
                player,
                request.id(),
                request.colourNotifications(),
                levels.levelOf(player, terms.level())),
            terms.inviter(),
            terms.time(),
            terms.initial(),
            terms.isRated(),
            false),
        new Acceptance(request, invite));
  }

  /** The acceptance of an invite, which ends the searches of both players. */
  private final class Acceptance implements Games.Beginning {
    private final PlayerRequest request;
    private final PendingInvite invite;
    private final List<SearchQueues.Search> ended = new ArrayList<>(0);

    private Acceptance(PlayerRequest request, PendingInvite invite) {
      this.request = request;
      this.invite = invite;
    }

    @Override
    public void announce(GameSession game, Announcements announcements) {
      remove(invite);
      if (!game.ref().isSlow()) { // else both may search on
        for (PubKey player : List.of(invite.author(), request.player())) {
          Optional.ofNullable(searches.queues().remove(player)).ifPresent(ended::add);
        }
      }
      limits.begins(game, invite.from());
      Reply reply = request.dialect().granted(request.event(), List.of());
      announcements.reply(request.submission(), reply);
      announcements.withdraw(invite.id());
      announcements.addRows(context.seen().rows(request.id(), null, false));
      announcements.addRows(rows(invite));
    }

    @Override
    public List<Outgoing> instead(WriteOutcome outcome) {
      return request.refusals(outcome);
    }

    @Override
    public void replaced(GameSession game) {
      limits.ended(game);
    }

    @Override
    public void settled(GameSession game, WriteOutcome outcome) {
      if (outcome == WriteOutcome.STORED) {
        context.seen().accepted(request.id(), null);
        context.seen().accepted(invite.id(), null);
        return;
      }
      limits.ended(game);
      context.unbind(request);
      ended.forEach(searches::putBack);
      if (outcome == WriteOutcome.GONE) {
        end(invite);
      } else {
        add(invite);
      }
    }
  }

  public void gameEnded(GameSession game) {
    limits.ended(game);
  }

  public void reject(PlayerRequest request, Request.RejectInvite rejection) {
    PendingInvite invite = named(request, rejection.invite());
    if (invite == null) {
      context.refuse(request, NO_SUCH_INVITE);
      return;
    }
    PubKey author = invite.author();
    boolean isOwn = author.equals(request.player());
    if (!isOwn && !request.player().equals(invite.terms().opponent())) {
      context.refuse(request, Reason.invalid("this invite is for somebody else"));
    } else if (context.busyPlayers().contains(author)) {
      context.busyPlayers().await(author, () -> retry.accept(request));
    } else if (context.bind(request)) {
      Announcements announcements = context.granted(request);
      if (!isOwn) {
        announcements.notifyPlayer(author, List.of(new Notification(request.event(), null)));
      }
      reject(request, invite, announcements);
    }
  }

  public void deleted(PubKey author, EventId id) {
    PendingInvite invite = pending.get(id);
    if (invite != null && invite.author().equals(author)) {
      end(invite);
    }
  }

  /**
   * Withdraws, without a notification, the invites that a request to vanish covers, until a Unix
   * time.
   */
  public void vanished(PubKey author, long until) {
    for (PendingInvite invite : pending.by(author)) {
      if (invite.createdAt() <= until) {
        end(invite);
      }
    }
  }

  private void add(PendingInvite invite) {
    pending.add(invite);
    begin(invite);
  }

  /** Lists a committed invite in the lobby, if it is open; ends it when it expires. */
  private void begin(PendingInvite invite) {
    pending.list(invite);
    scheduleExpiry(invite);
  }

  private void remove(PendingInvite invite) {
    context.deadlines().cancel(new ExpiryKey(invite.id()));
    pending.remove(invite);
  }

  private void scheduleExpiry(PendingInvite invite) {
    long wait = invite.terms().expiresAt() * 1000 - context.now();
    schedule(invite, Duration.ofMillis(Math.max(0, wait)), this::expire);
  }

  private void schedule(PendingInvite invite, Duration wait, Consumer<PendingInvite> end) {
    context.schedule(new ExpiryKey(invite.id()), wait, () -> end.accept(invite));
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

  private void end(PendingInvite invite) {
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
  private void reject(PlayerRequest request, PendingInvite invite, Announcements announcements) {
    remove(invite);
    announcements.addRows(context.seen().rows(request.id(), null, false));
    announcements.addRows(rows(invite));
    commit(
        invite,
        Stream.of(invite.author(), request.player()).distinct().toList(),
        announcements,
        request::refusals,
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
    context.commit(
        about,
        announcements,
        outcome -> outcome == WriteOutcome.GONE ? List.of() : instead.apply(outcome),
        outcome -> {
          if (outcome == WriteOutcome.GONE) { // the event has expired or was deleted
            announcements.withdrawNothing();
            context.commit(about, announcements, instead, rememberAndSettle);
          } else {
            rememberAndSettle.accept(outcome);
          }
        });
  }

  /** The rows to commit with the end of an invite, so that its event has no effect again. */
  private List<Row> rows(PendingInvite invite) {
    List<Row> rows = new ArrayList<>(context.seen().rows(invite.id(), null, false));
    rows.add(invite.removal());
    return rows;
  }
}
