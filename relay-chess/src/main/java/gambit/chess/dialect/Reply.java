package gambit.chess.dialect;

import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a player's event: an OK that is false for a reason, or true with a note, or for a
 * duplicate; and notifications for its author.
 */
public record Reply(
    @Nullable Reason refusal, Optional<Reason> duplicate, String note, List<Notification> notices) {

  public static Reply accepted(String note, List<Notification> notices) {
    return new Reply(null, Optional.empty(), note, notices);
  }

  public static Reply duplicate(Reason reason) {
    return new Reply(null, Optional.of(reason), "", List.of());
  }

  public static Reply refused(Reason reason) {
    return new Reply(reason, Optional.empty(), "", List.of());
  }

  public Ok ok(Event event) {
    return refusal != null
        ? Ok.refused(event, refusal)
        : duplicate.map(it -> Ok.duplicate(event, it)).orElseGet(() -> Ok.accepted(event, note));
  }
}
