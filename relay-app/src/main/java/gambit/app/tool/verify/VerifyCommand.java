package gambit.app.tool.verify;

import gambit.app.common.ConsoleCommand;
import gambit.app.common.SafeText;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayOption;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit verify}: referees a finished game again from the events that a relay serves. */
@Command(
    name = "verify",
    description = "Checks the signatures of a finished game, and referees it again.",
    exitCodeOnExecutionException = 2,
    exitCodeList = {
      "0:everything holds",
      "1:something is wrong with the game",
      "2:wrong usage, or the relay does not answer",
      "3:nothing is wrong, but events that prove the game are missing"
    },
    footer = "  gambit verify --relay wss://relay.example.com 0123...cdef")
public final class VerifyCommand extends ConsoleCommand {
  /** The longest printed line; it may contain text of the relay. */
  private static final int MAX_LINE_CHARS = 400;

  @Parameters(index = "0", paramLabel = "GAME-ID", description = "The game's id, in hex.")
  private String game = "";

  @Mixin private RelayOption relay = new RelayOption();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Time limit for all answers of the relay (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(
      names = "--max-clock-skew",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "The referee's chess.max_clock_skew: the limit on the distance of an event's created_at"
              + " from its arrival (default: ${DEFAULT-VALUE}).")
  private int maxClockSkew;

  @Override
  protected int run() {
    EventId id = gameId();
    URI url = relay.url();
    requireValidOptions();
    try (GameFetcher fetch = new GameFetcher(url, Duration.ofSeconds(timeout))) {
      FetchedGame fetched = fetch.fetch(id);
      Findings findings =
          Verification.of(fetched, url, Duration.ofSeconds(maxClockSkew), new EventVerifier());
      findings.printTo(line -> print(SafeText.of(line, MAX_LINE_CHARS)));
      return findings.status();
    } catch (RelayFailure e) {
      return failed(2, SafeText.of(e.sentence(), MAX_LINE_CHARS));
    }
  }

  private EventId gameId() {
    String hex = game.toLowerCase(Locale.ROOT);
    if (!Hex.isLowerCase(hex, 64)) {
      throw wrong("GAME-ID " + game + ": expected 64 hex digits.");
    }
    return EventId.ofHex(hex);
  }

  private void requireValidOptions() {
    if (timeout < 1 || timeout > 3600) {
      throw wrong("--timeout " + timeout + ": expected 1 to 3600 seconds.");
    }
    if (maxClockSkew < 1) {
      throw wrong("--max-clock-skew " + maxClockSkew + ": expected at least 1 second.");
    }
  }
}
