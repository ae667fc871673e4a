package gambit.app.operator;

import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Pattern;

/** What an exception means, for an operator: without the name of any Java class. */
public final class OperatorWords {
  /** The name of a class with its package, as {@link Throwable#toString} puts it first. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\b(?:[a-z][a-z0-9_]*\\.)+[A-Z][\\w$]*(?:: ?)?");

  private OperatorWords() {}

  /** Why something failed. */
  public static String of(Throwable cause) {
    if (cause instanceof AccessDeniedException file) {
      return "permission denied: " + file.getFile();
    } else if (cause instanceof NoSuchFileException file) {
      return "no such file or directory: " + file.getFile();
    } else if (cause instanceof FileAlreadyExistsException file) {
      return file.getFile() + " is not a directory"; // thrown where one was to be made
    } else if (cause instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    } else if (cause instanceof UnresolvedAddressException
        || cause instanceof UnknownHostException) {
      return "there is no such address";
    } else if (cause instanceof OutOfMemoryError) {
      return "a lack of memory";
    } else if (cause instanceof StackOverflowError) {
      return "a stack that is too deep";
    }
    String message = cause.getMessage() == null ? "" : cause.getMessage();
    String words = CLASS_NAME.matcher(message).replaceAll("").strip();
    return words.isEmpty() ? "a fault of the program" : words;
  }
}
