package gambit.core.net;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The files that the relay serves to browsers at its own URL. Immutable.
 *
 * @param hint what a browser reads at the relay's URL if there is no page
 * @param files the files by path, which begins with a slash; the page itself is {@code /}
 */
public record WebPage(String hint, Map<String, WebFile> files) {
  public static final WebPage NONE =
      new WebPage("This is a Nostr relay: connect with a Nostr client.\n", Map.of());

  public WebPage {
    files = Map.copyOf(files);
  }

  public boolean isEmpty() {
    return files.isEmpty();
  }

  Optional<WebFile> index() {
    return Optional.ofNullable(files.get("/"));
  }

  /** A file other than the page itself. */
  Optional<WebFile> file(String path) {
    return path.equals("/") ? Optional.empty() : Optional.ofNullable(files.get(path));
  }

  /**
   * A file of a {@link WebPage}, held in memory; {@code gzipped} is its compressed content, or
   * null. Immutable: the buffers are read-only.
   *
   * @param tag the entity tag in quotation marks, which differs whenever the content does
   * @param isUnchanging whether another content would have another name, so that a browser may keep
   *     the file for ever
   */
  public record WebFile(
      String type,
      ByteBuffer content,
      @Nullable ByteBuffer gzipped,
      String tag,
      boolean isUnchanging,
      ContentPolicy policy) {

    /** A file with the tag of its content, which must not be modified any more. */
    public static WebFile of(
        String type, byte[] content, byte @Nullable [] gzipped, boolean isUnchanging) {
      CRC32 checksum = new CRC32();
      checksum.update(content);
      return new WebFile(
          type,
          ByteBuffer.wrap(content).asReadOnlyBuffer(),
          gzipped == null ? null : ByteBuffer.wrap(gzipped).asReadOnlyBuffer(),
          "\"" + Long.toHexString(checksum.getValue()) + "-" + content.length + "\"",
          isUnchanging,
          type.startsWith("text/javascript") ? ContentPolicy.SCRIPT : ContentPolicy.PAGE);
    }

    public WebFile with(ContentPolicy other) {
      return new WebFile(type, content, gzipped, tag, isUnchanging, other);
    }
  }

  /** The {@code Content-Security-Policy} of a file: what it may load and run in a browser. */
  public enum ContentPolicy {
    /** Nothing but the page's own files, relays, and pictures of profiles. */
    PAGE(
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: https:",
        "connect-src 'self' ws: wss: http: https:",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'"),

    /** The same for the scripts of workers, which may compile WebAssembly: the engine. */
    SCRIPT(PAGE.header.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")),

    /**
     * The admin page: no workers, and no HTML from strings (Trusted Types). Its connections are to
     * this relay and to the relay of a remote signer; its images, those that an admin asks for.
     */
    ADMIN(
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' https:",
        "connect-src 'self' ws: wss:",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'");

    private final String header;

    ContentPolicy(String header) {
      this.header = header;
    }

    ContentPolicy(String first, String... more) {
      this(
          "default-src 'none'; "
              + first
              + "; "
              + String.join("; ", more)
              + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }

    String header() {
      return header;
    }
  }
}
