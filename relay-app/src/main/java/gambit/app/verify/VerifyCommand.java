package gambit.app.verify;

import gambit.app.client.RelayFailed;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.RelayUrls;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gambit verify}: a finished game is refereed again from what a relay serves of it. Exit
 * status 0: everything holds; 1: something is wrong; 2: there is no relay to ask.
 */
@Command(
    name = "verify",
    description = "Checks the signatures of a finished game, and referees it again.",
    mixinStandardHelpOptions = true,
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:everything holds",
      "1:something is wrong with the game",
      "2:wrong usage, or the relay does not answer"
    })
public final class VerifyCommand implements Callable<Integer> {
  /** Of a line; what a relay sends may be longer. */
  private static final int LONGEST_LINE = 400;

  @Parameters(index = "0", paramLabel = "GAME-ID", description = "The game's id, in hex.")
  private String game = "";

  @Option(
      names = "--relay",
      paramLabel = "URL",
      defaultValue = "ws://localhost:7447",
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI relay = URI.create("");

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long the relay may take in all (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(
      names = "--max-clock-skew",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "The referee's chess.max_clock_skew: how far created_at of an event may be from its"
              + " arrival (default: ${DEFAULT-VALUE}).")
  private int maxClockSkew;

  @Spec private CommandSpec spec;

  /** Made by picocli, which sets the fields. */
  public VerifyCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    EventId id = gameId();
    requireUsable();
    try (GameFetch fetch = new GameFetch(relay, Duration.ofSeconds(timeout))) {
      Evidence evidence = fetch.fetch(id);
      Findings findings =
          Verification.of(evidence, relay, Duration.ofSeconds(maxClockSkew), new EventVerifier());
      findings.tell(plain(spec.commandLine().getOut()));
      return findings.nothingWrong() ? 0 : 1;
    } catch (LinkageError e) {
      return failed("There is no native secp256k1 library for this machine.");
    } catch (RelayFailed e) {
      return failed(String.valueOf(e.getMessage()));
    }
  }

  private int failed(String words) {
    plain(spec.commandLine().getErr()).accept(words);
    return 2;
  }

  private EventId gameId() {
    String hex = game.toLowerCase(Locale.ROOT);
    if (!Hex.isLowerCase(hex, 64)) {
      throw new ParameterException(spec.commandLine(), "A game's id has 64 hex digits.");
    }
    return EventId.ofHex(hex);
  }

  private void requireUsable() {
    try {
      new RelayUrls(List.of(relay.toString()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (timeout < 1 || timeout > 3600) {
      throw new ParameterException(spec.commandLine(), "--timeout is 1 to 3600 seconds.");
    }
    if (maxClockSkew < 1) {
      throw new ParameterException(
          spec.commandLine(), "--max-clock-skew is a number of seconds, at least 1.");
    }
  }

  /** Prints lines of which a relay may have written parts: printable ASCII only, not too long. */
  private static Consumer<String> plain(PrintWriter out) {
    return line -> {
      String printable = line.replaceAll("[^ -~]", "?");
      out.println(
          printable.length() > LONGEST_LINE
              ? printable.substring(0, LONGEST_LINE) + "..."
              : printable);
      out.flush();
    };
  }
}
