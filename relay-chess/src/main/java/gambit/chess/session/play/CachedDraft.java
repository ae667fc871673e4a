package gambit.chess.session.play;

import gambit.core.crypto.Draft;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A draft that is made once, and only when it is needed. Any thread. */
final class CachedDraft implements Supplier<Draft> {
  private final Supplier<Draft> make;
  private @Nullable Draft made;

  private CachedDraft(Supplier<Draft> make) {
    this.make = make;
  }

  static CachedDraft of(Supplier<Draft> make) {
    return new CachedDraft(make);
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
