package gambit.chess.session.lobby;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Notice;
import gambit.chess.dialect.Request;
import gambit.chess.dialect.Terms;
import gambit.chess.game.Playing;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.InviteRows;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The invites of players: made, accepted, rejected, withdrawn, expired. The chess lane's only. What
 * is granted is committed before it takes effect.
 */
public final class Invites {
  /** After how long the end of an invite is tried again that could not be committed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final Reason NO_SUCH_INVITE = Reason.invalid("no such invite, or it is over");

  private final SessionContext context;
  private final Games games;
  private final Searching searching;
  private final GameFactory factory;
  private final LobbyCommits commits;
  private final Challenges challenges = new Challenges();

  Invites(SessionContext context, Games games, Searching searching, GameFactory factory) {
    this.context = context;
    this.games = games;
    this.searching = searching;
    this.factory = factory;
    this.commits = new LobbyCommits(context);
  }

  /** The number of pending invites. */
  public int size() {
    return challenges.size();
  }

  /** Reads the invites that were pending before a restart. */
  public void recover(Map<String, byte[]> rows) {
    rows.forEach((key, value) -> add(Challenge.restored(InviteRows.read(key, value))));
  }

  /** The rematch of a game that a player is asked for. */
  Optional<Challenge> rematch(EventId game, PubKey opponent, long time) {
    return challenges.rematch(game, opponent, time);
  }

  /** Invites one player, or whoever comes. */
  public void invite(PlayerRequest request, Request.Invite invite) {
    long now = context.now() / 1000;
    Optional<Reason> objection = invite.expiration().objection(now);
    if (objection.isPresent()) {
      context.refuse(request, objection.get());
    } else {
      propose(request, Terms.of(invite, context.settings().defaultTime(), now), null);
    }
  }

  /** Makes an invite on given terms. */
  void propose(PlayerRequest request, Terms terms, @Nullable EventId rematchOf) {
    ClientAddress address = request.submission().connection().address();
    if (games.of(request.player()) != null) {
      context.refuse(request, Reason.invalid("you are playing"));
    } else if (challenges.of(request.player()) >= Challenges.MOST_OF_ONE) {
      context.refuse(
          request, Reason.invalid("more than " + Challenges.MOST_OF_ONE + " invites are pending"));
    } else if (challenges.from(address) >= Challenges.MOST_FROM_ONE) {
      String many = "too many invites from your address, try again";
      context.tell(request.submission().refused(Reason.rateLimited(many)));
    } else if (challenges.size() >= Challenges.MOST) {
      context.tell(request.submission().refused(Reason.rateLimited("too many invites, try again")));
    } else if (context.bind(request)) {
      Challenge challenge =
          new Challenge(
              request.id(),
              request.player(),
              address,
              request.event().createdAt(),
              terms,
              rematchOf,
              request.colourAnswers());
      Announcements told = commits.granted(request);
      told.publish(request.event());
      challenges.add(challenge); // whoever reacts at once waits for the author
      commits.commit(
          request,
          List.of(InviteRows.row(challenge.stored())),
          told,
          false,
          () -> {
            context.seen().stored(request.id());
            awaitEnd(challenge);
          },
          () -> challenges.remove(challenge));
    }
  }

  private void add(Challenge challenge) {
    challenges.add(challenge);
    awaitEnd(challenge);
  }

  private void awaitEnd(Challenge challenge) {
    long wait = Math.max(0, challenge.terms().expiresAt() * 1000 - context.now());
    context
        .timers()
        .schedule(new InviteKey(challenge.id()), Duration.ofMillis(wait), () -> expire(challenge));
  }

  private record InviteKey(EventId invite) {}

  private boolean remove(Challenge challenge) {
    context.timers().cancel(new InviteKey(challenge.id()));
    return challenges.remove(challenge);
  }

  /** Accepts an invite: a game begins. */
  public void accept(
      PlayerRequest request, Request.AcceptInvite acceptance, Consumer<PlayerRequest> again) {
    Challenge challenge = named(request, acceptance.invite());
    if (challenge == null || challenge.isOver(request.arrival())) {
      context.refuse(request, NO_SUCH_INVITE);
    } else {
      accept(request, challenge, again);
    }
  }

