package gambit.app.keys;

/** A key file cannot be read or written; its message names the file, without a final full stop. */
public final class KeyFileException extends Exception {
  private static final long serialVersionUID = 1;

  KeyFileException(String message) {
    super(message);
  }
}
