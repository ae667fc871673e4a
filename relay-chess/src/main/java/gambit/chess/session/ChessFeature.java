package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.session.play.ChessMetrics;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.KnownGames;
import gambit.chess.session.play.Lots;
import gambit.chess.session.play.Reminders;
import gambit.chess.session.preview.GamePreviews;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Lane;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chess on a relay: the NIP-100 draft's kinds 5000–5003, the ephemeral chess server's kinds
 * 20300–20304, kind 30 of jesterui and Amethyst, and NIP-64 records of finished games.
 */
public final class ChessFeature implements Feature {
  /** The maximum of events that wait for the chess lane. */
  static final int MAX_QUEUED_EVENTS = 8_192;

  /** The default dialects; the first is the default for players who have sent nothing yet. */
  static final List<Function<RefereeEvents, Dialect>> DIALECTS =
      List.of(Nip100::new, Ephemeral::new);

  /**
   * The relay's own player, as its information document names it. Immutable.
   *
   * @param levels the strengths at which it can be invited to play
   */
  public record HousePlayer(PubKey key, List<Integer> levels) {
    public HousePlayer {
      levels = List.copyOf(levels);
    }
  }

  private final Lots.Source lots;
  private final List<Function<RefereeEvents, Dialect>> dialects;
  private final @Nullable HousePlayer house;
  private volatile ChessSettings settings;

  public ChessFeature(ChessSettings settings) {
    this(settings, Lots.Source.CHAINS);
  }

  public ChessFeature(ChessSettings settings, Lots.Source lots) {
    this(settings, lots, DIALECTS, null);
  }

  public static ChessFeature with(ChessSettings settings, @Nullable HousePlayer house) {
    return new ChessFeature(settings, Lots.Source.CHAINS, DIALECTS, house);
  }

  ChessFeature(
      ChessSettings settings,
      Lots.Source lots,
      List<Function<RefereeEvents, Dialect>> dialects,
      @Nullable HousePlayer house) {
    this.settings = settings;
    this.lots = lots;
    this.dialects = dialects;
    this.house = house;
  }

  public ChessSettings settings() {
    return settings;
  }

  /**
   * Puts other settings in force, except the players with simultaneous games: the default time
   * control for the next request without one, limits of moves for games that begin later, the
   * maximum of slow games for the next one, the grace period for the next player who disconnects,
   * the requirements to log in and to name the relay for the next event. The information document
   * is up to date when settings of the relay have been changed, too. Any thread.
   *
   * @throws IllegalArgumentException when the clock skew would change, by which events that must
   *     not be repeated are remembered; nothing has changed then
   */
  public void change(ChessSettings changed) {
    if (!changed.maxClockSkew().equals(settings.maxClockSkew())) {
      throw new IllegalArgumentException("max_clock_skew cannot change while the relay runs");
    }
    settings = changed.withSimultaneousGames(settings.simultaneousGames());
  }

  @Override
  public void install(RelayBuilder relay) {
    Lane lane = relay.lane("chess", MAX_QUEUED_EVENTS);
    Lane background = relay.lane("ratings", 1);
    RefereeEvents events = new RefereeEvents(relay.signer(), relay.urls().primary());
    List<Dialect> created = dialects.stream().map(dialect -> dialect.apply(events)).toList();
    ChessMetrics metrics = new ChessMetrics(relay.metrics(), relay.time());
    KnownGames known = new KnownGames(created);
    FinishedGames finishedGames =
        new FinishedGames(relay.storedEvents(), settings.maxClockSkew(), known::of);
    LeadingReferee referee = new LeadingReferee(created, known, finishedGames, lane::put);
    relay.whenLeading(
        () ->
            referee.lead(
                isListening ->
                    new EventIntake(
                        relay,
                        events,
                        created,
                        known,
                        metrics,
                        this::settings,
                        lane::submit,
                        lane::put,
                        background::put,
                        lots,
                        isListening)));
    if (!referee.isLeading()) {
      known.follow(relay);
    }
    relay.whenOpen(referee::listening);
    relay.supports(64);
    boolean canRemind = Reminders.isPossible(relay);
    relay.information(document -> document.describe("chess", description(created, canRemind)));
    relay.tagsMayBeMissing(kind -> created.stream().anyMatch(it -> it.tagsMayBeMissing(kind)));
    relay.listen(referee);
    relay.listenToSubscriptions(referee);
    relay.listenToSubscriptions(known.watchers());
    relay.handleEvents(referee);
    relay.guard(known.commentGuard());
    GamePreviews.install(relay, created, events.pubkey());
    ChessImports.install(relay, created, finishedGames);
  }

  private Map<String, Object> description(List<Dialect> created, boolean canRemind) {
    Map<String, Object> chess = new TreeMap<>();
    chess.put(
        "dialects",
        Stream.concat(created.stream().map(Dialect::name), Stream.of("jester")).toList());
    chess.put("default_time", settings.defaultTime().text());
    chess.put("first_move_limit", settings.firstMoveLimit().toSeconds());
    chess.put("abandon_grace", settings.abandonGrace().toSeconds());
    chess.put("max_clock_skew", settings.maxClockSkew().toSeconds());
    chess.put("require_auth", settings.requireAuth());
    chess.put("require_relay_tag", settings.requireRelayTag());
    chess.put("rated", true);
    chess.put("slow_games", settings.slowGames());
    chess.put("reminders", settings.reminders() && canRemind);
    if (house != null) {
      chess.put("house", Map.of("pubkey", house.key().hex(), "levels", house.levels()));
    }
    return chess;
  }
}
