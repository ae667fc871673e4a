package gambit.app.tool.client;

import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.GameView.GameEnding;
import gambit.app.tool.client.GameView.Presence;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one game, updated with the events of the relay, whose signatures have been verified.
 * The same event may come twice, or the same fact in two events. Owned by the thread of its {@link
 * PlayerClient}. Times are epoch milliseconds of this client.
 *
 * <p>Each method that reads an event returns whether the game has changed.
 */
final class TrackedGame {
  /** The plies before the clocks run: each side has one move with a limit of its own. */
  private static final int PLIES_WITHOUT_CLOCK = 2;

  /** What both sides get when a game is resumed after a restart of the relay. */
  private static final long RESUMPTION_BONUS_MILLIS = 15_000;

  /** The clocks of a state that began at a time of the relay, or -1. */
  private record StatedClocks(long white, long black, long began) {}

  /** A resumption after a restart of the relay, by the relay's and by this client's clock. */
  private record Resumption(long at, long ours) {}

  private GameTerms terms;
  private Position position;
  private final List<Move> moves = new ArrayList<>();
  private int plies;
  private boolean complete = true;

  /** As last known; null in an untimed game, and before the relay has sent them. */
  private @Nullable GameClocks clocks;

  /** The clocks of the last state; null after clocks that include any resumption. */
  private @Nullable StatedClocks stated;

  private @Nullable Resumption resumption;
  private @Nullable Proposal proposal;
  private @Nullable Presence presence;
  private @Nullable GameEnding ending;

  /** A game with the moves of it that are known, which are legal. */
  TrackedGame(GameTerms terms, List<Move> played) {
    this.terms = terms;
    this.position = replay(terms.initial(), played).orElseThrow();
    this.plies = played.size();
    moves.addAll(played);
  }

  GameTerms terms() {
    return terms;
  }

  boolean isOver() {
    return ending != null;
  }

  GameView view() {
    List<Move> known = complete ? List.copyOf(moves) : List.of();
    return new GameView(terms, position, known, complete, clocks, proposal, presence, ending);
  }

  int plies() {
    return plies;
  }

  /** Reads the {@code gameisfound} that resumes the game: position, moves and clocks. */
  boolean resume(Event found, long now) {
    Tags tags = found.tags();
    Optional<Position> current = tags.first("fen").flatMap(Position::parseFen);
    if (current.isEmpty() || isOver()) {
      return false;
    }
    String text = tags.first("moves").orElse("");
    List<Move> played = new ArrayList<>();
    for (String uci : text.isEmpty() ? new String[0] : text.split(" ")) {
      Optional<Move> move = Move.parse(uci);
      if (move.isEmpty()) {
        return false;
      }
      played.add(move.get());
    }
    plies = played.size();
    setMoves(played, current.get());
    readClocks(tags, now);
    stated = null;
    return true;
  }

  private void setMoves(List<Move> played, Position current) {
    Optional<Position> replayed = replay(terms.initial(), played, current);
    complete = replayed.isPresent();
    position = replayed.orElse(current);
    moves.clear();
    moves.addAll(complete ? played : List.of());
  }

  /** The position after the moves, with its history. */
  private static Optional<Position> replay(Position from, List<Move> played) {
    Optional<Position> at = Optional.of(from);
    for (Move move : played) {
      at = at.flatMap(position -> position.play(move));
    }
    return at;
  }

  private static Optional<Position> replay(Position from, List<Move> played, Position expected) {
    return replay(from, played).filter(position -> position.fen().equals(expected.fen()));
  }

  /** Supplies the first position and the moves, if they lead to the position that is known. */
  boolean complete(Position initial, List<Move> played) {
    List<Move> known = played.size() > plies ? played.subList(0, plies) : played;
    Optional<Position> replayed = replay(initial, known, position);
    if (complete || replayed.isEmpty()) {
      return false;
    }
    terms = terms.withInitial(initial);
    position = replayed.get();
    moves.addAll(known);
    plies = known.size();
    complete = true;
    return true;
  }

  private @Nullable Side running() {
    boolean runs = plies >= PLIES_WITHOUT_CLOCK || terms.time().isCorrespondence();
    return runs && !isOver() && !terms.time().isUntimed() ? position.turn() : null;
  }

  /** Reads a state of kind 20302, which began at a time by this client's clock. */
  boolean readState(Event state, long startedAt) {
    Tags tags = state.tags();
    Optional<Position> current = Position.parseFen(state.content());
    int ply = EventTags.smallNumber(tags, "ply", -1);
    if (current.isEmpty() || ply < 0 || isOver()) {
      return false;
    }
    advanceTo(ply, current.get(), tags.first("move").flatMap(Move::parse));
    proposal = proposal(tags);
    readClocks(tags, startedAt);
    applyResumption();
    tags.first("result").ifPresent(result -> end(state, startedAt));
    return true;
  }

