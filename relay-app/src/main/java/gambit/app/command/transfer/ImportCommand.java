package gambit.app.command.transfer;

import gambit.app.command.access.RelayAccess;
import gambit.app.command.access.StoppedRelay;
import gambit.app.command.transfer.EventLines.LineParser;
import gambit.app.command.transfer.EventSink.SocketSink;
import gambit.app.command.transfer.Importer.ImportCounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.common.Interruption;
import gambit.app.common.ProgressLine;
import gambit.app.server.settings.DataOptions;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.core.EventImport;
import gambit.core.limit.Limit;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit import}: imports events into the relay of a data directory. */
@Command(
    name = "import",
    description = {
      "Imports events, a JSON object in each line, into the relay of a data directory, running or"
          + " stopped.",
      "Known events are skipped, so an import can be repeated. What is not stored is counted at the"
          + " end with the reasons."
    },
    exitCodeOnExecutionException = 1,
    exitCodeList = {
      "0:every line was an event; it is stored, or refused with a reason",
      "1:the file cannot be read, or the relay cannot be reached, does not answer, or cannot store"
          + " an event, for example because the disk is full",
      "3:as 0, but some lines are not events",
      "130:interrupted; everything that is counted is stored"
    },
    footer = {
      "  gambit import --data /var/lib/gambit events.jsonl.zst",
      "  strfry export | gambit import"
    })
public final class ImportCommand extends ConsoleCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description =
          "The events; decompressed if the name ends with .gz or .zst; - for standard input"
              + " (default: ${DEFAULT-VALUE}).")
  private String file = "";

  @Option(names = "--trusted", description = "Does not verify signatures. Ids are always checked.")
  private boolean isTrusted;

  @Mixin private DataOptions data = new DataOptions();

  @Override
  protected int run() throws CommandFailure, InterruptedException {
    ImportCounts counts = new ImportCounts(line -> printError(line));
    AtomicLong read = new AtomicLong();
    EventFile source = new EventFile(file);
    try (Interruption interruption = new Interruption();
        InputStream in = source.open(read);
        RelayAccess relay = RelayAccess.open(data, System.getenv())) {
      int status = 1;
      long bytes = source.bytes();
      try (ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.BYTES)) {
        copy(in, relay, counts, interruption, () -> progress.update(read.get(), bytes));
        status = counts.hasInvalidLines() ? 3 : 0;
      } catch (RelayFailure e) {
        status = failed(1, e.sentence());
      } catch (IOException e) {
        status = failed(1, unreadable(e));
      } finally {
        counts.summary().forEach(line -> print(line));
      }
      return interruption.isRequested() ? Interruption.STATUS : status;
    } catch (IOException e) {
      throw new CommandFailure(unreadable(e));
    }
  }

  private String unreadable(IOException e) {
    return "Cannot read " + file + ": " + ErrorMessages.of(e) + ".";
  }

  private void copy(
      InputStream in,
      RelayAccess relay,
      ImportCounts counts,
      Interruption interruption,
      Runnable progress)
      throws IOException, RelayFailure, InterruptedException {
    int maxTags = Integer.MAX_VALUE;
    if (relay instanceof StoppedRelay stopped) {
      maxTags = stopped.limits().get(Limit.EVENT_TAGS);
    }
    int maxLineBytes = relay.maxMessageBytes() - "[\"EVENT\",]".length();
    try (EventSink sink = sink(relay);
        Importer importer =
            new Importer(
                sink,
                new LineParser(maxTags),
                counts,
                interruption::isRequested,
                Importer.TIMEOUT)) {
      importer.run(new EventLines(in, maxLineBytes), progress);
    }
  }

  private EventSink sink(RelayAccess relay) throws RelayFailure {
    return relay instanceof StoppedRelay stopped
        ? new LocalSink(stopped.imports(), isTrusted)
        : new SocketSink(relay.placeForVerifiedEvents(), isTrusted);
  }

  /** Imports events into the relay in this process, which verifies their signatures. */
  private record LocalSink(EventImport imports, boolean isTrusted) implements EventSink {
    /** Fewer bytes if there is little memory, else enough for two commits. */
    private static final int UNANSWERED_BYTES =
        (int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 8);

    @Override
    public void take(Event event, RelaySession.Answer answer) {
      imports.take(
          event,
          isTrusted,
          ok ->
              answer.received(ok.accepted(), ok.reason().map(Reason::toString).orElse(ok.note())));
    }

    @Override
    public int maxUnansweredBytes() {
      return UNANSWERED_BYTES;
    }
  }
}
