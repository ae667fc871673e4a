package gambit.chess.dialect;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a player's event: its OK, and notifications for its author.
 *
 * @param refusal the reason of an OK that is false, else null
 * @param duplicate the reason of an OK that is true for an event without an effect of its own
 * @param note the text of an OK that is true and has no reason
 * @param notices the notifications
 */
public record Reply(
    @Nullable Reason refusal, Optional<Reason> duplicate, String note, List<Notification> notices) {

  /** An OK that is true, with notifications. */
  public static Reply accepted(String note, List<Notification> notices) {
    return new Reply(null, Optional.empty(), note, notices);
  }

  /** An OK that is true for an event without an effect of its own. */
  public static Reply duplicate(Reason reason) {
    return new Reply(null, Optional.of(reason), "", List.of());
  }

  /** An OK that is false, without notifications. */
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
