package gambit.chess.simulation;

import static gambit.chess.simulation.InvariantChecker.about;
import static gambit.chess.simulation.InvariantChecker.check;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.game.ChessClock;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeLimits;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.ManualSession;
import gambit.chess.session.play.ChessSettings;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Checks that a commit of a game follows from the commits before it and from the request. */
final class CommitChecker {

  private final ManualTime time;
  private final ChessSettings settings;
  private final ExpectedBindings expectedBindings;
  private final UnansweredEvents commands;
  private final Function<PubKey, List<InvariantChecker.KnownGame>> games;

  /** Takes the committed running games of a player. */
  CommitChecker(
      ManualTime time,
      ChessSettings settings,
      ExpectedBindings expectedBindings,
      UnansweredEvents commands,
      Function<PubKey, List<InvariantChecker.KnownGame>> games) {
    this.games = games;
    this.time = time;
    this.settings = settings;
    this.expectedBindings = expectedBindings;
    this.commands = commands;
  }

  /** The expected clocks and start of the turn. */
  private record Clocks(long white, long black, long since) {
    long of(Side side) {
      return side == Side.WHITE ? white : black;
    }

    Clocks with(Side side, long millis) {
      return side == Side.WHITE
          ? new Clocks(millis, black, since)
          : new Clocks(white, millis, since);
    }

    Clocks since(long now) {
      return new Clocks(white, black, Math.max(now, since));
    }

    boolean are(ChessClock clock) {
      return clock.white() == white && clock.black() == black && clock.turnSince() == since;
    }
  }

  /** Checks a step of a game. */
  void step(InvariantChecker.KnownGame game, ManualSession.Written written, Commit commit) {
    OngoingGame before = game.playing;
    OngoingGame after = written.game();
    List<Submission> asked = asked(commit);
    rightly(!asked.isEmpty(), game, "goes on by itself");
    Event cause = asked.get(0).event();
    rightly(game.ref.isPlayer(cause.pubkey()), game, "goes on by a stranger's event");
    isMeant(game, cause);
    Side by = game.ref.sideOf(cause.pubkey());
    int plies = after.plies() - before.plies();
    Clocks clocks = clocks(game);
    if (plies == 0 && after.history(by).illegalMoves() != before.history(by).illegalMoves()) {
      rightly(by == before.turn(), game, "an illegal move out of turn is counted");
      rightly(
          after.history(by).illegalMoves() == before.history(by).illegalMoves() + 1,
          game,
          "miscounted");
      rightly(!isLegal(before.position(), cause), game, "a legal move is counted: " + cause);
      clocksAre(game, after, List.of(clocks(before.clock())), "after an illegal move");
      return;
    } else if (plies == 0) {
      rightly(after.proposal() != null || before.proposal() != null, game, "nothing has happened");
      clocksAre(game, after, List.of(clocks), "without a move");
    } else if (plies == 1) {
      moved(game, written, commit, by);
      clocksAre(game, after, asked.stream().map(it -> charged(game, it, true)).toList(), "moved");
    } else {
      rightly(
          plies == -1 || plies == -2,
          game,
          "leaps from " + before.moves() + " to " + after.moves());
      Proposal standing = before.proposal();
      rightly(
          standing != null
              && standing.type() == Proposal.Type.TAKEBACK
              && standing.by() == by.opponent()
              && after.turn() == standing.by(),
          game,
          "moves are taken back that nobody has agreed on");
      rightly(
          written.plies().equals(game.plies.subList(0, after.plies())), game, "other plies remain");
      clocksAre(game, after, asked.stream().map(it -> charged(game, it, false)).toList(), "back");
    }
    rightly(
        asked.stream().anyMatch(it -> arrival(it) < deadline(game)), game, "goes on out of time");
    game.resumedAt = 0;
  }

  /** An event that names no game is about the live one, else about the only slow one. */
  private void isMeant(InvariantChecker.KnownGame game, Event cause) {
    boolean isNamed = cause.tags().first("d").or(cause.tags()::root).isPresent();
    List<InvariantChecker.KnownGame> own = games.apply(cause.pubkey());
    rightly(
        isNamed || GameRef.unnamed(own, it -> it.ref.isSlow()) == game,
        game,
        "an event has an effect that is about another game: " + cause);
  }

  private void moved(
      InvariantChecker.KnownGame game, ManualSession.Written written, Commit commit, Side by) {
    OngoingGame before = game.playing;
    OngoingGame after = written.game();
    Move move = after.moves().last();
    rightly(by == before.turn(), game, "a move out of turn");
    Optional<Position> next = before.position().play(move);
    rightly(next.isPresent(), game, "an illegal move is played: " + move.uci());
    rightly(next.get().fen().equals(after.position().fen()), game, "the wrong position");
    int plies = after.plies();
    rightly(
        written.plies().subList(0, plies - 1).equals(game.plies), game, "earlier plies are others");
    String id = written.plies().get(plies - 1);
    rightly(
        commit.events().stream()
            .anyMatch(it -> it.id().hex().equals(id) && it.content().equalsIgnoreCase(move.uci())),
        game,
        "its move is not stored");
    Proposal standing = before.proposal();
    rightly(
        standing == null || standing.by() == by || !standing.equals(after.proposal()),
        game,
        "the move has not let the proposal lapse");
  }

