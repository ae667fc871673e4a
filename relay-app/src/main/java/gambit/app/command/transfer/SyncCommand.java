package gambit.app.command.transfer;

import gambit.app.command.access.RelayAccess;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.Interruption;
import gambit.app.common.ProgressLine;
import gambit.app.common.SafeText;
import gambit.app.server.settings.DataOptions;
import gambit.app.tool.client.KeyFile;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.sync.MoveCounts;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.app.tool.sync.PeerSettings.Direction;
import gambit.app.tool.sync.RelayPair;
import gambit.app.tool.sync.SyncFilter;
import gambit.app.tool.sync.SyncRun;
import gambit.core.crypto.Signer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit sync}: exchanges events with another relay. */
@Command(
    name = "sync",
    description = {
      "Compares the events of this relay, running or stopped, with those of another one, and moves"
          + " what either lacks.",
      "With --dir up or both, the other relay gets everything that the filter matches, private"
          + " messages too."
    },
    exitCodeOnExecutionException = 1,
    exitCodeList = {
      "0:each relay has what it lacked, except what it refuses",
      "1:not completed, with the reason; what was moved stays",
      "130:interrupted; everything that is counted is stored"
    },
    footer = {
      "  gambit sync wss://relay.example.com --dir down",
      "  gambit sync wss://relay.example.com --filter '{\"kinds\":[64,5001,5002,5003]}'"
    })
public final class SyncCommand extends ConsoleCommand {
  private static final int MAX_RATE = 1_000_000;

  @Parameters(index = "0", paramLabel = "URL", description = "The other relay.")
  private URI peer = URI.create("");

  @Option(
      names = "--filter",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "A filter of NIP-01 without limit (default: all events).")
  private String filter = "";

  @Option(
      names = "--dir",
      paramLabel = "DIRECTION",
      defaultValue = "both",
      description = "up, down or both: which relay gets what it lacks (default: ${DEFAULT-VALUE}).")
  private String direction = "";

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Events a second in each direction; 0: no limit (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "The secret key, an nsec or hex digits, with which to log in at the other relay"
              + " (NIP-42).")
  private @Nullable Path key;

  @Mixin private DataOptions data = new DataOptions();

  @Override
  protected int run() throws CommandFailure {
    SyncFilter events = filter();
    Direction wanted = direction();
    int eventsPerSecond = rate();
    if (!RelayPlace.isRelayUrl(peer)) {
      throw wrong("URL " + peer + ": expected a ws:// or wss:// URL.");
    }
    Signer signer = signer();
    try (Interruption interruption = new Interruption();
        RelayAccess access = RelayAccess.open(data, System.getenv());
        RelayPair pair =
            new RelayPair(access.place(), RelayPlace.of(peer), signer, RelayPair.SILENCE)) {
      SyncRun run =
          new SyncRun(
              pair,
              wanted,
              eventsPerSecond,
              new SyncRun.RefusedByRelays(),
              MoveCounts.MoveObserver.NONE);
      int status = run(pair, run, wanted, events, interruption::isRequested);
      return interruption.isRequested() ? Interruption.STATUS : status;
    }
  }

  private int run(
      RelayPair pair,
      SyncRun sync,
      Direction wanted,
      SyncFilter events,
      BooleanSupplier isStopping) {
    String failure = "";
    try (ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.EVENTS)) {
      pair.observe(
          () -> {
            progress.update(sync.done(), sync.total());
            if (isStopping.getAsBoolean()) {
              throw new RelayFailure("interrupted.");
            }
          });
      sync.run(events, 0);
    } catch (RelayFailure e) {
      failure = SafeText.of(e.sentence());
      if (isStopping.getAsBoolean()) {
        sync.awaitAnswers();
      }
    }
    if (!sync.whyPages().isEmpty()) {
      print("Read page by page, without NIP-77: " + SafeText.of(sync.whyPages()) + ".");
    }
    boolean isComplete = failure.isEmpty();
    if (wanted.isDown()) {
      isComplete &= print("down", sync.downCounts());
    }
    if (wanted.isUp()) {
      isComplete &= print("up", sync.upCounts());
    }
    if (!failure.isEmpty()) {
      printError("Not completed: " + failure);
    }
    return isComplete ? 0 : 1;
  }

  /** Prints what has become of the events of one direction; false if some were not served. */
  private boolean print(String name, MoveCounts counts) {
    print(
        String.format(
            Locale.ROOT,
            "%-5s %,d events: %,d stored, %,d known, %,d refused, %,d not served",
            name + ":",
            counts.get(Fate.LACKED),
            counts.get(Fate.STORED),
            counts.get(Fate.KNOWN),
            counts.get(Fate.REFUSED),
            counts.get(Fate.UNDELIVERED)));
    counts
        .reasons()
        .forEach(
            (reason, count) -> print(String.format(Locale.ROOT, "      %,d %s", count, reason)));
    return counts.get(Fate.UNDELIVERED) == 0;
  }

  private SyncFilter filter() {
    try {
      return SyncFilter.parse(filter);
    } catch (IllegalArgumentException e) {
      throw wrong("--filter: " + e.getMessage() + ".");
    }
  }

  private Direction direction() {
    return Direction.parse(direction.toLowerCase(Locale.ROOT))
        .orElseThrow(() -> wrong("--dir " + direction + ": expected up, down or both."));
  }

  private int rate() {
    if (rate < 0 || rate > MAX_RATE) {
      throw wrong("--rate " + rate + ": expected a number of events from 0 to " + MAX_RATE + ".");
    }
    return rate;
  }

  private @Nullable Signer signer() {
    Path file = key;
    if (file == null) {
      return null;
    }
    try {
      return KeyFile.read(file)
          .orElseThrow(() -> wrong("--key " + file + ": there is no such file."));
    } catch (CommandFailure e) {
      throw wrong("--key: " + String.valueOf(e.getMessage()));
    }
  }
}
