package gambit.app.tool.bot;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.common.SafeText;
import gambit.app.tool.client.KeyFile;
import gambit.app.tool.client.RelayOption;
import gambit.app.tool.client.RelayPlace;
import gambit.chess.engine.Level;
import gambit.core.crypto.Signer;
import gambit.core.model.Nip19;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gambit bot}: plays at a relay until a signal ends it, several games at once if allowed.
 */
@Command(
    name = "bot",
    description = "Plays at a relay with a chess engine, and accepts every invite.",
    exitCodeList = {"0:ended by a signal", "1:the key is unusable"},
    footer = {
      "  gambit bot --relay wss://relay.example.com --engine /usr/games/stockfish --key bot.key"
    })
public final class BotCommand extends ConsoleCommand {

  /** More than a relay allows a player; the relay's own maximum decides. */
  private static final int MAX_GAMES = 200;

  @Mixin private RelayOption relay = new RelayOption();

  @Option(
      names = "--engine",
      paramLabel = "CMD",
      defaultValue = "",
      description = "The command of a UCI engine (default: the built-in engine).")
  private String engine = "";

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "5",
      description =
          "Strength from 1 to 5 against players who request none (default: ${DEFAULT-VALUE}).")
  private int level;

  @Option(
      names = "--move-time",
      paramLabel = "MS",
      defaultValue = "1000",
      description = "Longest time for a move, in milliseconds (default: ${DEFAULT-VALUE}).")
  private int moveMillis;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "File of the bot's secret key, created if it does not exist (default: a new key).")
  private @Nullable Path key;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "Bot",
      description = "Name in the bot's profile (default: ${DEFAULT-VALUE}).")
  private String name = "";

  @Override
  protected int run() throws InterruptedException {
    RelayPlace place = RelayPlace.of(relay.url());
    try {
      BotSettings settings = settings();
      Path levels = key == null ? null : key.resolveSibling(key.getFileName() + ".levels");
      Signer signer = signer();
      PrintWriter out = spec().commandLine().getOut();
      Bot.Profile profile =
          new Bot.Profile(name, "A bot that accepts every invite, at levels 1 to 5.");
      Bot bot = new Bot(place, signer, settings, profile, levels, new Printer(out));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(bot, out), "shutdown"));
      print("The bot is " + Nip19.npub(signer.pubkey()) + " (" + signer.pubkey().hex() + ")");
      bot.start();
      new CountDownLatch(1).await();
      return 0;
    } catch (CommandFailure e) {
      return failed(1, "--key: " + e.getMessage());
    } catch (LinkageError e) {
      return failed(1, ErrorMessages.NO_SECP256K1);
    }
  }

  private Signer signer() throws CommandFailure {
    if (key == null) {
      return Signer.random();
    }
    Optional<Signer> existing = KeyFile.read(key);
    return existing.isPresent() ? existing.get() : KeyFile.create(key);
  }

  private BotSettings settings() {
    Level strength =
        Level.of(level).orElseThrow(() -> wrong("--level " + level + ": expected 1 to 5."));
    if (moveMillis < 1 || moveMillis > BotSettings.MAX_MOVE_TIME.toMillis()) {
      throw wrong(
          "--move-time %d: expected 1 to %d milliseconds."
              .formatted(moveMillis, BotSettings.MAX_MOVE_TIME.toMillis()));
    }
    return new BotSettings(
        BotSettings.command(engine), 1, MAX_GAMES, Duration.ofMillis(moveMillis), strength, false);
  }

  /** On a signal: leaves the running games, says which, and ends with status 0. */
  private static void end(Bot bot, PrintWriter out) {
    List<String> running = bot.descriptionsOfRunningGames();
    bot.close();
    out.println(
        running.isEmpty()
            ? "The bot ends; it has no running game"
            : "The bot ends; its running games go on, and it resumes them if it is started again"
                + " with the same key in time:");
    running.forEach(game -> out.println("  " + game));
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  private record Printer(PrintWriter out) implements Bot.Observer {
    private void print(String line) {
      synchronized (out) {
        out.println(line);
        out.flush();
      }
    }

    @Override
    public void connected(int runningGames) {
      print("connected" + (runningGames == 0 ? "" : ", running games: " + runningGames));
    }

    @Override
    public void disconnected(String reason) {
      print("not connected: " + SafeText.of(reason));
    }

    @Override
    public void gameBegan(String description) {
      print("game   " + description);
    }

    @Override
    public void gameEnded(String description) {
      print("ended  " + SafeText.of(description));
    }

    @Override
    public void refused(String what, String reason) {
      print("the relay refuses " + what + ": " + reason);
    }

    @Override
    public void noticed(String text) {
      print("notice: " + text);
    }
  }
}