  /** The arrivals of the player's event that has led to the commit; none if it was the relay. */
  private List<Submission> asked(Commit commit) {
    for (Event event : commit.events()) {
      List<Submission> found = commands.of(event.id());
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    }
    for (Row row : commit.rows()) {
      if (row.table().equals(ManualSession.SEEN) && row.value() != null) {
        List<Submission> found = commands.of(new EventId(row.key()));
        if (!found.isEmpty()) {
          return List.copyOf(found);
        }
      }
    }
    return List.of();
  }

  private long arrival(Submission submission) {
    return commands.arrivalOf(submission);
  }

  private static boolean isLegal(Position position, Event event) {
    return Move.parse(event.content()).flatMap(position::play).isPresent();
  }

  // ---- clocks

  private static Clocks clocks(ChessClock clock) {
    return new Clocks(clock.white(), clock.black(), clock.turnSince());
  }

  /** The clocks before the move, with the credit for a restart. */
  private static Clocks clocks(InvariantChecker.KnownGame game) {
    Clocks clocks = clocks(game.playing.clock());
    return game.resumedAt == 0
        ? clocks
        : new Clocks(
            clocks.white() + ChessClock.RESTART_CREDIT,
            clocks.black() + ChessClock.RESTART_CREDIT,
            game.resumedAt);
  }

  /** The clocks after an event that ends the turn. */
  private Clocks charged(InvariantChecker.KnownGame game, Submission by, boolean moved) {
    Clocks clocks = clocks(game);
    ChessClock clock = game.playing.clock();
    TimeLimits limits = clock.limits();
    Side running = clock.running();
    long now = arrival(by);
    if (running != null) {
      long spent = Math.max(0, now - clocks.since() - limits.lagMillis());
      long left = Math.max(0, clocks.of(running) - spent);
      long earned = moved ? limits.control().incrementMillis() : 0;
      boolean isReset = limits.control().isPerMove();
      clocks = clocks.with(running, isReset ? limits.control().baseMillis() : left + earned);
    }
    return clocks.since(now);
  }

  private static void clocksAre(
      InvariantChecker.KnownGame game, OngoingGame after, List<Clocks> due, String when) {
    check(
        due.stream().anyMatch(it -> it.are(after.clock())),
        Invariant.CLOCKS_ARE_RIGHT,
        () -> when + ": " + after.clock() + ", due are " + due + " in " + about(game));
  }

  private static long deadline(InvariantChecker.KnownGame game) {
    ChessClock clock = game.playing.clock();
    TimeLimits limits = clock.limits();
    Clocks clocks = clocks(game);
    Side running = clock.running();
    if (limits.control().isUntimed()) {
      return Long.MAX_VALUE;
    }
    return clocks.since()
        + (running == null ? limits.firstMoveMillis() : clocks.of(running) + limits.lagMillis());
  }

  // ---- endings

  /** Checks the commit that ends a game. */
  ExpectedEnding end(InvariantChecker.KnownGame game, Commit commit) {
    OngoingGame before = game.playing;
    List<Submission> asked = asked(commit);
    asked.stream().map(Submission::event).limit(1).forEach(cause -> isMeant(game, cause));
    Event move =
        commit.events().stream().filter(it -> it.kind() == Nip100.MOVE).findAny().orElse(null);
    Position last = before.position();
    if (move != null) {
      Optional<Position> next = Move.parse(move.content()).flatMap(last::play);
      rightly(next.isPresent(), game, "an illegal move ends it: " + move);
      last = next.get();
    }
    long[] gone = {
      expectedBindings.goneFor(game.ref.player(Side.WHITE)),
      expectedBindings.goneFor(game.ref.player(Side.BLACK))
    };
    long deadline = deadline(game);
    return new ExpectedEnding(
        before, last, move, asked, deadline, gone, missedMove(game, deadline), time.millis());
  }

  /** Whether a legal move that arrived before the deadline is still under way. */
  private boolean missedMove(InvariantChecker.KnownGame game, long deadline) {
    OngoingGame playing = game.playing;
    PubKey mover = game.ref.player(playing.turn());
    Set<SimulatedConnection> bound = expectedBindings.of(mover);
    return commands.of(mover).stream()
        .anyMatch(
            it ->
                arrival(it) < deadline
                    && bound.contains(it.connection())
                    && it.event().kind() == Nip100.MOVE
                    && isFor(game, mover, it.event())
                    && isLegal(playing.position(), it.event()));
  }

  /** Whether a move is for a game, and for any of its plies. */
  private boolean isFor(InvariantChecker.KnownGame game, PubKey mover, Event move) {
    boolean isMeant = !game.ref.isSlow() && !settings.simultaneousGames().includes(mover);
    boolean named = move.tags().root().map(game.ref.id().hex()::equals).orElse(isMeant);
    return named
        && move.tags().list().stream().allMatch(tag -> Set.of("nonce", "e").contains(tag.get(0)));
  }

