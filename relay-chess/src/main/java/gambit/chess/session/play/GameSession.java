package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.Side;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One running game in the relay: players, committed state, published state events, the times of
 * players' absence, and the requests that wait for a timeout decision. Owned by the chess lane.
 */
public final class GameSession {
  public static final long NEVER = Long.MAX_VALUE;

  private final GameRef ref;
  private final ColourNotifications[] colourNotifications;
  private final long[] graceEnds = {NEVER, NEVER};
  private final long[] awaySince = {Presences.GamePresence.PRESENT, Presences.GamePresence.PRESENT};
  private final List<Supplier<LazilySignedEvent>> publishedStates = new ArrayList<>(1);
  private final List<PlayerRequest> lateRequests = new ArrayList<>(0);
  private final List<EventId> searches;
  private GameSnapshot snapshot;
  private boolean decidingTimeout;
  private long resumedAt;

  /** The time of the alarm for the game's deadline. */
  long alarmAt = NEVER;

  /** The presence at this game as it was published last; null before that. */
  Presences.@Nullable GamePresence publishedPresence;

  /** A game that begins, or was restored. */
  public GameSession(
      GameRef ref,
      GameSnapshot snapshot,
      ColourNotifications white,
      ColourNotifications black,
      List<EventId> searches) {
    this.ref = ref;
    this.snapshot = snapshot;
    this.searches = List.copyOf(searches);
    this.colourNotifications = new ColourNotifications[] {white, black};
  }

  /** The game that a player's event is about, or null if there is none. */
  public static @Nullable GameSession about(List<GameSession> own, PlayerEvent event) {
    Optional<String> named = event.game();
    if (named.isEmpty()) {
      return own.stream()
          .filter(game -> event.state().isNamed(game::isCurrent))
          .findAny()
          .orElse(GameRef.unnamed(own, game -> game.ref().isSlow()));
    }
    if (own.isEmpty() || !Hex.isLowerCase(named.get(), 64)) {
      return null;
    }
    EventId id = EventId.ofHex(named.get());
    return own.stream().filter(game -> game.id().equals(id)).findAny().orElse(null);
  }

  public GameRef ref() {
    return ref;
  }

  public EventId id() {
    return ref.id();
  }

  public GameSnapshot snapshot() {
    return snapshot;
  }

  public OngoingGame game() {
    return snapshot.game();
  }

  public ColourNotifications colourNotifications(Side side) {
    return colourNotifications[side.index()];
  }

  /** The events of White's and Black's search if two searches were paired, else none. */
  public List<EventId> searches() {
    return searches;
  }

  public Side sideOf(PubKey player) {
    return ref.sideOf(player);
  }

  public List<PubKey> players() {
    return List.of(ref.white().player(), ref.black().player());
  }

  public void advance(GameSnapshot next) {
    if (next.game().plies() != game().plies()) {
      publishedStates.clear();
    }
    snapshot = next;
  }

  public void addPublishedState(Supplier<LazilySignedEvent> state) {
    publishedStates.add(state);
  }

  /** Whether a state event with an id, in hex, was published since the last ply. */
  public boolean isCurrent(String state) {
    return publishedStates.stream().anyMatch(it -> it.get().id().hex().equals(state));
  }

  void resumeClocks(long now) {
    advance(new GameSnapshot(game().resumed(now), snapshot.plies(), snapshot.proposal()));
    resumedAt = game().control().isUntimed() ? 0 : game().clock().resumedAt();
  }

  /** The time at which the clocks were last resumed; 0 if they were not, or if untimed. */
  long resumedAt() {
    return resumedAt;
  }

  void updatePresence(ConnectionBindings bindings, long now) {
    for (Side side : Side.values()) {
      if (bindings.isPresent(ref.player(side))) {
        awaySince[side.index()] = Presences.GamePresence.PRESENT;
      } else if (awaySince[side.index()] == Presences.GamePresence.PRESENT) {
        awaySince[side.index()] = now;
      }
    }
  }

  long awaySince(Side side) {
    return awaySince[side.index()];
  }

  /** Whether the grace period of a side is running or has ended without its return. */
  boolean isInGrace(Side side) {
    return graceEnds(side) != NEVER;
  }

  /** The end of a side's grace period, in epoch milliseconds, or {@link #NEVER}. */
  long graceEnds(Side side) {
    return graceEnds[side.index()];
  }

  void graceEnds(Side side, long time) {
    graceEnds[side.index()] = time;
  }

  /** Begins a timeout decision; false if one is under way. */
  boolean beginTimeoutDecision() {
    boolean begins = !decidingTimeout;
    decidingTimeout = true;
    return begins;
  }

  /** Adds a request that arrived at the deadline or later and waits for the timeout decision. */
  public void awaitTimeoutDecision(PlayerRequest request) {
    lateRequests.add(request);
  }

  /** Ends the timeout decision; returns the requests that have waited for it. */
  public List<PlayerRequest> endTimeoutDecision() {
    List<PlayerRequest> waited = List.copyOf(lateRequests);
    lateRequests.clear();
    decidingTimeout = false;
    return waited;
  }
}
