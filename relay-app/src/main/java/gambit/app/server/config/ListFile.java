package gambit.app.server.config;

import gambit.app.common.ErrorMessages;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A file with one item of a list on each line. Blank lines are skipped; {@code #} begins a comment
 * at the beginning of a line or after white space.
 */
final class ListFile {
  static final int MAX_BYTES = 16 << 20;

  record Line(int number, String item) {}

  private ListFile() {}

  /** The items of a file. The message of a failure is a sentence without its full stop. */
  static List<Line> read(Path file) throws IOException {
    String[] lines = text(file).split("\\R", -1);
    List<Line> items = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      String item = lines[i].replaceFirst("(^|\\s)#.*", "").strip();
      if (!item.isEmpty()) {
        items.add(new Line(i + 1, item));
      }
    }
    return items;
  }

  private static String text(Path file) throws IOException {
    String fault = fault(file, MAX_BYTES);
    if (!fault.isEmpty()) {
      throw new IOException(fault);
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1); // it may have grown
      if (bytes.length > MAX_BYTES) {
        throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes))
          .toString()
          .replaceFirst("^\uFEFF", "");
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is not UTF-8", e);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(file + " cannot be read: " + ErrorMessages.of(e), e);
    }
  }

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
