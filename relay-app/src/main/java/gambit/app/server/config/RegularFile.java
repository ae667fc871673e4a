package gambit.app.server.config;

import gambit.app.common.ErrorMessages;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Checks of files that the configuration names. */
final class RegularFile {
  private RegularFile() {}

  /** Why a file cannot be read, without a final full stop; empty if it can. */
  static String fault(Path file, long maxBytes) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        return file + " is not a file";
      } else if (!Files.isReadable(file)) {
        return denied(file);
      }
      return attributes.size() > maxBytes ? file + " is larger than " + maxBytes + " bytes" : "";
    } catch (NoSuchFileException e) {
      return file + " does not exist";
    } catch (AccessDeniedException e) { // a directory above it is not accessible
      return denied(file);
    } catch (IOException e) {
      return file + " cannot be read: " + ErrorMessages.of(e);
    }
  }

  private static String denied(Path file) {
    return file + " cannot be read: permission denied";
  }
}
