package gambit.app;

import gambit.app.command.access.LocalPort;
import gambit.app.server.settings.HouseSettings;
import gambit.app.tool.bot.Bot;
import gambit.app.tool.bot.BotSettings;
import gambit.chess.engine.Level;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChessFeature.HousePlayer;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.RelayComponents;
import gambit.core.crypto.Signer;
import gambit.core.metrics.Metrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The house player: a bot that is a client of this relay, over its own port. It begins when the
 * relay listens and ends before the relay does. Its failures are logged and do not affect the
 * relay.
 */
final class House implements AutoCloseable {
  /** The number of addresses at which inviters can have all games of the house player. */
  private static final int ADDRESSES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(House.class);
  private static final Bot.Profile PROFILE =
      new Bot.Profile(
          "Computer",
          "The computer that plays at this relay, at levels 1 to 5. Invite it to a game: it accepts"
              + " at once.");

  private final HouseSettings settings;
  private final Bot bot;

  House(HouseSettings settings, Signer key, RelayComponents relay) {
    this.settings = settings;
    Metrics metrics = relay.environment().metrics();
    bot =
        new Bot(
            LocalPort.inThisProcess(relay),
            key,
            settings.bot(),
            PROFILE,
            null, // the relay states the level of each game
            new Observer(metrics));
    metrics.gauge("house_games", "Running games of the house player", bot::runningGames);
    LOG.info("The house player is {}", key.pubkey().hex());
  }

  /** Starts to play: in a cluster, when this node leads. Any thread; called once at most. */
  void begin() {
    bot.start();
  }

  BotSettings settings() {
    return settings.bot();
  }

  /** Chess for a relay with a house player: it may have several games, and NIP-11 names it. */
  static ChessFeature chess(ChessSettings chess, HouseSettings settings, Signer key) {
    int max = settings.bot().maxGames();
    SimultaneousGames games =
        new SimultaneousGames(
            Set.of(key.pubkey()),
            max,
            Math.max(1, max / ADDRESSES),
            settings.bot().level().number());
    return ChessFeature.with(
        chess.withSimultaneousGames(games), new HousePlayer(key.pubkey(), Level.NUMBERS));
  }

  private static final class Observer implements Bot.Observer {
    private final Metrics.Counter gamesEnded;
    private final Map<String, Metrics.Counter> moves = new HashMap<>();
    private final LongAdder thinkingMicros = new LongAdder();

    private Observer(Metrics metrics) {
      gamesEnded = metrics.counter("house_games_ended", "Ended games of the house player");
      for (String engine : new String[] {"own", "uci", "book", "fallback"}) {
        moves.put(
            engine,
            metrics.counter(
                "house_moves",
                "Moves of the house player by the engine that chose them",
                "engine",
                engine));
      }
      metrics.gauge(
          "house_thinking_seconds",
          "Seconds that the house player has thought since the start",
          () -> thinkingMicros.sum() / 1e6);
    }

    @Override
    public void connected(int runningGames) {
      if (runningGames > 0) {
        LOG.info("The house player resumes {} games", runningGames);
      }
    }

    @Override
    public void disconnected(String reason) {
      LOG.warn("The house player has lost its connection, and connects again: {}", reason);
    }

    @Override
    public void gameBegan(String description) {
      LOG.debug("The house player begins the game {}", description);
    }

    @Override
    public void gameEnded(String description) {
      LOG.debug("The house player has ended the game {}", description);
      gamesEnded.increment();
    }

    @Override
    public void moveChosen(String source, Duration time) {
      Metrics.Counter counter = moves.get(source);
      if (counter != null) {
        counter.increment();
      }
      thinkingMicros.add(time.toNanos() / 1000);
    }

    @Override
    public void refused(String what, String reason) {
      LOG.warn("The relay refuses {} of the house player: {}", what, reason);
    }

    @Override
    public void noticed(String text) {
      LOG.warn("The relay has sent the house player a notice: {}", text);
    }
  }

  @Override
  public void close() {
    bot.close();
  }
}
