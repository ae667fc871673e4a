package gambit.chess.rules;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A second implementation of the reader of FEN, on a board of 64 letters from a8 to h1. */
final class FenRules {
  private static final String NUMBER = "(0|[1-9][0-9]{0,4})";
  private static final Pattern FORM =
      Pattern.compile(
          "([1-8a-zA-Z/]+) ([wb]) (-|(?! )K?Q?k?q?) (-|[a-h][36]) " + NUMBER + " " + NUMBER);
  private static final int[][] LINES = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  private static final int[][] DIAGONALS = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  private static final int[][] LEAPS = {
    {1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}
  };

  private final String board;
  private final boolean white;

  private FenRules(String board, boolean white) {
    this.board = board;
    this.white = white;
  }

  static boolean allow(String fen) {
    Matcher fields = FORM.matcher(fen);
    if (!fields.matches() || fields.group(6).equals("0")) {
      return false;
    }
    String board = boardOf(fields.group(1));
    if (board.length() != 64) {
      return false;
    }
    FenRules position = new FenRules(board, fields.group(2).equals("w"));
    return position.hasPlausiblePieces()
        && position.fitsCastling(fields.group(3))
        && position.fitsEnPassant(fields.group(4))
        && !position.mayTakeTheKing();
  }

  /** 64 letters, a dot for an empty square, or something shorter. */
  private static String boardOf(String placement) {
    if (placement.matches(".*[1-8][1-8].*") || !placement.matches("[1-8pnbrqkPNBRQK/]+")) {
      return "";
    }
    StringBuilder squares = new StringBuilder();
    for (char c : placement.toCharArray()) {
      squares.append(c >= '1' && c <= '8' ? ".".repeat(c - '0') : String.valueOf(c));
    }
    String[] ranks = squares.toString().split("/", -1);
    for (String rank : ranks) {
      if (rank.length() != 8) {
        return "";
      }
    }
    return String.join("", ranks);
  }

  private boolean hasPlausiblePieces() {
    return count("K") == 1
        && count("k") == 1
        && count("P") <= 8
        && count("p") <= 8
        && count("PNBRQK") <= 16
        && count("pnbrqk") <= 16
        && (board.substring(0, 8) + board.substring(56)).toLowerCase().indexOf('p') < 0;
  }

  private long count(String letters) {
    return board.chars().filter(c -> letters.indexOf(c) >= 0).count();
  }

  private boolean fitsCastling(String rights) {
    return (!rights.contains("K") || (at("e1") == 'K' && at("h1") == 'R'))
        && (!rights.contains("Q") || (at("e1") == 'K' && at("a1") == 'R'))
        && (!rights.contains("k") || (at("e8") == 'k' && at("h8") == 'r'))
        && (!rights.contains("q") || (at("e8") == 'k' && at("a8") == 'r'));
  }

  /** The other side's pawn has just gone two squares, over this one. */
  private boolean fitsEnPassant(String square) {
    if (square.equals("-")) {
      return true;
    }
    String file = square.substring(0, 1);
    return square.endsWith(white ? "6" : "3")
        && at(square) == '.'
        && at(file + (white ? 7 : 2)) == '.'
        && at(file + (white ? 5 : 4)) == (white ? 'p' : 'P');
  }

  private char at(String square) {
    return at(square.charAt(0) - 'a', square.charAt(1) - '1');
  }

  /** The piece on the square, or a blank beyond the board. */
  private char at(int file, int rank) {
    boolean inside = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return inside ? board.charAt((7 - rank) * 8 + file) : ' ';
  }

  /** The side to move attacks the other king. */
  private boolean mayTakeTheKing() {
    int king = board.indexOf(white ? 'k' : 'K');
    int file = king % 8;
    int rank = 7 - king / 8;
    int behind = white ? -1 : 1;
    return own('p', at(file - 1, rank + behind))
        || own('p', at(file + 1, rank + behind))
        || meets(LEAPS, file, rank, 1, "n")
        || meets(LINES, file, rank, 1, "k")
        || meets(DIAGONALS, file, rank, 1, "k")
        || meets(LINES, file, rank, 7, "rq")
        || meets(DIAGONALS, file, rank, 7, "bq");
  }

  private boolean meets(int[][] directions, int file, int rank, int reach, String kinds) {
    for (int[] direction : directions) {
      int steps = 1;
      while (steps < reach && at(file + direction[0] * steps, rank + direction[1] * steps) == '.') {
        steps++;
      }
      char met = at(file + direction[0] * steps, rank + direction[1] * steps);
      if (kinds.chars().anyMatch(kind -> own((char) kind, met))) {
        return true;
      }
    }
    return false;
  }

  private boolean own(char kind, char letter) {
    return letter == (white ? Character.toUpperCase(kind) : kind);
  }
}
