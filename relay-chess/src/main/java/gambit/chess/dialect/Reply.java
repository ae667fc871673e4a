package gambit.chess.dialect;

import gambit.core.wire.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a player's event: its OK, and what is told beside it.
 *
 * @param refusal why the OK is false, or null when it is true
 * @param text of an OK that is true
 */
public record Reply(@Nullable Reason refusal, String text, List<Notice> notices) {

  /** An OK that is true, and what is sent with it. */
  public static Reply accepted(String text, List<Notice> notices) {
    return new Reply(null, text, notices);
  }

  /** A refusal in the OK and nowhere else. */
  public static Reply refused(Reason reason) {
    return new Reply(reason, "", List.of());
  }
}
