package gambit.app.tool.bot;

import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.EventTags;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerListener;
import gambit.app.tool.client.ReceivedInvite;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.engine.Level;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A player without a person. It accepts every invite and every challenge of kind 30 at once, plays
 * any number of games, accepts takebacks and rematches, offers and accepts draws and resigns by its
 * evaluation, and claims draws that it does not want to avoid. Where the relay allows it one game
 * at a time, further invites wait until the game has ended.
 *
 * <p>Its methods may be called by any thread; the relay's messages are handled on the client's
 * thread, moves are chosen on those of {@link Thinking}.
 */
public final class Bot implements AutoCloseable {
  private static final Duration ENGINE_TIMEOUT = Duration.ofSeconds(10);

  private final BotSettings settings;
  private final BotProfile profile;
  private final BotObserver observer;
  private final GameLevels levels;
  private final Thinking thinking;
  private final PlayerClient client;
  private final Map<EventId, BotGame> games = new ConcurrentHashMap<>();

  private final LimitedRefusals refusals;
  private final BotInvites invites;
  private final BotJesterGames jester;

  /** Levels of games are kept in the file over restarts, if there is one. */
  public Bot(
      RelayPlace relay,
      Signer key,
      BotSettings settings,
      BotProfile profile,
      @Nullable Path levels,
      BotObserver observer) {
    this.settings = settings;
    this.profile = profile;
    this.observer = observer;
    this.refusals = new LimitedRefusals(observer, System::nanoTime);
    this.levels = new GameLevels(levels, games::containsKey);
    this.invites = new BotInvites(settings.maxGames(), this::views, new Answers(), refusals);
    this.thinking = new Thinking(settings.threads(), settings.maxGames(), this::chooser);
    Listener listener = new Listener();
    this.client = new PlayerClient(relay, key, listener);
    this.jester =
        new BotJesterGames(
            client, settings, invites::hasRoomForSlowGame, listener, InstantSource.system());
  }

  private MoveChooser chooser() {
    OwnEngine own = new OwnEngine(RandomGenerator.getDefault(), () -> thinking.isLate());
    return settings.engine().isEmpty()
        ? own
        : new UciPlayer(settings.engine(), ENGINE_TIMEOUT, own, System::nanoTime);
  }

  public void start() {
    client.connect();
  }

  public int runningGames() {
    return games.size();
  }

  public List<String> descriptionsOfRunningGames() {
    return views().stream().map(Bot::description).toList();
  }

  private List<GameView> views() {
    return games.values().stream()
        .map(BotGame::view)
        .flatMap(view -> Optional.ofNullable(view).stream())
        .toList();
  }

  private static String description(GameView game) {
    Side ours = game.terms().ours();
    return game.id().hex()
        + " as "
        + (ours == null ? "" : EventTags.word(ours))
        + ", move "
        + game.position().fullmoveNumber();
  }

  /** Ends the connection and the engines; running games stay as they are on the relay. */
  @Override
  public void close() {
    client.close();
    thinking.close();
  }

  private final class Listener implements PlayerListener {
    @Override
    public void connected(RelayInfo relay) {
      games.values().forEach(BotGame::thinkAgain);
      invites.connected(relay);
      jester.connected(relay.referee());
      profile.publish(client, refusals);
      observer.connected(games.size());
    }

    @Override
    public void disconnected(String reason, Duration delay) {
      jester.disconnected();
      observer.disconnected(reason);
    }

    @Override
    public void invited(ReceivedInvite invite) {
      invites.received(invite);
    }

    @Override
    public void jesterState(Event state) {
      jester.state(state);
    }

    @Override
    public void noticed(String text) {
      refusals.noticed(text);
    }

    @Override
    public void gameBegan(GameView game) {
      Side ours = game.terms().ours();
      if (ours == null || !game.isRunning() || games.containsKey(game.id())) {
        return;
      }
      boolean isJester = jester.has(game.id());
      Optional<ReceivedInvite> invite =
          isJester ? Optional.empty() : invites.began(game.terms().player(ours.opponent()));
      Level level = level(game, invite);
      levels.put(game.id(), level);
      BotGame begun =
          new BotGame(
              isJester ? jester : client,
              thinking,
              settings.moveTime(),
              level,
              observer,
              refusals,
              Backoff.ofRefusals(),
              game);
      games.put(game.id(), begun);
      observer.gameBegan(description(game) + ", level " + level.number());
      begun.update(game);
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
      BotGame known = games.remove(game.id());
      if (known != null) {
        known.update(game);
        levels.ended(game.id());
        var ending = game.ending();
        observer.gameEnded(
            description(game)
                + (ending == null
                    ? ""
                    : ": " + ending.result().text() + " " + ending.termination()));
      }
      invites.ended(game);
    }
  }

  private Level level(GameView game, Optional<ReceivedInvite> invite) {
    int stated = game.terms().level(Objects.requireNonNull(game.terms().ours()));
    return Level.of(stated)
        .or(() -> levels.of(game.id()))
        .or(() -> invite.flatMap(this::requestedLevel))
        .orElse(settings.level());
  }

  private Optional<Level> requestedLevel(ReceivedInvite invite) {
    EventId before = invite.rematchOf();
    return before == null ? Level.of(invite.level()) : levels.of(before);
  }

  private final class Answers implements BotInvites.Answers {
    @Override
    public CompletableFuture<String> accept(ReceivedInvite invite) {
      return client.accept(invite.id());
    }

    @Override
    public void reject(ReceivedInvite invite) {
      client.reject(invite);
    }

    @Override
    public void later(Duration delay, Runnable task) {
      client.later(delay, task);
    }
  }
}
