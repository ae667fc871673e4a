package gambit.app.tool.client;

import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The games of a {@link PlayerClient}: its player's running games, the games that it follows, and
 * the last {@link #MAX_ENDED} that have ended. It applies verified events to them and notifies the
 * listener. Owned by the client's thread.
 */
final class TrackedGames {
  private static final int MAX_ENDED = 32;

  private final PubKey us;
  private final PlayerListener listener;
  private final Map<EventId, TrackedGame> games = new LinkedHashMap<>();
  private final Set<EventId> ended = new LinkedHashSet<>();

  private @Nullable PubKey referee;

  /** The least difference seen between this client's clock and the relay's, in milliseconds. */
  private long clockDifference;

  private boolean isDifferenceKnown;

  TrackedGames(PubKey us, PlayerListener listener) {
    this.us = us;
    this.listener = listener;
  }

  /** The referee's key, which is known from the first connection on. */
  void referee(PubKey key) {
    referee = key;
  }

  /** Null before the first connection. */
  @Nullable PubKey referee() {
    return referee;
  }

  boolean isOfReferee(Event event) {
    return event.pubkey().equals(referee);
  }

  @Nullable TrackedGame get(EventId id) {
    return games.get(id);
  }

  boolean hasRunning() {
    return games.values().stream().anyMatch(game -> !game.isOver() && game.terms().ours() != null);
  }

  /** The opponents of this player's games, ended ones included: they may request a rematch. */
  Set<PubKey> opponents() {
    Set<PubKey> opponents = new LinkedHashSet<>();
    for (TrackedGame game : games.values()) {
      Side ours = game.terms().ours();
      if (ours != null) {
        opponents.add(game.terms().player(ours.opponent()));
      }
    }
    return opponents;
  }

  /** Adds a game whose terms have become known; the caller notifies the listener. */
  TrackedGame add(GameTerms terms, List<Move> moves) {
    TrackedGame game = new TrackedGame(terms, moves);
    games.put(terms.id(), game);
    return game;
  }

  /** Forgets a game that is no longer followed. */
  void remove(EventId id) {
    games.remove(id);
    ended.remove(id);
  }

  // ---- events of the relay

  /** An event about a game that names it in its root {@code e} tag. */
  void readAbout(EventId id, Event event) {
    TrackedGame game = games.get(id);
    if (game == null) {
      return;
    }
    switch (event.kind()) {
      case ChessKinds.LOBBY -> {
        if (event.tags().first("result").isPresent() || isEnding(event.content())) {
          end(game, event);
        }
      }
      case ChessKinds.RECORD -> record(game, event);
      default -> {} // the relay signs no other kind about a game
    }
  }

  private static boolean isEnding(String content) {
    return switch (content) {
      case "gamecheckmate", "gamedraw", "opponentresigned", "gamelost", "gameaborted" -> true;
      default -> false;
    };
  }

  /** A {@code gameisfound} that resumes a known game; it also answers an accepted takeback. */
  void resume(TrackedGame game, Event found) {
    if (game.resume(found, System.currentTimeMillis())) {
      listener.gameChanged(game.view());
    }
  }

  /** A state of kind 20302 or a presence of kind 20306. */
  void readCurrent(TrackedGame game, Event event, boolean live) {
    if (event.kind() == ChessKinds.PRESENCE) {
      if (game.readPresence(event, clockDifference)) {
        listener.gameChanged(game.view());
      }
      return;
    }
    boolean wasOver = game.isOver();
    if (game.readState(event, startOf(event, live))) {
      notifyOfChange(game, wasOver);
    }
  }

  /** Applies the state of a game that the listener does not know yet. */
  void adopt(TrackedGame game, Event state) {
    game.readState(state, startOf(state, false));
  }

  /** The time by this client's clock at which a state began. */
  private long startOf(Event state, boolean live) {
    long now = System.currentTimeMillis();
    List<String> tag = EventTags.tag(state.tags(), "clock").orElse(List.of());
    long exact = EventTags.number(EventTags.at(tag, 3), -1);
    if (live) {
      if (exact >= 0 && (!isDifferenceKnown || now - exact < clockDifference)) {
        clockDifference = now - exact;
        isDifferenceKnown = true;
      }
      return now;
    }
    long started = exact >= 0 ? exact : state.createdAt() * 1000;
    return Math.min(now, started + clockDifference);
  }

  // ---- endings

  private void end(TrackedGame game, Event event) {
    boolean wasOver = game.isOver();
    if (game.end(event, System.currentTimeMillis())) {
      notifyOfChange(game, wasOver);
    }
  }

  void record(TrackedGame game, Event event) {
    boolean wasOver = game.isOver();
    if (game.readRecord(event, System.currentTimeMillis())) {
      notifyOfChange(game, wasOver);
      listener.gameRecorded(game.view());
    }
  }

  private void notifyOfChange(TrackedGame game, boolean wasOver) {
    if (game.isOver() && !wasOver) {
      ended.add(game.terms().id());
      listener.gameEnded(game.view());
    } else if (!game.isOver()) {
      listener.gameChanged(game.view());
    }
  }

  /** Forgets the oldest ended games beyond the bound, except those that are still needed. */
  void forgetOldest(Predicate<EventId> isNeeded) {
    Iterator<EventId> oldest = ended.iterator();
    while (ended.size() > MAX_ENDED && oldest.hasNext()) {
      EventId id = oldest.next();
      if (!isNeeded.test(id)) {
        oldest.remove();
        games.remove(id);
      }
    }
  }

  PubKey us() {
    return us;
  }

  PlayerListener listener() {
    return listener;
  }
}
