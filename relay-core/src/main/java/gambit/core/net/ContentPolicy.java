package gambit.core.net;

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
