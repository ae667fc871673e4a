package gambit.core.session;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The relay's clock and its end: once it is ending, it accepts no clients and reads no messages any
 * more; errors on event loops should end the process.
 */
public record Lifecycle(InstantSource time, AtomicBoolean ending, Consumer<Throwable> onDeath) {}