  /** The invite that an event names, by its own id or, if it is a rematch, by the game's. */
  private @Nullable Challenge named(PlayerRequest request, EventId id) {
    Challenge challenge = challenges.get(id);
    return challenge == null
        ? challenges.rematch(id, request.player(), request.arrival()).orElse(null)
        : challenge;
  }

  /** Accepts a pending invite. */
  void accept(PlayerRequest request, Challenge challenge, Consumer<PlayerRequest> again) {
    PubKey author = challenge.author();
    if (author.equals(request.player())) {
      context.refuse(request, Reason.invalid("this is your own invite"));
    } else if (!challenge.isFor(request.player())) {
      context.refuse(request, Reason.invalid("this invite is for somebody else"));
    } else if (games.of(request.player()) != null) {
      context.refuse(request, Reason.invalid("you are playing"));
    } else if (context.inboxes().isBusy(author)) {
      context.inboxes().await(author, () -> again.accept(request));
    } else if (games.of(author) != null) {
      context.refuse(request, Reason.invalid("who invites you is playing"));
    } else if (context.bind(request)) {
      start(request, challenge);
    }
  }

  private void start(PlayerRequest request, Challenge challenge) {
    PubKey author = challenge.author();
    PubKey player = request.player();
    Terms terms = challenge.terms();
    Searches.Paired inviter = new Searches.Paired(author, challenge.colourAnswers());
    Searches.Paired invited = new Searches.Paired(player, request.colourAnswers());
    boolean lot = factory.draw();
    boolean white = terms.inviter() == null ? !lot : terms.inviter() == Side.WHITE;
    long now = context.now();
    Searches.Paired first = white ? inviter : invited;
    Searches.Paired second = white ? invited : inviter;
    Event found = factory.gameIsFound(first, second, terms.time(), terms.initial(), now);
    Playing playing = factory.start(terms.time(), terms.initial(), now);
    GameSession game = factory.make(found, first, second, playing, false);
    remove(challenge);
    Searches.Search ofAuthor = searching.takeOut(author);
    Searches.Search ofPlayer = searching.takeOut(player);
    Announcements told = commits.granted(request);
    List<Row> rows = new ArrayList<>(context.seen().rows(request.id(), null, false));
    rows.addAll(endOf(challenge));
    games.begin(
        game,
        found,
        told,
        new Commit(List.of(), List.of(challenge.id()), rows),
        outcome -> List.of(request.submission().refused(outcome.reason())),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            context.seen().accepted(request.id(), null);
            context.seen().accepted(challenge.id(), null);
            return;
          }
          context.unbind(request);
          searching.putBack(author, ofAuthor);
          searching.putBack(player, ofPlayer);
          if (outcome == WriteOutcome.GONE) {
            drop(challenge);
          } else {
            add(challenge);
          }
        });
  }

  /** Rejects an invite, or withdraws one's own. */
  public void reject(
      PlayerRequest request, Request.RejectInvite rejection, Consumer<PlayerRequest> again) {
    Challenge challenge = named(request, rejection.invite());
    if (challenge == null) {
      context.refuse(request, NO_SUCH_INVITE);
      return;
    }
    boolean own = challenge.author().equals(request.player());
    if (!own && !request.player().equals(challenge.terms().opponent())) {
      context.refuse(request, Reason.invalid("this invite is for somebody else"));
      return;
    }
    if (context.inboxes().isBusy(challenge.author())) {
      context.inboxes().await(challenge.author(), () -> again.accept(request));
      return;
    }
    if (!context.bind(request)) {
      return;
    }
    Announcements told = commits.granted(request);
    if (!own) {
      told.tell(challenge.author(), List.of(new Notice(request.event(), null)));
    }
    List<Row> rows = context.seen().rows(request.id(), null, false);
    remove(challenge);
    end(
        challenge,
        own ? List.of(request.player()) : List.of(challenge.author(), request.player()),
        rows,
        told,
        outcome -> List.of(request.submission().refused(outcome.reason())),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            context.seen().accepted(request.id(), null);
          } else {
            context.unbind(request);
            add(challenge);
          }
        });
  }

  /** Whether a player has invites that wait. Any thread. */
  public boolean isInviting(PubKey player) {
    return challenges.has(player);
  }

  /** Withdraws an invite whose author deletes its event. */
  public void deleted(PubKey author, EventId invite) {
    Challenge challenge = challenges.get(invite);
    if (challenge != null && challenge.author().equals(author)) {
      drop(challenge);
    }
  }

  /**
   * Withdraws the invites that a request to vanish covers, without a word to their author. The
   * request itself takes their events out of the store.
   */
  public void vanished(PubKey author, long until) {
    for (Challenge challenge : challenges.by(author)) {
      if (challenge.createdAt() <= until) {
        forget(challenge);
      }
    }
  }

  private void forget(Challenge challenge) {
    remove(challenge);
    context
        .commits()
        .store(
            List.of(challenge.author()),
            new Commit(List.of(), List.of(), endOf(challenge)),
            List.of(),
            outcome -> List.of(),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                context.seen().accepted(challenge.id(), null);
              }
              retry(challenge, outcome, this::forget);
            });
  }

  private void drop(Challenge challenge) {
    remove(challenge);
    List<PubKey> about = List.of(challenge.author());
    end(
        challenge,
        about,
        List.of(),
        context.announce(),
        outcome -> List.of(),
        outcome -> retry(challenge, outcome, this::drop));
  }

  private void expire(Challenge challenge) {
    if (!challenge.equals(challenges.get(challenge.id()))) {
      return;
    }
    if (!challenge.isOver(context.now())) {
      remove(challenge);
      add(challenge); // the alarm goes by another clock
      return;
    }
    remove(challenge);
    Announcements told = context.announce();
    if (challenge.terms().opponent() == null) {
      PubKey author = challenge.author();
      for (Dialect dialect : context.dialects()) { // a restart forgets in which one it was made
        told.tell(author, dialect.writer().inviteExpired(challenge.id(), author, context.now()));
      }
    }
    end(
        challenge,
        List.of(challenge.author()),
        List.of(),
        told,
        outcome -> List.of(),
        outcome -> retry(challenge, outcome, this::expire));
  }

  /** The end of an invite that could not be stored has not happened, and is tried again. */
  private void retry(Challenge challenge, WriteOutcome outcome, Consumer<Challenge> end) {
    if (outcome != WriteOutcome.STORED) {
      challenges.add(challenge);
      context.timers().schedule(new InviteKey(challenge.id()), RETRY, () -> end.accept(challenge));
    }
  }

  /**
   * Takes the event of an invite out of the store, if it is still there.
   *
   * @param about who waits meanwhile
   */
  private void end(
      Challenge challenge,
      List<PubKey> about,
      List<Row> with,
      Announcements told,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    List<Row> rows = new ArrayList<>(with);
    rows.addAll(endOf(challenge));
    Consumer<WriteOutcome> over =
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            context.seen().accepted(challenge.id(), null);
          }
          settled.accept(outcome);
        };
    context
        .commits()
        .store(
            about,
            new Commit(List.of(), List.of(challenge.id()), rows),
            told.outgoing(),
            outcome -> outcome == WriteOutcome.GONE ? List.of() : instead.apply(outcome),
            outcome -> {
              if (outcome == WriteOutcome.GONE) { // it has expired or was deleted
                Commit rest = new Commit(List.of(), List.of(), rows);
                context.commits().store(about, rest, told.outgoing(), instead, over);
              } else {
                over.accept(outcome);
              }
            });
  }

  /** The rows of an invite that is over, whose event is not to be taken again. */
  private List<Row> endOf(Challenge challenge) {
    List<Row> rows = new ArrayList<>(context.seen().rows(challenge.id(), null, false));
    rows.add(InviteRows.noRow(challenge.id()));
    return rows;
  }
}
