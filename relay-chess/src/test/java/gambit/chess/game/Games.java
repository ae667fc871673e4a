package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;

/** Games to test with, brought about by commands only. */
final class Games {

  /** 2026-03-01 18:30:05 UTC. */
  static final long START = 1_772_389_805_000L;

  /** When every command is given. */
  static final long NOW = START + 60_000;

  private Games() {}

  static Playing start() {
    return Playing.start(Rules.initial(), START);
  }

  static Playing from(String fen) {
    return Playing.start(position(fen), START);
  }

  static Position position(String fen) {
    return Rules.parseFen(fen).orElseThrow();
  }

  static Move move(String uci) {
    return Move.parse(uci).orElseThrow();
  }

  /** Plays legal moves in turn; none but the last may end the game. */
  static Game after(Playing game, String moves) {
    Game now = game;
    for (String uci : moves.split(" ")) {
      Playing playing = (Playing) now;
      now = next(playing, new Command.Play(playing.turn(), move(uci)));
    }
    return now;
  }

  /** As {@link #after}, for moves after which the game goes on. */
  static Playing still(Playing game, String moves) {
    return (Playing) after(game, moves);
  }

  static Game next(Game game, Command command) {
    return step(Referee.decide(game, command, NOW)).next();
  }

  static Step step(Decision decision) {
    assertThat(decision).isInstanceOf(Step.class);
    return (Step) decision;
  }
}
