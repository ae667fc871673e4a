package gambit.core.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM file (RFC 7468). Not printed, because it may be a private key.
 *
 * @param label the words after BEGIN
 * @param content Base64, perhaps after headers (RFC 1421)
 */
public record PemBlock(String label, String content) {
  /** The largest file that is read. A chain of four certificates has about 8 KB. */
  private static final int MAX_FILE_BYTES = 1 << 20;

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*(?:-[^-]+)*)-----END \\1-----");

  public static List<PemBlock> read(Path file) throws CertificateFault {
    List<PemBlock> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(contentOf(file));
    while (matcher.find()) {
      blocks.add(new PemBlock(matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }

  /** Whether label or headers say so, as for keys with a passphrase. */
  boolean isEncrypted() {
    return label.startsWith("ENCRYPTED") || content.contains("ENCRYPTED");
  }

  /** A block as text, with a line break at the end. */
  public static String text(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der), label);
  }

  /** The decoded content; a fault names the file. */
  public byte[] der(Path file) throws CertificateFault {
    try {
      return Base64.getMimeDecoder().decode(content);
    } catch (IllegalArgumentException e) {
      throw new CertificateFault(file + " has a block that is not Base64.");
    }
  }

  private static String contentOf(Path file) throws CertificateFault {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1); // the size of a pipe or device is not known
      if (bytes.length > MAX_FILE_BYTES) {
        throw new CertificateFault(file + " is too large for a file of certificates or a key.");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new CertificateFault(file + " cannot be read: " + reason(e, file) + ".");
    }
  }

  private static String reason(IOException e, Path file) {
    if (!Files.exists(file)) {
      return "there is no such file";
    }
    return Files.isReadable(file) ? String.valueOf(e.getMessage()) : "permission denied";
  }

  @Override
  public String toString() {
    return label;
  }
}
