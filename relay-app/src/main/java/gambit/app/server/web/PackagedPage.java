package gambit.app.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import gambit.core.net.WebPage;
import gambit.core.net.WebPage.ContentPolicy;
import gambit.core.net.WebPage.WebFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The web page that the build has packaged, from {@code clients/web}, with the admin page at {@code
 * /admin}: each file compressed, and a list of their paths. A build without npm packages none.
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
          "wasm", "application/wasm",
          "webmanifest", "application/manifest+json");

  private PackagedPage() {}

  /**
   * The page as the settings have it.
   *
   * @param engine the files of the {@linkplain OperatorEngine operator's engine}; empty without one
   */
  public static WebPage of(boolean enabled, List<Path> engine) {
    if (!enabled) {
      return WebPage.NONE;
    }
    WebPage page = load();
    Map<String, WebFile> files = new TreeMap<>(page.files());
    try {
      for (Path file : engine) {
        files.put(
            OperatorEngine.path(file), file(file.toString(), gzipped(Files.readAllBytes(file))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The engine of web.engine cannot be read", e);
    }
    return new WebPage(page.hint(), files);
  }

  private static byte[] gzipped(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  public static WebPage load() {
    try (InputStream list = resource("files.txt")) {
      if (list == null) {
        return new WebPage(NOT_BUILT, Map.of());
      }
      Map<String, WebFile> files = new TreeMap<>();
      for (String path : new String(list.readAllBytes(), UTF_8).lines().toList()) {
        switch (path) {
          case "index.html" -> files.put("/", packaged(path));
          case "admin.html" -> files.put("/admin", packaged(path).with(ContentPolicy.ADMIN));
          default -> files.put("/" + path, packaged(path));
        }
      }
      return new WebPage(WebPage.NONE.hint(), files);
    } catch (IOException e) {
      throw new UncheckedIOException("The jar's web page cannot be read", e);
    }
  }

  private static WebFile packaged(String path) throws IOException {
    try (InputStream in = resource(path + ".gz")) {
      if (in == null) {
        throw new IOException("There is no " + path);
      }
      return file(path, in.readAllBytes());
    }
  }

  private static WebFile file(String path, byte[] gzipped) throws IOException {
    byte[] content = new GZIPInputStream(new ByteArrayInputStream(gzipped)).readAllBytes();
    // The names of assets contain a hash of the content.
    return WebFile.of(type(path), content, gzipped, path.startsWith("assets/"));
  }

  private static String type(String path) {
    return TYPES.getOrDefault(
        path.substring(path.lastIndexOf('.') + 1), "application/octet-stream");
  }

  private static @Nullable InputStream resource(String name) {
    return PackagedPage.class.getResourceAsStream(DIRECTORY + name);
  }
}
