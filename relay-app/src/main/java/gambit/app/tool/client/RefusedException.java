package gambit.app.tool.client;

import java.util.List;

/** The relay has refused an event or a query; nothing has happened. */
public final class RefusedException extends Exception {
  private final String prefix;
  private final String reason;

  public RefusedException(String text) {
    super(text);
    int colon = text.indexOf(": ");
    this.prefix = colon < 0 ? "" : text.substring(0, colon);
    this.reason = colon < 0 ? text : text.substring(colon + 2);
  }

  /** The machine-readable prefix of the refusal, such as {@code invalid}; it may be empty. */
  public String prefix() {
    return prefix;
  }

  /** Whether the same may be accepted later. */
  public boolean mayPass() {
    return List.of("auth-required", "rate-limited", "error").contains(prefix);
  }

  /** The refusal without its prefix. It is text of the relay: sanitize it before printing. */
  public String reason() {
    return reason;
  }
}
