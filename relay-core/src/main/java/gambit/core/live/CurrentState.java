package gambit.core.live;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of an object until its next change. {@link #event} may be called from any thread; the
 * rest belongs to {@link CurrentStates}.
 */
public final class CurrentState {
  final String key;
  final Set<PubKey> about;
  final long order;
  @Nullable CurrentState newer;
  @Nullable CurrentState older;

  /** Null once it was called. */
  @GuardedBy("this")
  private @Nullable Supplier<LazilySignedEvent> supplier;

  /** Present once the supplier was called. */
  @GuardedBy("this")
  private @Nullable LazilySignedEvent event;

  /**
   * Creates a state whose event has not been requested.
   *
   * @param order grows with each change of any object
   */
  CurrentState(Outgoing.Current current, long order) {
    this.key = current.key();
    this.about = current.about();
    this.supplier = current.state();
    this.order = order;
  }

  /** The event with the state, created by the first call. */
  public synchronized LazilySignedEvent event() {
    LazilySignedEvent made = event;
    if (made == null && supplier != null) {
      made = supplier.get();
      event = made;
      supplier = null;
    }
    if (made == null) {
      throw new IllegalStateException("neither an event nor a supplier");
    }
    return made;
  }
}
