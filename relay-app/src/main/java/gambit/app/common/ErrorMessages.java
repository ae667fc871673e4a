package gambit.app.common;

import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import java.util.regex.Pattern;

/** Messages about exceptions for operators, without names of Java classes. */
public final class ErrorMessages {
  public static final String NO_SECP256K1 =
      "There is no native secp256k1 library for this machine.";

  /** A qualified class name, as {@link Throwable#toString} begins with it. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\b(?:[a-z][a-z0-9_]*\\.)+[A-Z][\\w$]*(?:: ?)?");

  /** The name of a failed system call, with which Netty's messages begin. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

  private ErrorMessages() {}

  /** The cause of a failure, without a final full stop. */
  public static String of(Throwable cause) {
    if (cause instanceof AccessDeniedException file) {
      return "permission denied: " + file.getFile();
    } else if (cause instanceof NoSuchFileException file) {
      return "no such file or directory: " + file.getFile();
    } else if (cause instanceof FileAlreadyExistsException file) {
      return file.getFile() + " exists already";
    } else if (cause instanceof NotDirectoryException file) {
      return file.getFile() + " is not a directory";
    } else if (cause instanceof DirectoryNotEmptyException file) {
      return file.getFile() + " is not empty";
    } else if (cause instanceof FileSystemLoopException file) {
      return file.getFile() + " is a link to a directory above it";
    } else if (cause instanceof FileSystemException file) {
      return file.getFile()
          + ": "
          + (file.getReason() == null ? "the system refuses access" : file.getReason());
    } else if (cause instanceof UncheckedIOException wrapped) {
      return of(Objects.requireNonNull(wrapped.getCause()));
    } else if (cause instanceof UnresolvedAddressException
        || cause instanceof UnknownHostException) {
      return "there is no such address";
    } else if (cause instanceof OutOfMemoryError) {
      return "out of memory";
    } else if (cause instanceof StackOverflowError) {
      return "stack overflow";
    }
    String message = cause.getMessage() == null ? "" : cause.getMessage();
    String sentence = SYSTEM_CALL.matcher(message).replaceFirst("");
    String words = CLASS_NAME.matcher(sentence).replaceAll("").strip();
    return words.isEmpty() ? "a bug in the program" : words;
  }

  public static String withCause(Throwable e) {
    Throwable cause = e.getCause();
    return of(e) + (cause == null ? "" : " (" + of(cause) + ")") + ".";
  }
}
