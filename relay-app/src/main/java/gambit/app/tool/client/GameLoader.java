package gambit.app.tool.client;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fetches games that a {@link PlayerClient} does not know yet: the announcement, the stored moves
 * and the record. Owned by the client's thread.
 */
final class GameLoader {
  private static final int MAX_LOADING = 300;
  private static final int MAX_MOVES = 5000;

  private static final class Loading {
    private @Nullable Event state;
    private final CompletableFuture<GameView> result = new CompletableFuture<>();
  }

  private final RelayLink link;
  private final PlayerGames games;
  private final Map<EventId, Loading> loading = new HashMap<>();

  GameLoader(RelayLink link, PlayerGames games) {
    this.link = link;
    this.games = games;
  }

  /** Completes when all games that are being fetched now have been added or have failed. */
  CompletableFuture<Void> loaded() {
    return CompletableFuture.allOf(
        loading.values().stream().map(each -> each.result).toArray(CompletableFuture<?>[]::new));
  }

  /** The state that has arrived of a game that is being fetched, or null. */
  @Nullable Event stateOf(EventId id) {
    Loading known = loading.get(id);
    return known == null ? null : known.state;
  }

  /** Fetches a running game of which a state has arrived. */
  void load(EventId id, Event state) {
    load(id)
        .exceptionally(
            failure -> {
              games
                  .listener()
                  .noticed("The game " + id + " cannot be shown: " + failure.getMessage());
              return null;
            });
    Loading pending = loading.get(id);
    if (pending != null) {
      pending.state = state;
    }
  }

  /** Fetches a game, unless it is being fetched; the result fails if the relay does not know it. */
  CompletableFuture<GameView> load(EventId id) {
    Loading known = loading.get(id);
    if (known != null) {
      return known.result;
    }
    Loading pending = new Loading();
    if (loading.size() >= MAX_LOADING) {
      pending.result.completeExceptionally(
          new UnansweredException("The relay has left too many queries unanswered."));
      return pending.result;
    }
    loading.put(id, pending);
    link.query("{\"ids\":[\"" + id + "\"]}")
        .thenCompose(found -> fetch(id, found))
        .thenApply(fetched -> loaded(fetched, pending.state))
        .whenComplete(
            (view, failure) -> {
              loading.remove(id);
              if (failure == null) {
                pending.result.complete(view);
              } else {
                pending.result.completeExceptionally(ClientThread.unwrapped(failure));
              }
            });
    return pending.result;
  }

  /** The terms of a game, with events of its referee and its players only. */
  private record Fetched(GameTerms terms, List<Event> events) {}

  /** Fetches the record and the moves of a game; anybody may have published events that name it. */
  private CompletableFuture<Fetched> fetch(EventId id, List<Event> found) {
    Optional<GameTerms> terms =
        found.stream()
            .filter(event -> event.id().equals(id) && games.isOfReferee(event))
            .findFirst()
            .flatMap(event -> GameTerms.of(event, games.us()));
    if (terms.isEmpty()) {
      return CompletableFuture.failedFuture(
          new RefusedException("invalid: the relay knows no such game"));
    }
    GameTerms known = terms.get();
    String filters =
        """
        {"kinds":[64],"authors":["%2$s"],"#e":["%1$s"]},\
        {"kinds":[5001],"authors":["%2$s","%3$s","%4$s"],"#e":["%1$s"],"limit":%5$d}"""
            .formatted(id, games.referee(), known.white(), known.black(), MAX_MOVES);
    return link.query(filters).thenApply(events -> new Fetched(known, events));
  }

  private GameView loaded(Fetched fetched, @Nullable Event state) {
    GameTerms terms = fetched.terms();
    EventId id = terms.id();
    TrackedGame known = games.get(id);
    List<Move> moves = moves(fetched.events(), terms);
    TrackedGame game = known == null ? games.add(new TrackedGame(terms, moves)) : known;
    boolean completed = game.complete(terms.initial(), moves);
    if (known == null && state != null) {
      games.adopt(game, state);
      if (terms.ours() != null) {
        games.began(game);
      }
    } else if (completed) {
      games.listener().gameChanged(game.view());
    }
    fetched.events().stream()
        .filter(event -> event.kind() == ChessKinds.RECORD && games.isOfReferee(event))
        .filter(event -> event.tags().root().equals(Optional.of(id.hex())))
        .forEach(event -> games.readRecord(game, event));
    return game.view();
  }

  /** The stored moves of a game, as far as they can be played; taken-back ones are replaced. */
  private List<Move> moves(List<Event> events, GameTerms terms) {
    Map<Integer, Event> byPly = new TreeMap<>();
    for (Event event : events) {
      boolean isOfGame =
          event.kind() == ChessKinds.MOVE
              && event.tags().root().equals(Optional.of(terms.id().hex()))
              && (games.isOfReferee(event) || terms.sideOf(event.pubkey()) != null);
      int ply = EventTags.smallNumber(event.tags(), "ply", -1);
      if (isOfGame && ply > 0) {
        byPly.merge(ply, event, (a, b) -> a.createdAt() >= b.createdAt() ? a : b);
      }
    }
    List<Move> moves = new ArrayList<>();
    Position position = terms.initial();
    for (Map.Entry<Integer, Event> each : byPly.entrySet()) {
      Optional<Move> move = Move.parse(each.getValue().content());
      Optional<Position> next = move.flatMap(position::play);
      if (each.getKey() != moves.size() + 1 || next.isEmpty()) {
        break;
      }
      moves.add(move.get());
      position = next.get();
    }
    return moves;
  }
}
