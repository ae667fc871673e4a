package gambit.app.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import gambit.core.net.WebPage;
import gambit.core.net.WebPage.WebFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The web page that the build has packaged, from {@code clients/web}: each file compressed, and a
 * list of their paths. A build without npm packages none.
 */
public final class PackagedPage {
  private static final String DIRECTORY = "/gambit/web/";
  private static final String NOT_BUILT =
      WebPage.NONE.hint()
          + "Its web page for players is missing: the relay was built on a machine without npm.\n";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon",
          "json", "application/json",
          "txt", "text/plain; charset=utf-8",
          "webmanifest", "application/manifest+json");

  private PackagedPage() {}

  public static WebPage of(boolean enabled) {
    return enabled ? load() : WebPage.NONE;
  }

  public static WebPage load() {
    try (InputStream list = resource("files.txt")) {
      if (list == null) {
        return new WebPage(NOT_BUILT, Map.of());
      }
      Map<String, WebFile> files = new TreeMap<>();
      for (String path : new String(list.readAllBytes(), UTF_8).lines().toList()) {
        files.put(path.equals("index.html") ? "/" : "/" + path, file(path));
      }
      return new WebPage(WebPage.NONE.hint(), files);
    } catch (IOException e) {
      throw new UncheckedIOException("The jar's web page cannot be read", e);
    }
  }

  private static WebFile file(String path) throws IOException {
    try (InputStream in = resource(path + ".gz")) {
      if (in == null) {
        throw new IOException("There is no " + path);
      }
      byte[] gzipped = in.readAllBytes();
      byte[] content = new GZIPInputStream(new ByteArrayInputStream(gzipped)).readAllBytes();
      CRC32 checksum = new CRC32();
      checksum.update(content);
      return new WebFile(
          type(path),
          ByteBuffer.wrap(content).asReadOnlyBuffer(),
          ByteBuffer.wrap(gzipped).asReadOnlyBuffer(),
          "\"" + Long.toHexString(checksum.getValue()) + "-" + content.length + "\"",
          path.startsWith("assets/")); // the names of these contain a hash of the content
    }
  }

  private static String type(String path) {
    return TYPES.getOrDefault(
        path.substring(path.lastIndexOf('.') + 1), "application/octet-stream");
  }

  private static @Nullable InputStream resource(String name) {
    return PackagedPage.class.getResourceAsStream(DIRECTORY + name);
  }
}
