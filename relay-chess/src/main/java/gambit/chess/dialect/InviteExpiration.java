package gambit.chess.dialect;

import gambit.core.model.Tags;
import gambit.core.wire.Reason;
import java.util.Optional;

/**
 * The {@code expiration} tag of an invite as it was written; empty when there is none. Times are
 * seconds of Unix time. Immutable.
 */
public record InviteExpiration(Optional<String> text) {
  private static final long MAX_SECONDS = 30 * 24 * 60 * 60;

  /** Reads an event's tag. */
  public static InviteExpiration of(Tags tags) {
    return new InviteExpiration(tags.first("expiration"));
  }

  /** Why an invite cannot expire then. */
  public Optional<Reason> objection(long now) {
    if (text.isEmpty()) {
      return Optional.empty();
    } else if (!text.get().matches("[0-9]{1,12}")) {
      return Optional.of(Reason.invalid("the expiration is not a time in seconds"));
    }
    return Long.parseLong(text.get()) <= now
        ? Optional.of(Reason.invalid("the invite has expired"))
        : Optional.empty();
  }

  /**
   * When an invite expires to which there is no objection.
   *
   * @param otherwise the answer when there is no tag
   */
  public long orElse(long now, long otherwise) {
    return text.map(it -> Math.min(Long.parseLong(it), now + MAX_SECONDS)).orElse(otherwise);
  }
}
