package gambit.app.bot;

import gambit.app.client.GameView;
import gambit.app.client.PlayerClient;
import gambit.app.client.PlayerListener;
import gambit.app.client.ReceivedInvite;
import gambit.app.client.RefusedException;
import gambit.app.client.RelayInfo;
import gambit.chess.engine.Level;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A player without a person. It accepts every invite at once, plays any number of games, accepts
 * takebacks and rematches, answers draw offers by its evaluation, claims draws that it does not
 * want to avoid, and never resigns, so that its opponent can play the mate. Where the relay allows
 * it one game at a time, further invites wait until the game has ended.
 *
 * <p>Its methods may be called by any thread; the relay's messages are handled on the client's
 * thread, moves are chosen on those of {@link Thinking}.
 */
public final class Bot implements AutoCloseable {
  /** Invites that wait for the end of a game; beyond that, the oldest is rejected. */
  private static final int MAX_WAITING = 50;

  /** The games that a bot may have without a clock or in correspondence, as a part of all. */
  private static final int SLOW_GAMES_DIVISOR = 2;

  private static final Duration ENGINE_TIMEOUT = Duration.ofSeconds(10);

  private final BotSettings settings;
  private final BotProfile profile;
  private final BotObserver observer;
  private final GameLevels levels;
  private final Thinking thinking;
  private final PlayerClient client;
  private final Map<EventId, BotGame> games = new ConcurrentHashMap<>();

  /** The invites that were accepted and whose game has not begun, by their author. */
  private final Map<PubKey, ReceivedInvite> accepted = new HashMap<>();

  private final Deque<ReceivedInvite> waiting = new ArrayDeque<>();

  /**
   * A relay to play at.
   *
   * @param url a ws or wss URL
   * @param loginUrl the URL of the relay that logins name, if it is known under another one
   */
  public record Place(URI url, String loginUrl) {
    /** A relay with one URL. */
    public static Place of(URI url) {
      return new Place(url, url.toString());
    }
  }

  /**
   * Creates a bot, which connects when {@link #start} is called.
   *
   * @param levels the file in which the levels of games are kept over restarts, or null
   */
  public Bot(
      Place relay,
      Signer key,
      BotSettings settings,
      BotProfile profile,
      @Nullable Path levels,
      BotObserver observer) {
    this.settings = settings;
    this.profile = profile;
    this.observer = observer;
    this.levels = new GameLevels(levels);
    this.thinking = new Thinking(settings.threads(), settings.maxGames(), this::chooser);
    this.client = new PlayerClient(relay.url(), relay.loginUrl(), key, new Listener());
  }

  private MoveChooser chooser() {
    OwnEngine own = new OwnEngine(RandomGenerator.getDefault());
    return settings.engine().isEmpty()
        ? own
        : new UciPlayer(settings.engine(), ENGINE_TIMEOUT, own, System::nanoTime);
  }

  /** Connects, and keeps connecting until {@link #close}. */
  public void start() {
    client.connect();
  }

  /** The number of running games. Any thread. */
  public int runningGames() {
    return games.size();
  }

  /** A line for each running game. Any thread. */
  public List<String> descriptionsOfRunningGames() {
    return games.values().stream()
        .map(BotGame::view)
        .flatMap(view -> Optional.ofNullable(view).stream())
        .map(Bot::description)
        .toList();
  }

  private static String description(GameView game) {
    Side ours = game.terms().ours();
    return game.id().hex()
        + " as "
        + (ours == Side.WHITE ? "white" : "black")
        + ", move "
        + game.position().fullmoveNumber();
  }

  /** Ends the connection and the engines; running games stay as they are on the relay. */
  @Override
  public void close() {
    client.close();
    thinking.close();
  }

  /** Receives the news of the client, on its thread. */
  private final class Listener implements PlayerListener {
    @Override
    public void connected(RelayInfo relay) {
      accepted.clear();
      games.values().forEach(BotGame::reconnected);
      profile.publish(client, observer);
      observer.connected(games.size());
    }

    @Override
    public void disconnected(String reason, Duration delay) {
      observer.disconnected(reason);
    }

    @Override
    public void invited(ReceivedInvite invite) {
      consider(invite);
    }

    @Override
    public void gameBegan(GameView game) {
      began(game);
    }

    @Override
    public void gameChanged(GameView game) {
      BotGame known = games.get(game.id());
      if (known != null) {
        known.update(game);
      }
    }

    @Override
    public void gameEnded(GameView game) {
      ended(game);
    }
  }

  // ---- invites

  private void consider(ReceivedInvite invite) {
    boolean isFull = games.size() + accepted.size() >= settings.maxGames();
    if (isFull || (isSlow(invite.time()) && isFullOfSlowGames())) {
      client.reject(invite);
      return;
    }
    accepted.put(invite.author(), invite);
    client
        .accept(invite.id())
        .whenComplete(
            (ok, failure) -> {
              if (failure != null) {
                notAccepted(invite, failure);
              }
            });
  }

  private void notAccepted(ReceivedInvite invite, Throwable failure) {
    accepted.remove(invite.author(), invite);
    if (failure instanceof RefusedException refused && refused.reason().startsWith("you are ")) {
      waiting.add(invite);
      if (waiting.size() > MAX_WAITING) {
        client.reject(waiting.remove());
      }
    } else if (failure instanceof RefusedException refused
        && refused.prefix().equals("restricted")) {
      client.reject(invite);
    }
  }

  private boolean isFullOfSlowGames() {
    long slow =
        games.values().stream()
            .map(BotGame::view)
            .filter(view -> view != null && isSlow(view.terms().time()))
            .count();
    return slow > 0 && slow * SLOW_GAMES_DIVISOR >= settings.maxGames();
  }

  private static boolean isSlow(@Nullable TimeControl time) {
    return time != null && (time.isUntimed() || time.isCorrespondence());
  }

  // ---- games

  private void began(GameView game) {
    Side ours = game.terms().ours();
    if (ours == null || !game.isRunning() || games.containsKey(game.id())) {
      return;
    }
    Level level = level(game, accepted.remove(game.terms().player(ours.opponent())));
    levels.put(game.id(), level);
    BotGame begun = new BotGame(client, thinking, settings.moveTime(), level, observer, game);
    games.put(game.id(), begun);
    observer.gameBegan(description(game) + ", level " + level.number());
    begun.update(game);
  }

  private Level level(GameView game, @Nullable ReceivedInvite invite) {
    Optional<Level> known = levels.of(game.id());
    if (known.isEmpty() && invite != null) {
      EventId before = invite.rematchOf();
      known = before == null ? Level.of(invite.level()) : levels.of(before);
    }
    return known.orElse(settings.level());
  }

  private void ended(GameView game) {
    if (games.remove(game.id()) != null) {
      var ending = game.ending();
      observer.gameEnded(
          description(game)
              + (ending == null ? "" : ": " + ending.result().text() + " " + ending.termination()));
    }
    ReceivedInvite next = waiting.poll();
    if (next != null) {
      consider(next);
    }
  }
}
