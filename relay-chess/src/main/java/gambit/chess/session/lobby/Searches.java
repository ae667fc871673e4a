package gambit.chess.session.lobby;

import gambit.chess.game.Lobby;
import gambit.chess.game.Pair;
import gambit.chess.game.TimeControl;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Who looks for a game, in one queue for each time control, and the {@code connect} events of each.
 * The chess lane's only; bounded by the connections, since a searcher leaves with the last one.
 */
public final class Searches {

  /** A player who has been paired, and the events that are to be told the colour. */
  public record Paired(PubKey player, ColourAnswers colourAnswers) {}

  /** What a player looks for. */
  public record Search(TimeControl time, ColourAnswers colourAnswers) {}

  private final Map<TimeControl, Lobby<PubKey>> lobbies = new LinkedHashMap<>();
  private final Map<PubKey, Search> searches = new HashMap<>();

  /** Puts a player who does not search at the end of a queue. */
  public void begin(PubKey player, TimeControl time, ColourAnswers colourAnswers) {
    searches.put(player, new Search(time, colourAnswers));
    lobby(time).search(player);
  }

  /** Puts a player at the front of a queue, not to meet somebody before a time. */
  public void beginFirst(
      PubKey player, TimeControl time, ColourAnswers own, PubKey notWith, long until) {
    leave(player);
    searches.put(player, new Search(time, own));
    lobby(time).searchFirst(player, notWith, until);
  }

  private Lobby<PubKey> lobby(TimeControl time) {
    return lobbies.computeIfAbsent(time, t -> new Lobby<>());
  }

  /** Takes a player out of the queue; returns what was looked for, if anything. */
  public @Nullable Search leave(PubKey player) {
    Search search = searches.remove(player);
    if (search != null) {
      Lobby<PubKey> lobby = lobby(search.time());
      lobby.leave(player);
      forgetIfEmpty(search.time(), lobby);
    }
    return search;
  }

  private void forgetIfEmpty(TimeControl time, Lobby<PubKey> lobby) {
    if (lobby.size() == 0) {
      lobbies.remove(time);
    }
  }

  public boolean contains(PubKey player) {
    return searches.containsKey(player);
  }

  public int size() {
    return searches.size();
  }

  /** The events of a player, or null when the player does not search. */
  public @Nullable ColourAnswers colourAnswersOf(PubKey player) {
    Search search = searches.get(player);
    return search == null ? null : search.colourAnswers();
  }

  /** Takes two who may meet out of a queue. */
  public Optional<Pair<Paired>> pair(TimeControl time, long now) {
    Lobby<PubKey> lobby = lobbies.get(time);
    if (lobby == null) {
      return Optional.empty();
    }
    Optional<Pair<PubKey>> pair = lobby.pair(now);
    forgetIfEmpty(time, lobby);
    return pair.map(it -> new Pair<>(taken(it.first()), taken(it.second())));
  }

  /** As {@link Lobby#nextRetry}. */
  public OptionalLong nextRetry(TimeControl time, long now) {
    Lobby<PubKey> lobby = lobbies.get(time);
    return lobby == null ? OptionalLong.empty() : lobby.nextRetry(now);
  }

  private Paired taken(PubKey player) {
    return new Paired(player, Objects.requireNonNull(searches.remove(player)).colourAnswers());
  }
}
