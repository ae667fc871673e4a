package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.List;
import java.util.Random;

/** Games for tests, made by commands only. */
final class SampleGames {

  /** 2026-03-01 18:30:05 UTC. */
  static final long START = 1_772_389_805_000L;

  /** When every command is given. */
  static final long NOW = START + 60_000;

  private SampleGames() {}

  static OngoingGame start() {
    return start(Position.initial());
  }

  /** An untimed game. */
  static OngoingGame start(Position initial) {
    return OngoingGame.start(initial, TimeControl.UNTIMED, 0, 0, START);
  }

  /** A game with clocks, 30 s for first moves and an allowance of 200 ms for lag. */
  static OngoingGame timed(String control) {
    return timed(Position.initial(), control);
  }

  static OngoingGame timed(Position initial, String control) {
    return OngoingGame.start(initial, TimeControl.parse(control).orElseThrow(), 30_000, 200, START);
  }

  static OngoingGame from(String fen) {
    return start(position(fen));
  }

  static Position position(String fen) {
    return Position.parseFen(fen).orElseThrow();
  }

  static Move move(String uci) {
    return Move.parse(uci).orElseThrow();
  }

  /** Plays legal moves in turn; none but the last may end the game. */
  static Game after(OngoingGame game, String moves) {
    Game now = game;
    for (String uci : moves.split(" ")) {
      OngoingGame playing = (OngoingGame) now;
      now = next(playing, play(playing.turn(), uci));
    }
    return now;
  }

  /** As {@link #after}, for moves after which the game continues. */
  static OngoingGame still(OngoingGame game, String moves) {
    return (OngoingGame) after(game, moves);
  }

  /** Up to 200 plies, each after up to three seconds, and none that ends the game. */
  static OngoingGame randomly(OngoingGame start, Random random) {
    OngoingGame game = start;
    int plies = random.nextInt(200);
    for (int i = 0; i < plies; i++) {
      List<Move> legal = game.position().legalMoves();
      Move move = legal.get(random.nextInt(legal.size()));
      long now = game.changedAt() + random.nextInt(3_000);
      if (!(next(game, new Command.Play(game.turn(), move, false), now)
          instanceof OngoingGame next)) {
        break;
      }
      game = next;
    }
    return game;
  }

  static Command.Play play(Side side, String uci) {
    return new Command.Play(side, move(uci), false);
  }

  static Game next(Game game, Command command) {
    return next(game, command, NOW);
  }

  static Game next(Game game, Command command, long now) {
    return step(Referee.decide(game, command, now)).next();
  }

  static Step step(Ruling decision) {
    assertThat(decision).isInstanceOf(Step.class);
    return (Step) decision;
  }
}
