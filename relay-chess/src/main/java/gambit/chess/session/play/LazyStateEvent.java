package gambit.chess.session.play;

import gambit.core.crypto.Draft;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The event with a state of a game, built once, when it is first needed. Any thread. */
final class LazyStateEvent implements Supplier<Draft> {
  private final Supplier<Draft> make;
  private @Nullable Draft made;

  private LazyStateEvent(Supplier<Draft> make) {
    this.make = make;
  }

  static LazyStateEvent of(Supplier<Draft> make) {
    return new LazyStateEvent(make);
  }

  @Override
  public synchronized Draft get() {
    Draft draft = made;
    if (draft == null) {
      draft = make.get();
      made = draft;
    }
    return draft;
  }
}
