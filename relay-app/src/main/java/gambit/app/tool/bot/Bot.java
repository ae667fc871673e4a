package gambit.app.tool.bot;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.app.common.SafeText;
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
import gambit.core.log.LimitedLog;
import gambit.core.log.LineLimit;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Tags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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
  private final Profile profile;
  private final Observer observer;
  private final GameLevels levels;
  private final Thinking thinking;
  private final PlayerClient client;
  private final Map<EventId, BotGame> games = new ConcurrentHashMap<>();

  private final LimitedRefusals refusals;
  private final BotInvites invites;
  private final BotJesterGames jester;

  public Bot(
      RelayPlace relay,
      Signer key,
      BotSettings settings,
      Profile profile,
      @Nullable Path levels,
      Observer observer) {
    this.settings = settings;
    this.profile = profile;
    this.observer = observer;
    this.refusals = new LimitedRefusals(observer, System::nanoTime);
    this.levels = new GameLevels(levels, games::containsKey);
    this.thinking = new Thinking(settings.threads(), settings.maxGames(), this::chooser);
    Listener listener = new Listener();
    this.client = new PlayerClient(relay, key, listener);
    this.invites =
        new BotInvites(
            settings.maxGames(),
            this::views,
            invite -> client.accept(invite.id(), ""),
            client::reject,
            client::later,
            refusals);
    this.jester =
        new BotJesterGames(
            client, settings, invites::hasRoomForSlowGame, listener, InstantSource.system());
  }

  private MoveChooser chooser() {
    MoveChooser.OwnEngine own =
        new MoveChooser.OwnEngine(RandomGenerator.getDefault(), () -> thinking.isLate());
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
    return games.values().stream().map(BotGame::current).filter(GameView::isRunning).toList();
  }

  private static String description(GameView game) {
    Side ours = game.terms().ours();
    String colour = ours == null ? "" : EventTags.word(ours);
    return game.id() + " as " + colour + ", move " + game.position().fullmoveNumber();
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

  /** The profile of a bot (kind 0), which says that it is one (NIP-24). Immutable. */
  public record Profile(String name, String about) {
    private static final int KIND = 0;

    String content() {
      return "{\"name\":\"%s\",\"about\":\"%s\",\"bot\":true}"
          .formatted(quoted(name), quoted(about));
    }

    private static String quoted(String text) {
      return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    void publish(PlayerClient client, LimitedRefusals refusals) {
      String filter = "{\"kinds\":[0],\"authors\":[\"" + client.pubkey().hex() + "\"],\"limit\":1}";
      client
          .query(filter)
          .thenCompose(
              found ->
                  isCurrent(found)
                      ? CompletableFuture.completedFuture("")
                      : client.publish(KIND, Tags.NONE, content()))
          .whenComplete(
              (ok, failure) -> {
                if (failure != null) {
                  Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                  refusals.refused("the profile", String.valueOf(cause.getMessage()));
                }
              });
    }

    private boolean isCurrent(List<Event> found) {
      return found.stream()
          .max(Comparator.comparingLong(Event::createdAt))
          .filter(event -> event.content().equals(content()))
          .isPresent();
    }
  }

  public interface Observer {
    /** The bot is connected and has resumed its games; called again after each reconnection. */
    default void connected(int runningGames) {}

    default void disconnected(String reason) {}

    default void gameBegan(String description) {}

    default void gameEnded(String description) {}

    /**
     * A move was chosen, without waiting for a thread, in that time: by the engine {@code own} or
     * {@code uci}, from the {@code book}, or by the own one as a {@code fallback} for the other.
     */
    default void moveChosen(String source, Duration time) {}

    /** The relay has sent a notice; its text is printable and of limited length. */
    default void noticed(String text) {}

    /**
     * The relay has refused an event of the bot, for a reason that is printable and of limited
     * length. Refusals as {@code invalid}, which other players can cause, are left out, and with
     * the notices there are at most ten in a minute.
     */
    default void refused(String what, String reason) {}
  }

  /**
   * The levels at which a bot plays its games, {@link #MAX_GAMES} at most, of which ended ones are
   * forgotten first: the relay does not keep an accepted invite. They can be kept in a file, which
   * is replaced whole, so that resumed games go on at their level; without it, they have the bot's
   * usual one. Owned by one thread.
   */
  static final class GameLevels {
    private static final LimitedLog LOG = LimitedLog.of(GameLevels.class);
    static final int MAX_GAMES = 500;

    private final @Nullable Path file;
    private final Predicate<EventId> isRunning;

    /** In the order in which the games have begun; a game that ends becomes the last. */
    private final Map<EventId, Level> levels = new LinkedHashMap<>();

    /** In the file, there is a line for each game: its id, a blank, and its level. */
    GameLevels(@Nullable Path file, Predicate<EventId> isRunning) {
      this.file = file;
      this.isRunning = isRunning;
      if (file != null && Files.exists(file)) {
        try {
          List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
          lines.stream().limit(MAX_GAMES).forEach(this::read);
        } catch (IOException e) {
          LOG.warn("Cannot read {}: {}", file, ErrorMessages.of(e));
        }
      }
    }

    private void read(String line) {
      String[] parts = line.split(" ", 3);
      if (parts.length == 2 && Hex.isLowerCase(parts[0], 64) && parts[1].matches("[1-5]")) {
        Level.of(Integer.parseInt(parts[1]))
            .ifPresent(level -> levels.put(EventId.ofHex(parts[0]), level));
      }
    }

    Optional<Level> of(EventId game) {
      return Optional.ofNullable(levels.get(game));
    }

    void put(EventId game, Level level) {
      if (level == levels.put(game, level)) {
        return;
      }
      if (levels.size() > MAX_GAMES) {
        levels.remove(oldestExcept(game));
      }
      if (file != null) {
        write(file);
      }
    }

    private EventId oldestExcept(EventId added) {
      List<EventId> others = levels.keySet().stream().filter(each -> !each.equals(added)).toList();
      return others.stream().filter(isRunning.negate()).findFirst().orElse(others.get(0));
    }

    /** A game has ended; its level is kept for a rematch. */
    void ended(EventId game) {
      Level level = levels.remove(game);
      if (level != null) {
        levels.put(game, level);
      }
    }

    private void write(Path to) {
      StringBuilder text = new StringBuilder();
      levels.forEach((game, level) -> text.append(game.hex() + " " + level.number() + "\n"));
      try {
        OutputFile.write(to, text.toString());
      } catch (IOException e) {
        LOG.warn("Cannot write {}: {}", to, ErrorMessages.of(e));
      }
    }
  }

  /**
   * Reports refusals and notices of the relay to an observer, {@link #MAX_IN_PERIOD} in a {@link
   * #PERIOD} at most: other players can cause any number of them. Texts are shortened, and control
   * characters replaced. Thread-safe.
   */
  static final class LimitedRefusals {
    static final int MAX_IN_PERIOD = 10;
    static final Duration PERIOD = Duration.ofMinutes(1);
    static final int MAX_CHARS = 200;

    private final Bot.Observer observer;
    private final LineLimit limit;

    LimitedRefusals(Bot.Observer observer, LongSupplier nanoTime) {
      this.observer = observer;
      this.limit = new LineLimit(MAX_IN_PERIOD, PERIOD, nanoTime);
    }

    void refused(String what, String reason) {
      report(reason, text -> observer.refused(what, text));
    }

    /** The relay has sent a NOTICE, or has refused the login. */
    void noticed(String notice) {
      report(notice, observer::noticed);
    }

    private synchronized void report(String text, Consumer<String> report) {
      long dropped = limit.takeOmitted(false);
      if (limit.admit()) {
        String clean = SafeText.of(text.substring(0, Math.min(MAX_CHARS, text.length())));
        report.accept(dropped == 0 ? clean : clean + " (" + dropped + " more were not reported)");
      }
    }
  }
}
