package gambit.chess.game;

import static gambit.chess.game.SampleGames.after;
import static gambit.chess.game.SampleGames.from;
import static gambit.chess.game.SampleGames.next;
import static gambit.chess.game.SampleGames.play;
import static gambit.chess.game.SampleGames.start;
import static gambit.chess.game.SampleGames.still;
import static gambit.chess.rules.Side.BLACK;
import static gambit.chess.rules.Side.WHITE;
import static java.util.Comparator.comparingInt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import org.junit.jupiter.api.Test;

/** Games from their first move to each way in which a game can end. */
class WholeGameTest {

  @Test
  void foolsMateEndsTheGame() {
    assertEnd(after(start(), "f2f3 e7e5 g2g4 d8h4"), Result.BLACK_WINS, Termination.CHECKMATE);
  }

  @Test
  void stalemateInTenMovesIsADraw() {
    String moves =
        "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6"
            + " c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
    assertEnd(after(start(), moves), Result.DRAW, Termination.STALEMATE);
  }

  @Test
  void captureOfTheLastPawnLeavesADeadPosition() {
    OngoingGame game = from("8/8/8/8/3k4/8/4P3/K7 w - - 0 60");
    assertEnd(after(game, "e2e3 d4e3"), Result.DRAW, Termination.DEADPOSITION);
  }

  @Test
  void underpromotionMayLeaveADeadPosition() {
    OngoingGame game = from("8/8/4k3/8/4P3/4K3/8/8 b - - 0 60");
    String moves = "e6e5 e3d3 e5f4 d3d4 f4f3 e4e5 f3f4 e5e6 f4f5 e6e7 f5f6 e7e8n";
    assertEnd(after(game, moves), Result.DRAW, Termination.DEADPOSITION);
  }

  @Test
  void thirdRepetitionMayBeClaimedAndDoesNotEndTheGame() {
    OngoingGame third = still(start(), "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8");
    assertEnd(
        next(third, new Command.Plain(Command.Type.CLAIM_DRAW, WHITE)),
        Result.DRAW,
        Termination.THREEFOLD);
  }

  @Test
  void fifthRepetitionEndsTheGame() {
    String there = "b1c3 b8c6 c3b1 c6b8 ";
    assertEnd(after(start(), there.repeat(4).strip()), Result.DRAW, Termination.FIVEFOLD);
  }

  @Test
  void fiftyMovesMayBeClaimedAndDoNotEndTheGame() {
    OngoingGame quiet = (OngoingGame) quietly(start(), 100);
    assertThat(quiet.position().threefold()).isFalse();
    assertThat(((OngoingGame) quietly(start(), 99)).position().fiftyMoves()).isFalse();
    assertEnd(
        next(quiet, new Command.Plain(Command.Type.CLAIM_DRAW, WHITE)),
        Result.DRAW,
        Termination.FIFTYMOVES);
  }

  @Test
  void seventyFiveMovesEndTheGame() {
    assertEnd(quietly(start(), 150), Result.DRAW, Termination.SEVENTYFIVEMOVES);
  }

  @Test
  void playersMayAgreeToADraw() {
    Game offered =
        next(after(start(), "d2d4 d7d5"), new Command.Plain(Command.Type.OFFER_DRAW, BLACK));
    assertEnd(
        next(offered, new Command.Plain(Command.Type.ACCEPT, WHITE)),
        Result.DRAW,
        Termination.AGREEMENT);
  }

  @Test
  void playerWhoResignsLoses() {
    Game game = after(start(), "e2e4 c7c5");
    assertEnd(
        next(game, new Command.Plain(Command.Type.RESIGN, BLACK)),
        Result.WHITE_WINS,
        Termination.RESIGNATION);
  }

  @Test
  void secondIllegalMoveLosesHoweverMuchLater() {
    Game game = next(start(), play(WHITE, "e1g1"));
    game = after((OngoingGame) game, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    game = next(game, play(WHITE, "e4e5"));
    assertEnd(game, Result.BLACK_WINS, Termination.ILLEGALMOVES);
  }

  @Test
  void absentPlayerLoses() {
    Game game = next(after(start(), "e2e4 e7e5"), new Command.Abandon(BLACK));
    assertEnd(game, Result.WHITE_WINS, Termination.ABANDONED);
  }

  @Test
  void abortedGameHasNoResult() {
    Game game = next(after(start(), "e2e4"), new Command.Plain(Command.Type.ABORT, BLACK));
    assertEnd(game, Result.NONE, Termination.ABORTED);
  }

  @Test
  void gameCannotStartInAFinalPosition() {
    assertThatThrownBy(() -> from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void terminationsAreWordsInLowerCase() {
    assertThat(Termination.values())
        .extracting(Termination::word)
        .containsExactly(
            "checkmate",
            "stalemate",
            "deadposition",
            "threefold",
            "fivefold",
            "fiftymoves",
            "seventyfivemoves",
            "agreement",
            "resignation",
            "timeout",
            "illegalmoves",
            "abandoned",
            "aborted");
  }

  private static void assertEnd(Game game, Result result, Termination termination) {
    assertThat(game).isInstanceOf(FinishedGame.class);
    FinishedGame over = (FinishedGame) game;
    assertThat(over.result()).isEqualTo(result);
    assertThat(over.termination()).isEqualTo(termination);
  }

  /** Plays knight moves at home, where nothing meets, repeating as little as they can. */
  private static Game quietly(OngoingGame start, int plies) {
    Game game = start;
    for (int i = 0; i < plies; i++) {
      OngoingGame playing = (OngoingGame) game;
      game = next(playing, new Command.Play(playing.turn(), freshest(playing.position()), false));
    }
    return game;
  }

  private static Move freshest(Position position) {
    return position.legalMoves().stream()
        .filter(move -> position.at(move.from()).orElseThrow().kind() == PieceKind.KNIGHT)
        .filter(move -> position.turn() == Side.WHITE ? move.to() < 24 : move.to() >= 40)
        .min(comparingInt(move -> position.play(move).orElseThrow().occurrences()))
        .orElseThrow();
  }
}