  private void advanceTo(int ply, Position current, Optional<Move> last) {
    if (ply == plies && current.fen().equals(position.fen())) {
      return;
    }
    if (ply == plies + 1) {
      Optional<Position> next =
          last.flatMap(position::play).filter(after -> after.fen().equals(current.fen()));
      if (next.isPresent()) {
        position = next.get();
        plies = ply;
        if (complete) {
          moves.add(last.orElseThrow());
        }
        return;
      }
    }
    boolean isTakenBack = complete && ply < moves.size();
    List<Move> known = isTakenBack ? List.copyOf(moves.subList(0, ply)) : List.of();
    plies = ply;
    setMoves(known, current);
  }

  private static @Nullable Proposal proposal(Tags tags) {
    Side draw = EventTags.side(tags.first("draw").orElse(""));
    Side takeback = EventTags.side(tags.first("takeback").orElse(""));
    if (draw != null) {
      return new Proposal(Proposal.Type.DRAW, draw);
    }
    return takeback == null ? null : new Proposal(Proposal.Type.TAKEBACK, takeback);
  }

  boolean readPresence(Event event, long clockDifference) {
    if (isOver()) {
      return false;
    }
    Tags tags = event.tags();
    Presence now =
        new Presence(
            awaySince(tags, Side.WHITE),
            awaySince(tags, Side.BLACK),
            EventTags.smallNumber(tags, "watching", 0));
    boolean changed = !now.equals(presence);
    presence = now;
    return readResumption(tags, clockDifference) || changed;
  }

  private static @Nullable Instant awaySince(Tags tags, Side side) {
    List<String> tag = EventTags.tag(tags, EventTags.word(side)).orElse(List.of());
    return EventTags.at(tag, 1).equals("away")
        ? Instant.ofEpochSecond(EventTags.number(EventTags.at(tag, 2), 0))
        : null;
  }

  // ---- clocks

  /** Reads clocks that run since a time of this client's clock. */
  private void readClocks(Tags tags, long since) {
    List<String> tag = EventTags.tag(tags, "clock").orElse(List.of());
    long white = EventTags.number(EventTags.at(tag, 1), -1);
    long black = EventTags.number(EventTags.at(tag, 2), -1);
    long began = EventTags.number(EventTags.at(tag, 3), -1);
    boolean isTimed = white >= 0 && black >= 0;
    clocks = isTimed ? new GameClocks(white, black, running(), since) : null;
    stated = isTimed ? new StatedClocks(white, black, began) : null;
  }

  /** Reads from a presence whether the game has been resumed; true if that changes the clocks. */
  private boolean readResumption(Tags presence, long clockDifference) {
    long resumed = EventTags.number(presence, "resumed", -1);
    if (resumed < 0 || (resumption != null && resumption.at() == resumed)) {
      return false;
    }
    resumption = new Resumption(resumed, resumed + clockDifference);
    return applyResumption();
  }

  /** The clocks of a state that began before the resumption run since then, with more time. */
  private boolean applyResumption() {
    if (stated == null || resumption == null || resumption.at() <= stated.began()) {
      return false;
    }
    GameClocks known = clocks;
    clocks =
        new GameClocks(
            stated.white() + RESUMPTION_BONUS_MILLIS,
            stated.black() + RESUMPTION_BONUS_MILLIS,
            running(),
            resumption.ours());
    return !clocks.equals(known);
  }

  // ---- endings

  /**
   * Reads the notification of an ending, which the relay keeps for a player who is away. It follows
   * the last state, and so ends only a game of which the player has missed that.
   */
  boolean readEnding(Event event, long now) {
    return event.tags().first("result").isPresent() && end(event, now);
  }

  private boolean end(Event event, long now) {
    if (isOver()) {
      return false;
    }
    ending = GameEnding.of(event.tags());
    proposal = null;
    clocks = clocks == null ? null : clocks.stopped(now);
    return true;
  }

  /** Reads the record; it also completes the moves of a game that was not followed. */
  boolean readRecord(Event event, long now) {
    end(event, now);
    GameEnding known = ending;
    if (known == null || known.record() != null) {
      return false;
    }
    ending = new GameEnding(known.result(), known.termination(), event);
    try {
      PgnGame game = PgnReader.read(event.content());
      List<Move> played = game.moves().toList();
      Optional<Position> last = replay(game.initial(), played);
      terms = terms.withInitial(game.initial());
      position = last.orElse(position);
      moves.clear();
      moves.addAll(played);
      plies = played.size();
      complete = true;
    } catch (PgnException e) {
      // the record is kept with the moves that are known from the game itself
    }
    return true;
  }
}
