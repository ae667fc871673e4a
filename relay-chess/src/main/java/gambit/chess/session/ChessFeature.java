package gambit.chess.session;

import gambit.chess.dialect.Nip100;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Lane;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Chess on a relay: the NIP-100 draft's kinds 5000–5003, the ephemeral chess server's kinds
 * 20300–20304, and NIP-64 records of finished games.
 */
public final class ChessFeature implements Feature {
  /** Events that may wait for the chess lane. */
  static final int WAITING = 8_192;

  private final ChessSettings settings;
  private final RandomGenerator lots;

  public ChessFeature(ChessSettings settings) {
    this(settings, new SecureRandom());
  }

  /**
   * Chess with chosen chance.
   *
   * @param lots draws the colours: false gives white to the player who searched first
   */
  public ChessFeature(ChessSettings settings, RandomGenerator lots) {
    this.settings = settings;
    this.lots = lots;
  }

  /** What was set. */
  public ChessSettings settings() {
    return settings;
  }

  @Override
  public void install(RelayBuilder relay) {
    Lane lane = relay.lane("chess", WAITING);
    Reception reception = new Reception(relay, settings, lane::submit, lane::put, lots);
    relay.whenOpen(() -> open(reception, lane));
    relay.supports(64);
    relay.describe("chess", description());
    relay.tagsMayBeMissing(Nip100::isKind);
    relay.listen(reception);
    relay.listenToSubscriptions(reception.subscriptions());
    relay.authority(reception);
    relay.guard(reception.wall());
  }

  /** Waits for the lane, so that time counts in every game when the relay is started. */
  private static void open(Reception reception, Lane lane) {
    CompletableFuture<Void> opened = new CompletableFuture<>();
    lane.put(
        () -> {
          try {
            reception.open();
          } finally {
            opened.complete(null);
          }
        });
    opened.join();
  }

  private Map<String, Object> description() {
    Map<String, Object> chess = new TreeMap<>();
    chess.put("dialects", List.of("nip100", "ephemeral"));
    chess.put("default_time", settings.defaultTime().text());
    chess.put("first_move_limit", settings.firstMoveLimit().toSeconds());
    chess.put("abandon_grace", settings.abandonGrace().toSeconds());
    chess.put("max_clock_skew", settings.maxClockSkew().toSeconds());
    chess.put("require_auth", settings.requireAuth());
    return chess;
  }
}
