package gambit.chess.session.play;

import gambit.core.crypto.LazilySignedEvent;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The event with a state of a game, built once, when it is first needed. Any thread. */
final class LazyStateEvent implements Supplier<LazilySignedEvent> {
  private final Supplier<LazilySignedEvent> builder;
  private @Nullable LazilySignedEvent built;

  private LazyStateEvent(Supplier<LazilySignedEvent> builder) {
    this.builder = builder;
  }

  static LazyStateEvent of(Supplier<LazilySignedEvent> builder) {
    return new LazyStateEvent(builder);
  }

  @Override
  public synchronized LazilySignedEvent get() {
    LazilySignedEvent event = built;
    if (event == null) {
      event = builder.get();
      built = event;
    }
    return event;
  }
}
