package gambit.app.tool.client;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.log.LimitedLog;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A player of NIP-100 on one relay: any number of games, of which each state is kept, over a
 * connection that is made again when it is lost. It logs in when it is challenged (NIP-42), and
 * sends unanswered events again, unchanged, while they are fresh: each takes effect once.
 *
 * <p>Methods may be called by any thread. The listener is called, and results are completed, on the
 * client's one thread; nothing may block it. A result fails with a {@link RefusedException} if the
 * relay refuses, and with a {@link RelayFailure} if it does not answer in time.
 *
 * <p>Memory is bounded by the running and followed games: of ended games, the last few are kept.
 */
public final class PlayerClient implements GameCommands, AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(PlayerClient.class);

  private final Signer key;
  private final String relayUrl;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("player-client", true));
  private volatile boolean isClosed;
  private final PlayerListener listener;
  private final PlayerGames games;
  private final RelayLink link;

  /** The time control that is searched for: empty is the relay's default, null is no search. */
  private @Nullable String searched;

  private final CompletableFuture<RelayInfo> firstConnection = new CompletableFuture<>();

  public PlayerClient(URI url, Signer key, PlayerListener listener) {
    this(RelayPlace.of(url), key, listener);
  }

  public PlayerClient(RelayPlace relay, Signer key, PlayerListener listener) {
    this.key = key;
    this.relayUrl = relay.loginUrl();
    this.listener = guarded(listener);
    this.link = new RelayLink(relay, key, thread, this);
    this.games = new PlayerGames(link, key.pubkey(), this.listener, () -> searched = null);
  }

  /** Forwards news to a listener, and logs its exceptions: they must not end the thread. */
  private static PlayerListener guarded(PlayerListener listener) {
    Class<?>[] type = {PlayerListener.class};
    return (PlayerListener)
        Proxy.newProxyInstance(
            PlayerListener.class.getClassLoader(),
            type,
            (proxy, method, news) -> {
              try {
                return method.invoke(listener, news);
              } catch (InvocationTargetException e) {
                LOG.error("The listener of a player has failed", e.getCause());
                return null;
              }
            });
  }

  /** Keeps connecting until {@link #close}; the result fails if the first attempt does. */
  public CompletableFuture<RelayInfo> connect() {
    thread.execute(link::open);
    return firstConnection.copy();
  }

  public PubKey pubkey() {
    return key.pubkey();
  }

  // ---- finding a game

  /** Searches for an opponent until a game begins; null is the relay's default time control. */
  public CompletableFuture<String> search(@Nullable TimeControl time) {
    return call(() -> beginSearch(time == null ? "" : time.text()));
  }

  private CompletableFuture<String> beginSearch(String time) {
    searched = time;
    return connectPlayer(time)
        .handle(
            (ok, failure) -> {
              Throwable cause = failure == null ? null : RelayLink.unwrapped(failure);
              if (cause == null || isUsedUp(cause)) {
                return "";
              }
              searched = null;
              throw new CompletionException(cause);
            });
  }

  /** A search ends with its connection; after the reconnection, a new request has been sent. */
  private static boolean isUsedUp(Throwable failure) {
    return failure instanceof RefusedException refused
        && refused.reason().startsWith("already used");
  }

  private CompletableFuture<String> connectPlayer(String time) {
    List<List<String>> tags = time.isEmpty() ? List.of() : List.of(List.of("time", time));
    return send(ChessKinds.LOBBY, new Tags(tags), "connect");
  }

  /**
   * Searches again on a new connection, unless a live game is running. Then a relay that has not
   * challenged the client binds the connection to the player by the same request; with slow games
   * only, by one that begins no search.
   */
  private void resumeSearch() {
    String time = searched;
    if (games.hasRunning(false)) {
      if (!link.isLoggedIn()) {
        connectPlayer("")
            .thenAccept(
                ok -> {
                  if (!games.hasRunning(false)) { // the game had ended: this began a search
                    send(ChessKinds.LOBBY, Tags.NONE, "cancelsearch");
                  }
                });
      }
    } else if (time == null) {
      if (games.hasRunning(true) && !link.isLoggedIn()) {
        send(ChessKinds.LOBBY, Tags.NONE, "cancelsearch");
      }
    } else {
      beginSearch(time)
          .exceptionally(
              failure -> {
                String reason = String.valueOf(RelayLink.unwrapped(failure).getMessage());
                listener.noticed("The search has ended: " + reason);
                return "";
              });
    }
  }

  public CompletableFuture<EventId> invite(InviteOptions options) {
    return call(
        () -> {
          PubKey opponent = options.opponent();
          if (opponent != null) {
            games.expectAnswerOf(opponent);
          }
          RelayLink.UnansweredEvent invite =
              link.publish(ChessKinds.LOBBY, chessTags(options.tags()), "invite");
          return invite.answer.thenApply(ok -> invite.event.id());
        });
  }

  /** Accepts an invite, which has a secret if it is unlisted. */
  public CompletableFuture<String> accept(EventId invite, String secret) {
    List<String> event = List.of("e", invite.hex());
    List<List<String>> tags =
        secret.isEmpty() ? List.of(event) : List.of(event, List.of("secret", secret));
    return command(ChessKinds.LOBBY, new Tags(tags), "accept");
  }

  public CompletableFuture<String> reject(ReceivedInvite invite) {
    return command(
        ChessKinds.LOBBY,
        new Tags(List.of(List.of("e", invite.id().hex()), List.of("p", invite.author().hex()))),
        "reject");
  }

  /** Requests a rematch of the player's last game, or accepts the opponent's request. */
  public CompletableFuture<String> rematch(GameView game) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("e", game.id().hex()));
    Side ours = game.terms().ours();
    if (ours != null) {
      tags.add(List.of("p", game.terms().player(ours.opponent()).hex()));
    }
    return command(ChessKinds.LOBBY, new Tags(tags), "rematch");
  }

  // ---- in a game

  @Override
  public CompletableFuture<String> move(GameView game, Move move, boolean offerDraw) {
    return call(
        () -> {
          TrackedGame tracked = games.get(game.id());
          int ply = (tracked == null ? game.moves().size() : tracked.plies()) + 1;
          if (tracked != null && !tracked.view().position().fen().equals(game.position().fen())) {
            return CompletableFuture.failedFuture(
                new RefusedException("invalid: stale, the position has changed"));
          }
          List<List<String>> tags = new ArrayList<>(root(game).list());
          tags.add(List.of("ply", "" + ply));
          if (offerDraw) {
            tags.add(List.of("draw", "offer"));
          }
          return send(ChessKinds.MOVE, new Tags(tags), move.uci());
        });
  }

  @Override
  public CompletableFuture<String> act(GameView game, Act act) {
    return command(act.kind, root(game), act.content);
  }

  // ---- watching

  /** Follows any game, running or finished, with the calls of the listener. */
  public CompletableFuture<GameView> follow(EventId game) {
    return call(() -> games.follow(game));
  }

  public CompletableFuture<String> comment(GameView game, String text) {
    String id = game.id().hex();
    return publish(
        ChessKinds.COMMENT,
        new Tags(
            List.of(
                List.of("E", id), List.of("K", "5000"), List.of("e", id), List.of("k", "5000"))),
        text);
  }

  // ---- anything else

  public CompletableFuture<String> publish(int kind, Tags tags, String content) {
    return call(() -> link.publish(kind, tags, content).answer);
  }

  /** The stored events and current states of some filters, in JSON separated by commas. */
  public CompletableFuture<List<Event>> query(String filters) {
    return call(() -> link.query(filters));
  }

  /**
   * Subscribes to events, over reconnections: the handler receives verified ones on the client's
   * thread. Those that are stored arrive before {@link PlayerListener#connected}, and again with
   * each connection; a further call with the id replaces the filters.
   */
  public void subscribe(String id, String filters, Consumer<Event> handler) {
    later(
        Duration.ZERO,
        () -> link.subscribe(id, filters, true, (event, live) -> handler.accept(event)));
  }

  @Override
  public void later(Duration delay, Runnable task) {
    try {
      thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // isClosed is true
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      thread.execute(
          () -> {
            link.close();
            thread.shutdown();
          });
    }
  }

  private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> command) {
    CompletableFuture<T> result = new CompletableFuture<>();
    later(Duration.ZERO, () -> RelayLink.forward(command.get(), result));
    if (isClosed) { // a thread that is being shut down drops the command without a word
      result.completeExceptionally(new RelayFailure("The client was closed."));
    }
    return result;
  }

  private CompletableFuture<String> command(int kind, Tags tags, String content) {
    return call(() -> send(kind, tags, content));
  }

  private CompletableFuture<String> send(int kind, Tags tags, String content) {
    return link.publish(kind, chessTags(tags), content).answer;
  }

  /**
   * The tags of a chess event: another relay cannot forward it, since it names this one. A nonce
   * distinguishes equal events of one second, which would be duplicates otherwise.
   */
  private Tags chessTags(Tags tags) {
    List<List<String>> all = new ArrayList<>(tags.list());
    all.add(List.of("relay", relayUrl));
    all.add(List.of("nonce", UUID.randomUUID().toString().substring(0, 18)));
    return new Tags(all);
  }

  private static Tags root(GameView game) {
    return new Tags(List.of(List.of("e", game.id().hex(), "", "root")));
  }

  // ---- the connection

  /** A connection is made; events may arrive from now on. */
  void opened(RelayInfo found) {
    games.open(found.referee());
  }

  /** The subscriptions are served and the login is answered. */
  void ready(RelayInfo found) {
    Runnable connected = link.ofConnection(() -> connected(found));
    games.loaded().whenComplete((done, failure) -> connected.run());
  }

  void lost(String reason, Duration delay) {
    firstConnection.completeExceptionally(new RelayFailure(reason));
    listener.disconnected(reason, delay);
  }

  void noticed(String text) {
    listener.noticed(text);
  }

  private void connected(RelayInfo found) {
    resumeSearch();
    firstConnection.complete(found);
    listener.connected(found);
  }

  /**
   * The terms of an invite to be sent. Without an opponent, anybody may accept it; without a time,
   * the relay's default applies; without a side, it is drawn by lot; level 0 requests no strength.
   * Immutable.
   */
  public record InviteOptions(
      @Nullable PubKey opponent, @Nullable TimeControl time, @Nullable Side ours, int level) {
    Tags tags() {
      List<List<String>> tags = new ArrayList<>();
      if (opponent != null) {
        tags.add(List.of("p", opponent.hex()));
      }
      if (time != null) {
        tags.add(List.of("time", time.text()));
      }
      if (ours != null) {
        tags.add(List.of("color", EventTags.word(ours)));
      }
      if (level > 0) {
        tags.add(List.of("level", "" + level));
      }
      return new Tags(tags);
    }
  }
}
