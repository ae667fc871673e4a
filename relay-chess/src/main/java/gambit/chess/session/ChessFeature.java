package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.ephemeral.Ephemeral;
import gambit.chess.dialect.nip100.Nip100;
import gambit.chess.session.intake.Reception;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Lane;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Chess on a relay: the NIP-100 draft's kinds 5000–5003, the ephemeral chess server's kinds
 * 20300–20304, and NIP-64 records of finished games.
 */
public final class ChessFeature implements Feature {
  /** Events that may wait for the chess lane. */
  static final int WAITING = 8_192;

  /** The dialects of the program; the first is that of players who have sent nothing yet. */
  static final List<Function<RelayEvents, Dialect>> DIALECTS = List.of(Nip100::new, Ephemeral::new);

  private final ChessSettings settings;
  private final RandomGenerator lots;
  private final List<Function<RelayEvents, Dialect>> dialects;

  public ChessFeature(ChessSettings settings) {
    this(settings, new SecureRandom());
  }

  /**
   * Chess with chosen chance.
   *
   * @param lots draws the colours: false gives white to the player who searched first
   */
  public ChessFeature(ChessSettings settings, RandomGenerator lots) {
    this(settings, lots, DIALECTS);
  }

  /**
   * Chess in chosen dialects.
   *
   * @param dialects make each dialect; the first is that of players who have sent nothing yet
   */
  ChessFeature(
      ChessSettings settings, RandomGenerator lots, List<Function<RelayEvents, Dialect>> dialects) {
    this.settings = settings;
    this.lots = lots;
    this.dialects = dialects;
  }

  /** What was set. */
  public ChessSettings settings() {
    return settings;
  }

  @Override
  public void install(RelayBuilder relay) {
    Lane lane = relay.lane("chess", WAITING);
    RelayEvents events = new RelayEvents(relay.signer(), relay.urls().primary());
    List<Dialect> spoken = dialects.stream().map(dialect -> dialect.apply(events)).toList();
    Reception reception =
        new Reception(relay, events, spoken, settings, lane::submit, lane::put, lots);
    relay.whenOpen(() -> open(reception, lane));
    relay.supports(64);
    relay.describe("chess", description(spoken));
    relay.tagsMayBeMissing(
        kind -> spoken.stream().anyMatch(it -> it.traits().tagsMayBeMissing().test(kind)));
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

  private Map<String, Object> description(List<Dialect> spoken) {
    Map<String, Object> chess = new TreeMap<>();
    chess.put("dialects", spoken.stream().map(Dialect::name).toList());
    chess.put("default_time", settings.defaultTime().text());
    chess.put("first_move_limit", settings.firstMoveLimit().toSeconds());
    chess.put("abandon_grace", settings.abandonGrace().toSeconds());
    chess.put("max_clock_skew", settings.maxClockSkew().toSeconds());
    chess.put("require_auth", settings.requireAuth());
    return chess;
  }
}
