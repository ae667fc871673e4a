package gambit.chess.dialect;

import gambit.chess.game.TimeControl;
import gambit.core.model.Tags;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the {@code time} tag, which is the same in all dialects. */
public final class TimeTag {
  private TimeTag() {}

  /** The time control of an event, or null if it names none. */
  public static @Nullable TimeControl read(Tags tags) throws MalformedTagException {
    Optional<String> text = tags.first("time");
    if (text.isEmpty()) {
      return null;
    }
    return TimeControl.parse(text.get())
        .orElseThrow(
            () -> new MalformedTagException("not a time control like 300, 300+3, 1/600 or -"));
  }
}
