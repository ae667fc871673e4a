package gambit.app.tool.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The longest message that a relay reads, the most stored events that it serves for a filter, and
 * the most open subscriptions, as its information document (NIP-11) states them. Immutable.
 */
public record RelayLimits(int messageBytes, int events, int subscriptions) {
  /** The limits of nearly all relays, for one that states none. */
  public static final RelayLimits USUAL = new RelayLimits(128 << 10, 5000, 20);

  /** More than any message that this program sends. */
  private static final int UNLIMITED = 1 << 30;

  /** The limits of a relay that was not asked. */
  static final RelayLimits NONE = new RelayLimits(UNLIMITED, UNLIMITED, UNLIMITED);

  /** Those that a relay states. Does not fail: without a document, they are the usual ones. */
  public static CompletableFuture<RelayLimits> fetch(RelayPlace relay, Duration timeout) {
    return RelayInfo.document(relay, timeout)
        .handle((document, failure) -> failure == null ? of(document) : USUAL);
  }

  static RelayLimits of(JsonNode document) {
    JsonNode stated = document.path("limitation");
    return new RelayLimits(
        positive(stated.path("max_message_length"), USUAL.messageBytes),
        positive(stated.path("max_limit"), USUAL.events),
        positive(stated.path("max_subscriptions"), USUAL.subscriptions));
  }

  private static int positive(JsonNode number, int usual) {
    boolean isPositive =
        number.canConvertToLong() && number.isIntegralNumber() && number.asLong() > 0;
    return isPositive ? (int) Math.min(number.asLong(), UNLIMITED) : usual;
  }
}
