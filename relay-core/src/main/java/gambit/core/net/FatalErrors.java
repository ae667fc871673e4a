package gambit.core.net;

import io.netty.util.internal.OutOfDirectMemoryError;
import org.jspecify.annotations.Nullable;

/** Tells errors that end the process from the one that costs a client its connection. */
final class FatalErrors {
  private FatalErrors() {}

  /** The error that something has failed of and that nobody can go on after; null if none. */
  static @Nullable Error fatalIn(@Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof Error error && !isOfDirectMemory(error)) {
        return error;
      }
    }
    return null;
  }

  /** Buffers have a bound of their own, Netty's or Java's; the heap is as it was. */
  static boolean isOfDirectMemory(Throwable error) {
    return error instanceof OutOfDirectMemoryError
        || (error instanceof OutOfMemoryError
            && String.valueOf(error.getMessage()).contains("direct buffer memory"));
  }
}
