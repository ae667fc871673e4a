package gambit.core.session;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The relay's clock, and its end.
 *
 * @param ending set once the relay takes no clients and no messages any more
 * @param onDeath is given errors on event loops: the process should end
 */
public record Lifecycle(InstantSource time, AtomicBoolean ending, Consumer<Throwable> onDeath) {}
