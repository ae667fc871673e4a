package gambit.app.tool.play;

import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.GameView.GameEnding;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;

/** Sentences about games. Pure. */
final class Wording {
  private static final long TENTHS_BELOW_MILLIS = 10_000;

  private Wording() {}

  static String name(Side side) {
    return side == Side.WHITE ? "White" : "Black";
  }

  static String player(PubKey key) {
    String npub = Nip19.npub(key);
    return npub.substring(0, 10) + ".." + npub.substring(npub.length() - 4);
  }

  static String ending(GameTerms terms, GameEnding ending) {
    String cause = cause(ending.termination());
    Result result = ending.result();
    if (result == Result.NONE) {
      return "The game was aborted, without a result.";
    } else if (result == Result.DRAW) {
      return "Drawn" + cause + ".";
    }
    Side winner = result == Result.WHITE_WINS ? Side.WHITE : Side.BLACK;
    Side ours = terms.ours();
    String who = ours == null ? name(winner) + " wins" : ours == winner ? "You win" : "You lose";
    return who + cause + " (" + result.text() + ").";
  }

  private static String cause(String termination) {
    return switch (termination) {
      case "checkmate" -> " by checkmate";
      case "stalemate" -> " by stalemate";
      case "deadposition" -> ": neither side can mate";
      case "threefold" -> " by threefold repetition";
      case "fivefold" -> " by fivefold repetition";
      case "fiftymoves" -> " by the fifty-move rule";
      case "seventyfivemoves" -> " by the 75-move rule";
      case "agreement" -> " by agreement";
      case "resignation" -> " by resignation";
      case "timeout" -> " on time";
      case "illegalmoves" -> " by a second illegal move";
      case "abandoned" -> ": a player has left";
      default -> "";
    };
  }

  /** A remaining time: {@code 1:05:09}, {@code 4:32}, below ten seconds {@code 0:09.4}. */
  static String clock(long millis) {
    long seconds = millis / 1000;
    if (millis < TENTHS_BELOW_MILLIS) {
      return "0:0%d.%d".formatted(seconds, millis % 1000 / 100);
    } else if (seconds < 3600) {
      return "%d:%02d".formatted(seconds / 60, seconds % 60);
    }
    return "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** A time limit: {@code within 45 seconds}, {@code within 2 minutes}; 0 is an unknown one. */
  static String within(long seconds) {
    if (seconds <= 0) {
      return "soon";
    }
    boolean isMinutes = seconds % 60 == 0;
    long number = isMinutes ? seconds / 60 : seconds;
    String unit = isMinutes ? "minute" : "second";
    return "within " + number + " " + unit + (number == 1 ? "" : "s");
  }

  static String time(TimeControl time) {
    return time.isUntimed() ? "untimed" : time.text();
  }
}
