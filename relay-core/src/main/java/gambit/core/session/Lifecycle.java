package gambit.core.session;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The relay's clock and its end.
 *
 * @param ending true once the relay accepts no clients and reads no messages any more
 * @param onDeath receives errors on event loops, after which the process should end
 */
public record Lifecycle(InstantSource time, AtomicBoolean ending, Consumer<Throwable> onDeath) {}
