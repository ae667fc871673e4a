package gambit.chess.dialect;

import gambit.core.model.Tags;
import gambit.core.wire.Reason;
import java.util.Optional;

/**
 * The {@code expiration} tag of an invite, not checked yet; empty if there is none. Times are
 * seconds of Unix time. Immutable.
 */
public record InviteExpiration(Optional<String> text) {
  private static final long MAX_SECONDS = 30 * 24 * 60 * 60;

  public static InviteExpiration of(Tags tags) {
    return new InviteExpiration(tags.first("expiration"));
  }

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

  /** The time at which an invite expires, if there is no objection to the tag. */
  public long orElse(long now, long otherwise) {
    return text.map(it -> Math.min(Long.parseLong(it), now + MAX_SECONDS)).orElse(otherwise);
  }
}
