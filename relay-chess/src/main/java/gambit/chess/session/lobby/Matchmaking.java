package gambit.chess.session.lobby;

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
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.InviteRows;
import gambit.chess.session.journal.PlyEvents;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
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
public final class Matchmaking {
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
  public record Ended(GameRef ref, String how) {}

  private final SessionContext context;
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

  public Matchmaking(
      SessionContext context, Games games, ReturningPlayers returning, RandomGenerator lots) {
    this.context = context;
    this.games = games;
    this.returning = returning;
    this.lots = lots;
  }

  public int searching() {
    return searches.size();
  }

  public int inviting() {
    return challenges.size();
  }

  public boolean isSearching(PubKey player) {
    return searches.contains(player);
  }

  /** Tells whether these are the events of a search that goes on, or of a running game. */
  public boolean isStillOn(PubKey player, ColourAnswers search) {
    GameSession game = games.of(player);
    return searches.colourAnswersOf(player) == search
        || (game != null && game.colourAnswers(game.sideOf(player)) == search);
  }

  /** Goes on with the invites that waited before a restart. */
  public void recover(Map<String, byte[]> rows) {
    rows.forEach((key, value) -> add(Challenge.restored(InviteRows.read(key, value))));
  }

  /** Looks for a game, or shows the one that runs. */
  public void connect(PlayerRequest request, Request.Connect wanted) {
    TimeControl time = wanted.time() == null ? context.settings().defaultTime() : wanted.time();
    if (!context.bind(request)) {
      return;
    }
    PubKey player = request.player();
    returning.connected(player, request.submission().connection());
    GameSession game = games.of(player);
    Announcements told = context.announce();
    if (game == null) {
      boolean already = searches.contains(player);
      told.reply(
          request.submission(),
          request.writer().searching(request.event(), already, context.now()));
    } else {
      told.reply(request.submission(), granted(request));
      resume(request, game, told);
    }
    commit(
        request,
        List.of(),
        told,
        true,
        () -> // a game may be beginning in the meantime
        context
                .inboxes()
                .awaitFirst(
                    player,
                    () -> context.seen().accepted(request.id(), begin(request, time, game))),
        () -> {});
  }

  /** Shows the game to the connection that has come back to it. */
  private void resume(PlayerRequest request, GameSession game, Announcements told) {
    PubKey player = request.player();
    ClientConnection here = request.submission().connection();
    returning.show(player, here, request.dialect(), game, told);
    told.colour(request.colourAnswers(), game.sideOf(player));
    returning.showProposal(player, here, request.dialect(), game, told);
  }

  /**
   * Joins the queue, unless there is a game by now; returns what the connect has led to.
   *
   * @param shown the game that it was answered with, which may be over by now; or null
   */
  private ColourAnswers begin(
      PlayerRequest request, TimeControl time, @Nullable GameSession shown) {
    PubKey player = request.player();
    if (shown != null) {
      return shown.colourAnswers(shown.sideOf(player));
    }
    GameSession game = games.of(player);
    if (game != null) { // it has begun in the meantime
      Announcements told = context.announce();
      resume(request, game, told);
      context.commits().tell(told.outgoing());
      return game.colourAnswers(game.sideOf(player));
    }
    ColourAnswers colourAnswers = searches.colourAnswersOf(player);
    if (colourAnswers == null) {
      colourAnswers = new ColourAnswers();
      if (context.bindings().isPresent(player)) {
        searches.begin(player, time, colourAnswers);
      }
    }
    if (request.dialect().traits().confirmsColours()) {
      colourAnswers.add(request.submission().connection(), request.id(), request.writer());
    }
    pairAll(time);
    return colourAnswers;
  }

  /** Looks for a game no longer; a game that has just been found is called off. */
  public void cancel(PlayerRequest request) {
    GameSession game = games.of(request.player());
    if (game == null || !games.cancel(request, game)) {
      leaveQueue(request);
    }
  }

  /** As {@link #cancel}; false when there is nothing to cancel. */
  public boolean quit(PlayerRequest request) {
    GameSession game = games.of(request.player());
    if (game != null) {
      return games.cancel(request, game);
    }
    boolean searches = isSearching(request.player());
    if (searches) {
      leaveQueue(request);
    }
    return searches;
  }

