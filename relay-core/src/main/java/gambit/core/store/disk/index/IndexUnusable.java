package gambit.core.store.disk.index;

import java.io.IOException;

/** LMDB cannot open, read or write the index, or the index has another format. */
public final class IndexUnusable extends IOException {
  private static final long serialVersionUID = 1;

  IndexUnusable(Exception cause) {
    super("the index cannot be used", cause);
  }

  IndexUnusable(String message) {
    super(message);
  }
}
