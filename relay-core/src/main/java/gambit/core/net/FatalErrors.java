package gambit.core.net;

import io.netty.util.internal.OutOfDirectMemoryError;
import org.jspecify.annotations.Nullable;

/** Distinguishes errors that end the process from those that end one connection. */
final class FatalErrors {
  private FatalErrors() {}

  /** The error among the causes after which the process cannot continue; null if there is none. */
  static @Nullable Error fatalIn(@Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof Error error && !isOfDirectMemory(error)) {
        return error;
      }
    }
    return null;
  }

  /** Whether direct memory is exhausted, which Netty or Java bounds; the heap is not affected. */
  static boolean isOfDirectMemory(Throwable error) {
    return error instanceof OutOfDirectMemoryError
        || (error instanceof OutOfMemoryError
            && String.valueOf(error.getMessage()).contains("direct buffer memory"));
  }
}
