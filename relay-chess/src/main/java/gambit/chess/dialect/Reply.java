package gambit.chess.dialect;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a player's event: its OK, and what is told beside it.
 *
 * @param refusal why the OK is false, or null when it is true
 * @param duplicate why an event that is accepted had no effect of its own
 * @param note of an OK that is true and has no reason
 */
public record Reply(
    @Nullable Reason refusal, Optional<Reason> duplicate, String note, List<Notice> notices) {

  /** An OK that is true, and what is sent with it. */
  public static Reply accepted(String note, List<Notice> notices) {
    return new Reply(null, Optional.empty(), note, notices);
  }

  /** An OK that is true, of an event that had no effect of its own. */
  public static Reply duplicate(Reason reason) {
    return new Reply(null, Optional.of(reason), "", List.of());
  }

  /** A refusal in the OK and nowhere else. */
  public static Reply refused(Reason reason) {
    return new Reply(reason, Optional.empty(), "", List.of());
  }

  /** The OK for the event. */
  public Ok ok(Event event) {
    return refusal != null
        ? Ok.refused(event, refusal)
        : duplicate.map(it -> Ok.duplicate(event, it)).orElseGet(() -> Ok.accepted(event, note));
  }
}