  private void leaveQueue(PlayerRequest request) {
    if (!context.bind(request)) {
      return;
    }
    Announcements told = context.announce();
    told.reply(request.submission(), granted(request));
    Searches.Search search = searches.leave(request.player());
    commit(
        request,
        List.of(),
        told,
        false,
        () -> context.seen().accepted(request.id(), null),
        () -> putBack(request.player(), search));
  }

  /** A player's last connection is gone. */
  public void leave(PubKey player) {
    searches.leave(player);
  }

  /** A game is over. */
  public void over(GameSession game, Over over, @Nullable PlayerRequest cause) {
    Last last = new Last(game.ref(), game.game().control(), game.game().initial(), over);
    for (PubKey player : game.players()) {
      lastGames.remove(player);
      lastGames.put(player, last);
    }
    if (cause != null
        && over.termination() == Termination.ABORTED
        && cause.request().leavesSearch()) {
      PubKey other = game.opponentOf(cause.player());
      if (context.bindings().isPresent(other)) {
        Side side = game.sideOf(other);
        ColourAnswers colourAnswers = game.colourAnswers(side);
        long until = context.now() + APART.toMillis();
        searches.beginFirst(other, last.time(), colourAnswers, cause.player(), until);
        Announcements told = context.announce();
        told.tell(other, game.ref().dialect(side).writer().searchesAgain(other, context.now()));
        context.commits().tell(told.outgoing());
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
  public Optional<Ended> ended(PubKey player, Optional<String> named) {
    Last last = lastGames.get(player);
    if (last == null) {
      return Optional.empty();
    }
    Over over = last.over();
    long untilKnown = over.endedAt() + context.settings().maxClockSkew().toMillis();
    boolean isMeant =
        named
            .map(it -> it.equals(last.ref().id().hex()))
            .orElse(games.of(player) == null && context.now() < untilKnown);
    String result = over.result() == Result.NONE ? "" : ", " + over.result().text();
    return isMeant
        ? Optional.of(new Ended(last.ref(), over.termination().word() + result))
        : Optional.empty();
  }

  private void pairAll(TimeControl time) {
    long now = context.now();
    for (var pair = searches.pair(time, now); pair.isPresent(); pair = searches.pair(time, now)) {
      boolean swap = lots.nextBoolean();
      Searches.Paired first = pair.get().first();
      Searches.Paired second = pair.get().second();
      start(swap ? second : first, swap ? first : second, time, now);
    }
    OptionalLong retry = searches.nextRetry(time, now);
    if (retry.isPresent()) {
      Duration wait = Duration.ofMillis(Math.max(1, retry.getAsLong() - now));
      context.timers().schedule(new PairingKey(time), wait, () -> pairAll(time));
    }
  }

  private record PairingKey(TimeControl time) {}

  private void start(Searches.Paired white, Searches.Paired black, TimeControl time, long now) {
    Event found =
        context.relay().gameIsFound(white.player(), black.player(), time, Rules.initial(), now);
    GameSession game = game(found, white, black, time, Rules.initial(), now, true);
    games.begin(
        game,
        found,
        context.announce(),
        Commit.of(List.of()),
        outcome -> List.of(),
        outcome -> {
          if (outcome != WriteOutcome.STORED) {
            tellFailure(game, outcome.reason());
          }
        });
  }

  private void tellFailure(GameSession game, Reason reason) {
    Announcements told = context.announce();
    for (Side side : Side.values()) {
      PubKey player = game.ref().player(side);
      ColourAnswers colourAnswers = game.colourAnswers(side);
      colourAnswers.refusals(reason).forEach(told::say);
      // who has changed the dialect since is told in any, as there is nothing else to refuse
      List<Dialect> dialects =
          colourAnswers.isEmpty() ? context.dialects() : List.of(game.ref().dialect(side));
      for (Dialect dialect : dialects) {
        told.tell(player, dialect.writer().notStarted(player, reason, context.now()));
      }
    }
    context.commits().tell(told.outgoing());
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
            context.settings().firstMoveLimit().toMillis(),
            context.settings().lagAllowance().toMillis(),
            now);
    GameSnapshot snapshot = new GameSnapshot(playing, PlyEvents.NONE, null);
    return new GameSession(ref, snapshot, white.colourAnswers(), black.colourAnswers(), paired);
  }

  private GameRef.Seat seat(PubKey player) {
    Dialect spoken = context.bindings().dialectOf(player);
    return new GameRef.Seat(player, spoken == null ? context.dialects().get(0) : spoken);
  }

  /** Invites one player, or whoever comes. */
  public void invite(PlayerRequest request, Request.Invite wanted) {
    long now = context.now() / 1000;
    Optional<Reason> objection = wanted.expiration().objection(now);
    if (objection.isPresent()) {
      context.refuse(request, objection.get());
    } else {
      propose(request, Terms.of(wanted, context.settings().defaultTime(), now), null);
    }
  }

  private void propose(PlayerRequest request, Terms terms, @Nullable EventId rematchOf) {
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
      Announcements told = context.announce();
      told.reply(request.submission(), granted(request));
      told.publish(request.event());
      challenges.add(challenge); // whoever reacts at once waits for the author
      commit(
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
      PlayerRequest request, Request.AcceptInvite wanted, Consumer<PlayerRequest> again) {
    Challenge challenge = named(request, wanted.invite());
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

  private void accept(PlayerRequest request, Challenge challenge, Consumer<PlayerRequest> again) {
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
    boolean lot = lots.nextBoolean();
    boolean white = terms.inviter() == null ? !lot : terms.inviter() == Side.WHITE;
    long now = context.now();
    PubKey first = white ? author : player;
    Event found =
        context
            .relay()
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
    Announcements told = context.announce();
    told.reply(request.submission(), granted(request));
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
    if (search != null && context.bindings().isPresent(player)) {
      searches.beginFirst(player, search.time(), search.colourAnswers(), player, 0);
      pairAll(search.time());
    }
  }

  /** Rejects an invite, or withdraws one's own. */
  public void reject(
      PlayerRequest request, Request.RejectInvite wanted, Consumer<PlayerRequest> again) {
    Challenge challenge = named(request, wanted.invite());
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
    Announcements told = context.announce();
    told.reply(request.submission(), granted(request));
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

  /** Invites the opponent of the last game, or accepts such an invite. */
  public void rematch(
      PlayerRequest request, Request.Rematch wanted, Consumer<PlayerRequest> again) {
    EventId id = wanted.game();
    Optional<Challenge> asked = challenges.rematch(id, request.player(), request.arrival());
    Last last = lastGames.get(request.player());
    if (asked.isPresent()) { // also of a game that was over before a restart
      if (namesOther(wanted, asked.get().author())) {
        context.refuse(request, NOT_THE_OPPONENT);
      } else {
        accept(request, asked.get(), again);
      }
    } else if (last == null || !last.ref().id().equals(id)) {
      context.refuse(request, NOT_THE_LAST_GAME);
    } else {
      inviteAgain(request, wanted, last);
    }
  }

  /** Invites the opponent of a game to another one, with the colours swapped. */
  private void inviteAgain(PlayerRequest request, Request.Rematch wanted, Last last) {
    Side side = last.ref().sideOf(request.player());
    PubKey opponent = last.ref().player(side.opponent());
    long now = context.now() / 1000;
    Optional<Reason> objection =
        namesOther(wanted, opponent)
            ? Optional.of(NOT_THE_OPPONENT)
            : wanted.expiration().objection(now);
    if (objection.isPresent()) {
      context.refuse(request, objection.get());
      return;
    }
    long expiresAt = Terms.endOfRematch(wanted.expiration(), now);
    Terms terms = new Terms(opponent, side.opponent(), last.time(), last.initial(), expiresAt);
    propose(request, terms, last.ref().id());
  }

  private static boolean namesOther(Request.Rematch wanted, PubKey opponent) {
    return wanted.opponent().filter(it -> !it.equals(opponent.hex())).isPresent();
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
   * Withdraws the invites that a wanted to vanish covers, without a word to their author. The
   * wanted itself takes their events out of the store.
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

  private void commit(
      PlayerRequest request,
      List<Row> more,
      Announcements told,
      boolean isSearch,
      Runnable granted,
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
                granted.run();
              } else {
                context.unbind(request);
                failed.run();
              }
            });
  }

  private static Reply granted(PlayerRequest request) {
    return request.writer().granted(request.event(), List.of());
  }
}
