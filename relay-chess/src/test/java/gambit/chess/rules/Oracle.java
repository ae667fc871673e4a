package gambit.chess.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.wolfraam.chessgame.ChessGame;
import io.github.wolfraam.chessgame.move.IllegalMoveException;
import io.github.wolfraam.chessgame.notation.NotationType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The same game in an independent chess library. */
final class Oracle {
  private final ChessGame game;

  /** A game from the start. */
  Oracle() {
    game = new ChessGame();
  }

  /** A game from some position. */
  Oracle(String fen) {
    game = new ChessGame(fen);
  }

  /** Tells whether the move is legal, and plays it if it is. */
  boolean play(Move move) {
    var theirs = theirs(move);
    boolean legal = game.isLegalMove(theirs);
    if (legal) {
      game.playMove(theirs);
    }
    return legal;
  }

  String san(Move move) {
    return game.getNotation(NotationType.SAN, theirs(move));
  }

  private io.github.wolfraam.chessgame.move.Move theirs(Move move) {
    try {
      return game.getMove(NotationType.UCI, move.uci());
    } catch (IllegalMoveException e) {
      throw new AssertionError(e);
    }
  }

  /** Asserts that both have the same position with the same legal moves. */
  void agreesOn(Position own) {
    assertThat(withoutEnPassant(own.fen())).isEqualTo(withoutEnPassant(game.getFen()));
    assertThat(uci(own.legalMoves())).as(own.fen()).isEqualTo(legalMoves());
    assertThat(own.inCheck()).isEqualTo(game.isKingAttacked());
  }

  /** The two write the en passant square under different conditions; the moves compare it. */
  private static String withoutEnPassant(String fen) {
    String[] fields = fen.split(" ");
    fields[3] = "-";
    return String.join(" ", fields);
  }

  private static Set<String> uci(List<Move> moves) {
    return moves.stream().map(Move::uci).collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<String> legalMoves() {
    return game.getLegalMoves().stream()
        .map(move -> game.getNotation(NotationType.UCI, move))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
