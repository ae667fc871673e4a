package gambit.core.ingest;

import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.store.Transaction;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** When an event expires (NIP-40). */
public final class EventExpiration {
  private static final String TAG = "expiration";
  private static final OptionalLong NEVER = OptionalLong.of(Transaction.NEVER);

  private EventExpiration() {}

  /** Refuses expired events, and events whose {@code expiration} is not a time. */
  static Optional<Reason> objection(Submission submission) {
    OptionalLong seconds = seconds(submission.event());
    if (seconds.isEmpty()) {
      return Optional.of(Reason.invalid("expiration must be a time in seconds"));
    }
    return seconds.getAsLong() <= submission.arrivedAt().getEpochSecond()
        ? Optional.of(Reason.invalid("the event has expired"))
        : Optional.empty();
  }

  /** The time in seconds, {@link Transaction#NEVER} without one; empty when it is malformed. */
  private static OptionalLong seconds(Event event) {
    for (List<String> tag : event.tags().list()) {
      if (tag.get(0).equals(TAG)) {
        return tag.size() > 1 ? number(tag.get(1)) : OptionalLong.empty();
      }
    }
    return NEVER;
  }

  private static OptionalLong number(String text) {
    if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(text));
  }

  /** When the event expires; never when the time is missing or malformed. */
  static long of(Event event) {
    return seconds(event).orElse(Transaction.NEVER);
  }
}
