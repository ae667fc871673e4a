package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.dialect.Reply;
import gambit.chess.dialect.Request;
import gambit.chess.dialect.Terms;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How players find each other: those who search, in queues, and those who invite. The chess lane's
 * only. What it grants is committed before it takes effect.
 */
final class Matchmaking {
  /** For how long two players are kept apart after one of them left a fresh pairing. */
  private static final Duration APART = Duration.ofSeconds(10);

  /** After how long the end of an invite is tried again that could not be committed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final Reason NO_SUCH_INVITE = Reason.invalid("no such invite, or it is over");
  private static final Reason NOT_THE_LAST_GAME =
      Reason.invalid("the e tag does not name your last game");
  private static final Reason NOT_THE_OPPONENT =
      Reason.invalid("the p tag does not name the opponent of that game");

  /** Games that are over and may be followed by a rematch; the oldest give way. */
  private static final int REMATCHES = 20_000;

  /** The last game of a player. */
  private record Last(GameRef ref, TimeControl time, Position initial, Over over) {}

  /**
   * A game that is over.
   *
   * @param how in words: its termination, and the result if there is one
   */
  record Ended(GameRef ref, String how) {}

  private final Desk desk;
  private final Games games;
  private final ReturningPlayers returning;
  private final RandomGenerator lots;
  private final Searches searches = new Searches();
  private final Challenges challenges = new Challenges();
  private final Map<PubKey, Last> lastGames =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PubKey, Last> eldest) {
          return size() > REMATCHES;
        }
      };

  Matchmaking(Desk desk, Games games, ReturningPlayers returning, RandomGenerator lots) {
    this.desk = desk;
    this.games = games;
    this.returning = returning;
    this.lots = lots;
  }

  int searching() {
    return searches.size();
  }

  int inviting() {
    return challenges.size();
  }

  boolean isSearching(PubKey player) {
    return searches.contains(player);
  }

  /** Tells whether these are the events of a search that goes on, or of a running game. */
  boolean isStillOn(PubKey player, Connects search) {
    GameSession game = games.of(player);
    return searches.connectsOf(player) == search
        || (game != null && game.connects(game.sideOf(player)) == search);
  }

  /** Goes on with the invites that waited before a restart. */
  void recover(Map<String, byte[]> rows) {
    rows.forEach((key, value) -> add(Challenges.read(key, value)));
  }

  /** Looks for a game, or shows the one that runs. */
  void connect(Ask ask, Request.Connect request) {
    TimeControl time = request.time() == null ? desk.settings().defaultTime() : request.time();
    if (!desk.bind(ask)) {
      return;
    }
    PubKey player = ask.player();
    returning.connects(player, ask.submission().connection());
    GameSession game = games.of(player);
    Announcements told = desk.announce();
    if (game == null) {
      boolean already = searches.contains(player);
      told.reply(ask.submission(), ask.writer().searching(ask.event(), already, desk.now()));
    } else {
      told.reply(ask.submission(), granted(ask));
      resume(ask, game, told);
    }
    commit(
        ask,
        List.of(),
        told,
        true,
        () -> // a game may be beginning in the meantime
        desk.inboxes()
                .awaitFirst(player, () -> desk.seen().accepted(ask.id(), begin(ask, time, game))),
        () -> {});
  }

  /** Shows the game to the connection that has come back to it. */
  private void resume(Ask ask, GameSession game, Announcements told) {
    PubKey player = ask.player();
    ClientConnection here = ask.submission().connection();
    returning.show(player, here, ask.dialect(), game, told);
    told.colour(ask.connects(), game.sideOf(player));
    returning.showProposal(player, here, ask.dialect(), game, told);
  }

  /**
   * Joins the queue, unless there is a game by now; returns what the connect has led to.
   *
   * @param shown the game that it was answered with, which may be over by now; or null
   */
  private Connects begin(Ask ask, TimeControl time, @Nullable GameSession shown) {
    PubKey player = ask.player();
    if (shown != null) {
      return shown.connects(shown.sideOf(player));
    }
    GameSession game = games.of(player);
    if (game != null) { // it has begun in the meantime
      Announcements told = desk.announce();
      resume(ask, game, told);
      desk.commits().tell(told.outgoing());
      return game.connects(game.sideOf(player));
    }
    Connects connects = searches.connectsOf(player);
    if (connects == null) {
      connects = new Connects();
      if (desk.bindings().isPresent(player)) {
        searches.begin(player, time, connects);
      }
    }
    if (ask.dialect().traits().confirmsColours()) {
      connects.add(ask.submission().connection(), ask.id(), ask.writer());
    }
    pairAll(time);
    return connects;
  }

  /** Looks for a game no longer; a game that has just been found is called off. */
  void cancel(Ask ask) {
    GameSession game = games.of(ask.player());
    if (game == null || !games.cancel(ask, game)) {
      leaveQueue(ask);
    }
  }

  /** As {@link #cancel}; false when there is nothing to cancel. */
  boolean quit(Ask ask) {
    GameSession game = games.of(ask.player());
    if (game != null) {
      return games.cancel(ask, game);
    }
    boolean searches = isSearching(ask.player());
    if (searches) {
      leaveQueue(ask);
    }
    return searches;
  }

  private void leaveQueue(Ask ask) {
    if (!desk.bind(ask)) {
      return;
    }
    Announcements told = desk.announce();
    told.reply(ask.submission(), granted(ask));
    Searches.Search search = searches.leave(ask.player());
    commit(
        ask,
        List.of(),
        told,
        false,
        () -> desk.seen().accepted(ask.id(), null),
        () -> putBack(ask.player(), search));
  }

  /** A player's last connection is gone. */
  void leave(PubKey player) {
    searches.leave(player);
  }

  /** A game is over. */
  void over(GameSession game, Over over, @Nullable Ask cause) {
    Last last = new Last(game.ref(), game.game().control(), game.game().initial(), over);
    for (PubKey player : game.players()) {
      lastGames.remove(player);
      lastGames.put(player, last);
    }
    if (cause != null
        && over.termination() == Termination.ABORTED
        && cause.request().leavesSearch()) {
      PubKey other = game.opponentOf(cause.player());
      if (desk.bindings().isPresent(other)) {
        Side side = game.sideOf(other);
        Connects connects = game.connects(side);
        long until = desk.now() + APART.toMillis();
        searches.beginFirst(other, last.time(), connects, cause.player(), until);
        Announcements told = desk.announce();
        told.tell(other, game.ref().dialect(side).writer().searchesAgain(other, desk.now()));
        desk.commits().tell(told.outgoing());
        pairAll(last.time());
      }
    }
  }

  /**
   * How the game ended that an event is about.
   *
   * @param named the game that it names, in hex; if it names none, it is about the player's last
   *     game as long as the event may have been signed before its end was known
   */
  Optional<Ended> ended(PubKey player, Optional<String> named) {
    Last last = lastGames.get(player);
    if (last == null) {
      return Optional.empty();
    }
    Over over = last.over();
    long untilKnown = over.endedAt() + desk.settings().maxClockSkew().toMillis();
    boolean isMeant =
        named
            .map(it -> it.equals(last.ref().id().hex()))
            .orElse(games.of(player) == null && desk.now() < untilKnown);
    String result = over.result() == Result.NONE ? "" : ", " + over.result().text();
    return isMeant
        ? Optional.of(new Ended(last.ref(), over.termination().word() + result))
        : Optional.empty();
  }

  private void pairAll(TimeControl time) {
    long now = desk.now();
    for (var pair = searches.pair(time, now); pair.isPresent(); pair = searches.pair(time, now)) {
      boolean swap = lots.nextBoolean();
      Searches.Paired first = pair.get().first();
      Searches.Paired second = pair.get().second();
      start(swap ? second : first, swap ? first : second, time, now);
    }
    OptionalLong retry = searches.nextRetry(time, now);
    if (retry.isPresent()) {
      Duration wait = Duration.ofMillis(Math.max(1, retry.getAsLong() - now));
      desk.later(new PairingKey(time), wait, () -> pairAll(time));
    }
  }

  private record PairingKey(TimeControl time) {}

  private void start(Searches.Paired white, Searches.Paired black, TimeControl time, long now) {
    Event found =
        desk.relay().gameIsFound(white.player(), black.player(), time, Rules.initial(), now);
    GameSession game = game(found, white, black, time, Rules.initial(), now, true);
    games.begin(
        game,
        found,
        desk.announce(),
        Commit.of(List.of()),
        outcome -> List.of(),
        outcome -> {
          if (outcome != WriteOutcome.STORED) {
            tellFailure(game, outcome.reason());
          }
        });
  }

  private void tellFailure(GameSession game, Reason reason) {
    Announcements told = desk.announce();
    for (Side side : Side.values()) {
      PubKey player = game.ref().player(side);
      Connects connects = game.connects(side);
      connects.refusals(reason).forEach(told::say);
      // who has changed the dialect since is told in any, as there is nothing else to refuse
      List<Dialect> dialects =
          connects.isEmpty() ? desk.dialects() : List.of(game.ref().dialect(side));
      for (Dialect dialect : dialects) {
        told.tell(player, dialect.writer().notStarted(player, reason, desk.now()));
      }
    }
    desk.commits().tell(told.outgoing());
  }

  private GameSession game(
      Event found,
      Searches.Paired white,
      Searches.Paired black,
      TimeControl time,
      Position initial,
      long now,
      boolean paired) {
    GameRef ref = new GameRef(found.id(), seat(white.player()), seat(black.player()));
    Playing playing =
        Playing.start(
            initial,
            time,
            desk.settings().firstMoveLimit().toMillis(),
            desk.settings().lagAllowance().toMillis(),
            now);
    Standing standing = new Standing(playing, PlyEvents.NONE, null);
    return new GameSession(ref, standing, white.connects(), black.connects(), paired);
  }

  private GameRef.Seat seat(PubKey player) {
    Dialect spoken = desk.bindings().dialectOf(player);
    return new GameRef.Seat(player, spoken == null ? desk.dialects().get(0) : spoken);
  }

  /** Invites one player, or whoever comes. */
  void invite(Ask ask, Request.Invite request) {
    long now = desk.now() / 1000;
    Optional<Reason> objection = request.expiration().objection(now);
    if (objection.isPresent()) {
      desk.refuse(ask, objection.get());
    } else {
      propose(ask, Terms.of(request, desk.settings().defaultTime(), now), null);
    }
  }

  private void propose(Ask ask, Terms terms, @Nullable EventId rematchOf) {
    ClientAddress address = ask.submission().connection().address();
    if (games.of(ask.player()) != null) {
      desk.refuse(ask, Reason.invalid("you are playing"));
    } else if (challenges.of(ask.player()) >= Challenges.MOST_OF_ONE) {
      desk.refuse(
          ask, Reason.invalid("more than " + Challenges.MOST_OF_ONE + " invites are pending"));
    } else if (challenges.from(address) >= Challenges.MOST_FROM_ONE) {
      String many = "too many invites from your address, try again";
      desk.tell(ask.submission().refused(Reason.rateLimited(many)));
    } else if (challenges.size() >= Challenges.MOST) {
      desk.tell(ask.submission().refused(Reason.rateLimited("too many invites, try again")));
    } else if (desk.bind(ask)) {
      Challenge challenge =
          new Challenge(
              ask.id(),
              ask.player(),
              address,
              ask.event().createdAt(),
              terms,
              rematchOf,
              ask.connects());
      Announcements told = desk.announce();
      told.reply(ask.submission(), granted(ask));
      told.publish(ask.event());
      challenges.add(challenge); // whoever reacts at once waits for the author
      commit(
          ask,
          List.of(Challenges.row(challenge)),
          told,
          false,
          () -> {
            desk.seen().stored(ask.id());
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
    long wait = Math.max(0, challenge.terms().expiresAt() * 1000 - desk.now());
    desk.later(new InviteKey(challenge.id()), Duration.ofMillis(wait), () -> expire(challenge));
  }

  private record InviteKey(EventId invite) {}

  private boolean remove(Challenge challenge) {
    desk.deadlines().cancel(new InviteKey(challenge.id()));
    return challenges.remove(challenge);
  }

  /** Accepts an invite: a game begins. */
  void accept(Ask ask, Request.AcceptInvite request, Consumer<Ask> again) {
    Challenge challenge = named(ask, request.invite());
    if (challenge == null || challenge.isOver(ask.arrival())) {
      desk.refuse(ask, NO_SUCH_INVITE);
    } else {
      accept(ask, challenge, again);
    }
  }

  /** The invite that an event names, by its own id or, if it is a rematch, by the game's. */
  private @Nullable Challenge named(Ask ask, EventId id) {
    Challenge challenge = challenges.get(id);
    return challenge == null
        ? challenges.rematch(id, ask.player(), ask.arrival()).orElse(null)
        : challenge;
  }

  private void accept(Ask ask, Challenge challenge, Consumer<Ask> again) {
    PubKey author = challenge.author();
    if (author.equals(ask.player())) {
      desk.refuse(ask, Reason.invalid("this is your own invite"));
    } else if (!challenge.isFor(ask.player())) {
      desk.refuse(ask, Reason.invalid("this invite is for somebody else"));
    } else if (games.of(ask.player()) != null) {
      desk.refuse(ask, Reason.invalid("you are playing"));
    } else if (desk.inboxes().isBusy(author)) {
      desk.inboxes().await(author, () -> again.accept(ask));
    } else if (games.of(author) != null) {
      desk.refuse(ask, Reason.invalid("who invites you is playing"));
    } else if (desk.bind(ask)) {
      start(ask, challenge);
    }
  }

  private void start(Ask ask, Challenge challenge) {
    PubKey author = challenge.author();
    PubKey player = ask.player();
    Terms terms = challenge.terms();
    Searches.Paired inviter = new Searches.Paired(author, challenge.connects());
    Searches.Paired invited = new Searches.Paired(player, ask.connects());
    boolean lot = lots.nextBoolean();
    boolean white = terms.inviter() == null ? !lot : terms.inviter() == Side.WHITE;
    long now = desk.now();
    PubKey first = white ? author : player;
    Event found =
        desk.relay()
            .gameIsFound(first, white ? player : author, terms.time(), terms.initial(), now);
    GameSession game =
        game(
            found,
            white ? inviter : invited,
            white ? invited : inviter,
            terms.time(),
            terms.initial(),
            now,
            false);
    remove(challenge);
    Searches.Search ofAuthor = searches.leave(author);
    Searches.Search ofPlayer = searches.leave(player);
    Announcements told = desk.announce();
    told.reply(ask.submission(), granted(ask));
    List<Row> rows = new ArrayList<>(desk.seen().rows(ask.id(), null, false));
    rows.addAll(endOf(challenge));
    games.begin(
        game,
        found,
        told,
        new Commit(List.of(), List.of(challenge.id()), rows),
        outcome -> List.of(ask.submission().refused(outcome.reason())),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            desk.seen().accepted(ask.id(), null);
            desk.seen().accepted(challenge.id(), null);
            return;
          }
          desk.unbind(ask);
          putBack(author, ofAuthor);
          putBack(player, ofPlayer);
          if (outcome == WriteOutcome.GONE) {
            drop(challenge);
          } else {
            add(challenge);
          }
        });
  }

  private void putBack(PubKey player, Searches.@Nullable Search search) {
    if (search != null && desk.bindings().isPresent(player)) {
      searches.beginFirst(player, search.time(), search.connects(), player, 0);
      pairAll(search.time());
    }
  }

  /** Rejects an invite, or withdraws one's own. */
  void reject(Ask ask, Request.RejectInvite request, Consumer<Ask> again) {
    Challenge challenge = named(ask, request.invite());
    if (challenge == null) {
      desk.refuse(ask, NO_SUCH_INVITE);
      return;
    }
    boolean own = challenge.author().equals(ask.player());
    if (!own && !ask.player().equals(challenge.terms().opponent())) {
      desk.refuse(ask, Reason.invalid("this invite is for somebody else"));
      return;
    }
    if (desk.inboxes().isBusy(challenge.author())) {
      desk.inboxes().await(challenge.author(), () -> again.accept(ask));
      return;
    }
    if (!desk.bind(ask)) {
      return;
    }
    Announcements told = desk.announce();
    told.reply(ask.submission(), granted(ask));
    if (!own) {
      told.tell(challenge.author(), List.of(new Notice(ask.event(), null)));
    }
    List<Row> rows = desk.seen().rows(ask.id(), null, false);
    remove(challenge);
    end(
        challenge,
        own ? List.of(ask.player()) : List.of(challenge.author(), ask.player()),
        rows,
        told,
        outcome -> List.of(ask.submission().refused(outcome.reason())),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            desk.seen().accepted(ask.id(), null);
          } else {
            desk.unbind(ask);
            add(challenge);
          }
        });
  }

  /** Invites the opponent of the last game, or accepts such an invite. */
  void rematch(Ask ask, Request.Rematch request, Consumer<Ask> again) {
    EventId id = request.game();
    Optional<Challenge> asked = challenges.rematch(id, ask.player(), ask.arrival());
    Last last = lastGames.get(ask.player());
    if (asked.isPresent()) { // also of a game that was over before a restart
      if (namesOther(request, asked.get().author())) {
        desk.refuse(ask, NOT_THE_OPPONENT);
      } else {
        accept(ask, asked.get(), again);
      }
    } else if (last == null || !last.ref().id().equals(id)) {
      desk.refuse(ask, NOT_THE_LAST_GAME);
    } else {
      inviteAgain(ask, request, last);
    }
  }

  /** Invites the opponent of a game to another one, with the colours swapped. */
  private void inviteAgain(Ask ask, Request.Rematch request, Last last) {
    Side side = last.ref().sideOf(ask.player());
    PubKey opponent = last.ref().player(side.opponent());
    long now = desk.now() / 1000;
    Optional<Reason> objection =
        namesOther(request, opponent)
            ? Optional.of(NOT_THE_OPPONENT)
            : request.expiration().objection(now);
    if (objection.isPresent()) {
      desk.refuse(ask, objection.get());
      return;
    }
    long expiresAt = Terms.endOfRematch(request.expiration(), now);
    Terms terms = new Terms(opponent, side.opponent(), last.time(), last.initial(), expiresAt);
    propose(ask, terms, last.ref().id());
  }

  private static boolean namesOther(Request.Rematch request, PubKey opponent) {
    return request.opponent().filter(it -> !it.equals(opponent.hex())).isPresent();
  }

  /** Whether a player has invites that wait. Any thread. */
  boolean isInviting(PubKey player) {
    return challenges.has(player);
  }

  /** Withdraws an invite whose author deletes its event. */
  void deleted(PubKey author, EventId invite) {
    Challenge challenge = challenges.get(invite);
    if (challenge != null && challenge.author().equals(author)) {
      drop(challenge);
    }
  }

  /**
   * Withdraws the invites that a request to vanish covers, without a word to their author. The
   * request itself takes their events out of the store.
   */
  void vanished(PubKey author, long until) {
    for (Challenge challenge : challenges.by(author)) {
      if (challenge.createdAt() <= until) {
        forget(challenge);
      }
    }
  }

  private void forget(Challenge challenge) {
    remove(challenge);
    desk.commits()
        .store(
            List.of(challenge.author()),
            new Commit(List.of(), List.of(), endOf(challenge)),
            List.of(),
            outcome -> List.of(),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                desk.seen().accepted(challenge.id(), null);
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
        desk.announce(),
        outcome -> List.of(),
        outcome -> retry(challenge, outcome, this::drop));
  }

  private void expire(Challenge challenge) {
    if (!challenge.equals(challenges.get(challenge.id()))) {
      return;
    }
    if (!challenge.isOver(desk.now())) {
      remove(challenge);
      add(challenge); // the alarm goes by another clock
      return;
    }
    remove(challenge);
    Announcements told = desk.announce();
    if (challenge.terms().opponent() == null) {
      PubKey author = challenge.author();
      for (Dialect dialect : desk.dialects()) { // a restart forgets in which one it was made
        told.tell(author, dialect.writer().inviteExpired(challenge.id(), author, desk.now()));
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
      desk.later(new InviteKey(challenge.id()), RETRY, () -> end.accept(challenge));
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
            desk.seen().accepted(challenge.id(), null);
          }
          settled.accept(outcome);
        };
    desk.commits()
        .store(
            about,
            new Commit(List.of(), List.of(challenge.id()), rows),
            told.outgoing(),
            outcome -> outcome == WriteOutcome.GONE ? List.of() : instead.apply(outcome),
            outcome -> {
              if (outcome == WriteOutcome.GONE) { // it has expired or was deleted
                Commit rest = new Commit(List.of(), List.of(), rows);
                desk.commits().store(about, rest, told.outgoing(), instead, over);
              } else {
                over.accept(outcome);
              }
            });
  }

  /** The rows of an invite that is over, whose event is not to be taken again. */
  private List<Row> endOf(Challenge challenge) {
    List<Row> rows = new ArrayList<>(desk.seen().rows(challenge.id(), null, false));
    rows.add(Challenges.noRow(challenge));
    return rows;
  }

  private void commit(
      Ask ask,
      List<Row> more,
      Announcements told,
      boolean isSearch,
      Runnable granted,
      Runnable failed) {
    List<Row> rows = new ArrayList<>(more);
    if (told.stored().isEmpty()) {
      rows.addAll(desk.seen().rows(ask.id(), null, isSearch));
    }
    desk.commits()
        .store(
            List.of(ask.player()),
            new Commit(told.stored(), List.of(), rows),
            told.outgoing(),
            outcome -> List.of(ask.submission().refused(outcome.reason())),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                granted.run();
              } else {
                desk.unbind(ask);
                failed.run();
              }
            });
  }

  private static Reply granted(Ask ask) {
    return ask.writer().granted(ask.event(), List.of());
  }
}
