package gambit.core.live;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.model.PubKey;
import java.util.Objects;
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
  final long order; // grows with each change of any object
  final boolean isOfPerson;

  @GuardedBy("this")
  private @Nullable Supplier<LazilySignedEvent> supplier;

  @GuardedBy("this")
  private @Nullable LazilySignedEvent event;

  /**
   * A state whose event nobody has requested. It shares equal values with the object's state
   * before, which are old: new ones would be copied by young collections.
   */
  CurrentState(Outgoing.Current current, @Nullable CurrentState before, long order) {
    this.key = before == null ? current.key() : before.key;
    this.about =
        before != null && before.about.equals(current.about()) ? before.about : current.about();
    this.supplier = current.state();
    this.order = order;
    this.isOfPerson = current.isOfPerson();
  }

  /** The event with the state, created by the first call. */
  public synchronized LazilySignedEvent event() {
    if (event == null) {
      event = Objects.requireNonNull(supplier, "neither an event nor a supplier").get();
      supplier = null;
    }
    return event;
  }
}
