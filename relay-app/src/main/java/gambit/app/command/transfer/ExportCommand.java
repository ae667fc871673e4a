package gambit.app.command.transfer;

import gambit.app.command.access.RelayAccess.RunningRelay;
import gambit.app.common.Amounts;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.common.Interruption;
import gambit.app.common.ProgressLine;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.settings.DataOptions;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.core.ServedEvents;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit export}: writes the events of a relay to a file. */
@Command(
    name = "export",
    description = {
      "Writes the events of the relay of a data directory, running or stopped, to a file: a JSON"
          + " object in each line, newest first.",
      "The file gets its name when it is complete. It may have private messages: only its owner may"
          + " read it."
    },
    exitCodeOnExecutionException = 1,
    exitCodeList = {
      "0:the file is complete",
      "1:the file cannot be written, or the relay cannot be reached or does not answer",
      "130:interrupted; there is no file"
    },
    footer = {
      "  gambit export --data /var/lib/gambit events.jsonl.zst",
      "  gambit export --filter '{\"kinds\":[64]}' | less"
    })
public final class ExportCommand extends ConsoleCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description =
          "The file; compressed if the name ends with .gz or .zst; replaced if it exists, written"
              + " through if it is a pipe or a device; - for standard output (default:"
              + " ${DEFAULT-VALUE}).")
  private String file = "";

  @Option(
      names = "--filter",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "A filter (NIP-01) for the events (default: all events).")
  private String filter = "";

  @Mixin private DataOptions data = new DataOptions();

  @Override
  protected int run() throws CommandFailure {
    Filter wanted = filter();
    Path path = data.dataDirectory(System.getenv()).toAbsolutePath().normalize();
    try (Interruption interruption = new Interruption()) {
      DataDirectory directory;
      try {
        directory = new DataDirectory(path);
      } catch (DataDirectory.InUse e) {
        RunningRelay relay = RunningRelay.of(path);
        return export(interruption, to -> to.copy(relay, filter));
      }
      try (directory;
          DiskEventStore store = directory.openStore(0)) {
        return export(interruption, to -> to.copy(store, wanted));
      }
    } catch (IOException | UncheckedIOException e) {
      throw new CommandFailure("Cannot write " + file + ": " + ErrorMessages.of(e) + ".");
    }
  }

  private Filter filter() {
    byte[] query = ("[\"REQ\",\"export\"," + filter + "]").getBytes(StandardCharsets.UTF_8);
    ClientMessage read =
        new MessageReader(Integer.MAX_VALUE, 1, kind -> false).read(query, query.length);
    if (read instanceof ClientMessage.Subscribe subscribe) {
      return subscribe.filters().get(0);
    }
    String reason =
        read instanceof ClientMessage.BadSubscribe bad ? bad.reason().toString() : "not JSON";
    throw wrong("--filter: this is not one filter (NIP-01): " + reason + ".");
  }

  private interface Source {
    void copyTo(Target to) throws RelayFailure;
  }

  private int export(Interruption interruption, Source source) throws IOException, RelayFailure {
    try (EventFile.Output out = new EventFile(file).create()) {
      Target target;
      try (ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.EVENTS)) {
        target = new Target(out, interruption, progress);
        source.copyTo(target);
      }
      if (interruption.isRequested()) {
        return Interruption.STATUS;
      }
      out.complete();
      printError(Amounts.of(target.events, "event") + ".");
      return 0;
    }
  }

  private static final class Target {
    private final EventFile.Output out;
    private final Interruption interruption;
    private final ProgressLine progress;
    private long events;

    Target(EventFile.Output out, Interruption interruption, ProgressLine progress) {
      this.out = out;
      this.interruption = interruption;
      this.progress = progress;
    }

    void copy(DiskEventStore store, Filter wanted) {
      new ServedEvents(store, InstantSource.system())
          .forEach(
              wanted,
              event -> {
                write(event);
                return !interruption.isRequested();
              });
    }

    private void write(Event event) {
      try {
        out.writeLine(event.json());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      progress.update(++events, 0);
    }

    void copy(RunningRelay relay, String filter) throws RelayFailure {
      try (RelaySession session = RelaySession.connect(relay.place(), TIMEOUT)) {
        session.query(
            filter,
            this::take,
            () -> {
              if (!session.step(TIMEOUT)) {
                throw new RelayFailure(
                    "The relay has not answered for " + TIMEOUT.toSeconds() + " s.");
              }
              return !interruption.isRequested();
            });
      }
    }

    private void take(ReceivedMessage message) throws RelayFailure {
      write(
          message.event().orElseThrow(() -> new RelayFailure("The relay sent a malformed event.")));
    }
  }
}