  /** Checks the announced ending. */
  void judge(InvariantChecker.KnownGame game, ExpectedEnding ending, Tags said) {
    String word = said.first("termination").orElse("");
    Termination termination =
        Arrays.stream(Termination.values())
            .filter(it -> it.word().equals(word))
            .findAny()
            .orElseThrow();
    Result result =
        Arrays.stream(Result.values())
            .filter(it -> it.text().equals(said.first("result").orElse("")))
            .findAny()
            .orElseThrow();
    ending.is(result, termination);
    OngoingGame before = ending.before();
    Position last = ending.last();
    Event cause = ending.cause();
    Side by = cause == null ? null : game.ref.sideOf(cause.pubkey());
    Result due;
    Optional<Outcome> outcome = last.outcome();
    if (outcome.isPresent()) {
      rightly(Termination.of(outcome.get()) == termination, game, "not " + word);
      due =
          termination == Termination.CHECKMATE
              ? Result.winFor(last.turn().opponent())
              : Result.DRAW;
    } else {
      rightly(ending.move() == null, game, "a move ends it that ends nothing");
      due =
          switch (termination) {
            case THREEFOLD -> {
              rightly(last.threefold() && by == last.turn(), game, "no threefold repetition");
              yield Result.DRAW;
            }
            case FIFTYMOVES -> {
              rightly(last.fiftyMoves() && by == last.turn(), game, "no fifty moves");
              yield Result.DRAW;
            }
            case AGREEMENT -> {
              rightly(
                  by != null && before.isAsked(by, Proposal.Type.DRAW), game, "nobody has offered");
              yield Result.DRAW;
            }
            case RESIGNATION -> {
              rightly(
                  by != null && Set.of("resign", "quit").contains(cause.content()),
                  game,
                  "nobody has resigned");
              yield Result.winFor(by.opponent());
            }
            case TIMEOUT -> {
              rightly(ending.at() >= ending.deadline(), game, "there was time left");
              rightly(before.clock().running() != null, game, "no clock ran");
              rightly(!ending.missedMove(), game, "a move had arrived in time");
              yield lossOrDraw(before, before.turn());
            }
            case ILLEGALMOVES -> {
              rightly(
                  by == before.turn()
                      && before.history(by).illegalMoves() == 1
                      && !isLegal(before.position(), cause),
                  game,
                  "no two illegal moves");
              yield lossOrDraw(before, by);
            }
            case ABANDONED -> abandoned(game, ending, result);
            case ABORTED -> {
              rightly(ending.mayBeAborted(), game, "aborted too late");
              yield Result.NONE;
            }
            default -> throw new Violation(Invariant.DECIDED_BY_THE_RULES, "not " + word);
          };
    }
    rightly(result == due, game, word + " is " + due.text() + ", not " + result.text());
  }

  private Result abandoned(InvariantChecker.KnownGame game, ExpectedEnding ending, Result said) {
    OngoingGame before = ending.before();
    rightly(!game.ref.isSlow(), game, "one may leave a slow game");
    rightly(before.plies() >= 2, game, "it should be aborted");
    long grace = settings.abandonGrace().toMillis();
    for (Side side : Side.values()) {
      if (ending.goneFor(side) >= grace && lossOrDraw(before, side) == said) {
        return said;
      }
    }
    throw new Violation(
        Invariant.DECIDED_BY_THE_RULES, "nobody was gone long enough: " + about(game));
  }

  private static Result lossOrDraw(OngoingGame game, Side loser) {
    return game.position().canMate(loser.opponent())
        ? Result.winFor(loser.opponent())
        : Result.DRAW;
  }

  /** Checks that the record is that of the game. */
  void read(
      InvariantChecker.KnownGame game, ExpectedEnding ending, Event record, Set<EventId> stored) {
    OngoingGame before = ending.before();
    rightly(ending.result() != Result.NONE, game, "a record of an aborted game");
    List<String> plies = record.tags().named("plies").findFirst().orElseThrow();
    List<String> ids = plies.subList(1, plies.size());
    String moves = before.moves().toString();
    rightly(ids.subList(0, before.plies()).equals(game.plies), game, "the plies are others");
    Event move = ending.move();
    if (move != null) {
      moves += (moves.isEmpty() ? "" : " ") + move.content();
      rightly(ids.get(ids.size() - 1).equals(move.id().hex()), game, "the last ply is missing");
    }
    rightly(ids.size() == before.plies() + (move == null ? 0 : 1), game, "too many plies");
    rightly(ids.stream().allMatch(id -> stored.contains(EventId.ofHex(id))), game, "lost plies");
    try {
      PgnGame pgn = PgnReader.read(record.content());
      rightly(pgn.moves().toString().equalsIgnoreCase(moves), game, "other moves in the record");
      rightly(pgn.result() == ending.result(), game, "another result in the PGN");
    } catch (PgnException e) {
      throw new Violation(Invariant.DECIDED_BY_THE_RULES, "no PGN: " + e.getMessage());
    }
  }

  private static void rightly(boolean holds, InvariantChecker.KnownGame game, String what) {
    check(holds, Invariant.DECIDED_BY_THE_RULES, () -> what + ": " + about(game));
  }
}
