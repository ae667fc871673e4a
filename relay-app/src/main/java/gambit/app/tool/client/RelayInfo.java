package gambit.app.tool.client;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The facts in a relay's information document (NIP-11) that a player needs. Immutable.
 *
 * @param referee the relay's own key ({@code self}), which signs its events
 * @param defaultTime the time control of players who request none; empty if it is not stated
 * @param maxClockSkew seconds for which a signed event is accepted
 * @param abandonGrace seconds in which a player who has left may return, or 0 if it is not stated
 * @param house the key of the relay's house player, or null if there is none
 * @param houseLevels the strengths of the house player
 */
public record RelayInfo(
    String name,
    PubKey referee,
    String defaultTime,
    long maxClockSkew,
    long abandonGrace,
    @Nullable PubKey house,
    List<Integer> houseLevels) {
  private static final int MAX_NAME_CHARS = 100;
  private static final int MAX_LEVELS = 20;
  private static final long DEFAULT_CLOCK_SKEW_SECONDS = 60;

  /**
   * Those that a relay states. The result fails with a {@link RelayFailure} if it states no key of
   * a referee, or has no document.
   */
  public static CompletableFuture<RelayInfo> fetch(RelayPlace relay, Duration timeout) {
    return InformationDocument.fetch(relay, timeout).thenApply(RelayInfo::of);
  }

  private static RelayInfo of(JsonNode document) {
    PubKey self = key(document.path("self"));
    if (self == null) {
      throw new CompletionException(
          new RelayFailure(
              "The relay's information document (NIP-11) has no key: it does not referee chess."));
    }
    JsonNode chess = document.path("chess");
    String name = document.path("name").asText("");
    List<Integer> levels = new ArrayList<>();
    for (JsonNode level : chess.path("house").path("levels")) {
      if (level.isInt() && levels.size() < MAX_LEVELS) {
        levels.add(level.intValue());
      }
    }
    long skew = chess.path("max_clock_skew").asLong(DEFAULT_CLOCK_SKEW_SECONDS);
    return new RelayInfo(
        name.substring(0, Math.min(name.length(), MAX_NAME_CHARS)),
        self,
        chess.path("default_time").asText(""),
        Math.max(1, Math.min(skew, DEFAULT_CLOCK_SKEW_SECONDS)),
        Math.max(0, chess.path("abandon_grace").asLong(0)),
        key(chess.path("house").path("pubkey")),
        List.copyOf(levels));
  }

  private static @Nullable PubKey key(JsonNode hex) {
    return hex.isTextual() && Hex.isLowerCase(hex.asText(), 64) ? PubKey.ofHex(hex.asText()) : null;
  }
}
