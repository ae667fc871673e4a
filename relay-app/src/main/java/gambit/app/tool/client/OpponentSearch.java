package gambit.app.tool.client;

import gambit.core.model.Tags;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A player's search for an opponent, which ends with its connection and is repeated on the next
 * one, until a game begins. Owned by the client's thread.
 */
final class OpponentSearch {
  private static final String ALREADY_USED = "already used";

  /** Sends a command of the player; the result is the text of the relay's OK. */
  interface Commands {
    CompletableFuture<String> send(int kind, Tags tags, String content);
  }

  private final Commands commands;

  /** The time control that is searched for: empty is the relay's default, null is no search. */
  private @Nullable String wanted;

  /** No search yet. */
  OpponentSearch(Commands commands) {
    this.commands = commands;
  }

  /**
   * Begins a search.
   *
   * @param time the time control, or empty for the relay's default
   */
  CompletableFuture<String> begin(String time) {
    wanted = time;
    return send(time)
        .handle(
            (ok, failure) -> {
              if (failure == null || isUsedUp(failure)) {
                return "";
              }
              wanted = null;
              throw new CompletionException(ClientThread.unwrapped(failure));
            });
  }

  /** A search ends with its connection; after the reconnection, a new request has been sent. */
  private static boolean isUsedUp(Throwable failure) {
    return ClientThread.unwrapped(failure) instanceof RefusedException refused
        && refused.reason().startsWith(ALREADY_USED);
  }

  private CompletableFuture<String> send(String time) {
    List<List<String>> tags = time.isEmpty() ? List.of() : List.of(List.of("time", time));
    return commands.send(ChessKinds.LOBBY, new Tags(tags), "connect");
  }

  /** Ends the search at the relay, too. */
  CompletableFuture<String> cancel() {
    wanted = null;
    return commands.send(ChessKinds.LOBBY, Tags.NONE, "cancelsearch");
  }

  /** A game has begun. */
  void end() {
    wanted = null;
  }

  /**
   * Searches again on a new connection, unless a game is running. Then a relay that has not
   * challenged the client binds the connection to the player by the same request.
   */
  void resume(TrackedGames games, boolean isLoggedIn) {
    String time = wanted;
    if (!games.running().isEmpty()) {
      if (!isLoggedIn) {
        send("")
            .thenAccept(
                ok -> {
                  if (games.running().isEmpty()) { // the game had ended: this began a search
                    commands.send(ChessKinds.LOBBY, Tags.NONE, "cancelsearch");
                  }
                });
      }
    } else if (time != null) {
      begin(time)
          .exceptionally(
              failure -> {
                String reason = String.valueOf(ClientThread.unwrapped(failure).getMessage());
                games.listener().noticed("The search has ended: " + reason);
                return "";
              });
    }
  }
}
