package gambit.app.bench;

import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.client.RelayLimits;
import gambit.app.tool.client.RelayPlace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit bench}: measures a relay. */
@Command(
    name = "bench",
    description = {
      "Measures any Nostr relay with synthetic traffic, and checks its answers.",
      "Publishes a data set first, unless the relay has it; it must have nothing else. Use a relay"
          + " that is for this only.",
      "",
      "Lines: req-ids, req-author, req-kinds, req-e, req-p, req-window, req-three-filters,"
          + " req-feed, ingest-8x64, ingest-100x8, ingest-1x1, ingest-paced, duplicates, mixed,"
          + " fan-out-paced, fan-out-pipelined, subscriptions, latency, connections, moves, moves-paced, memory;"
          + " box, everything at once, only by its name"
    },
    exitCodeList = {
      "0:measured; all answers were right",
      "1:the relay or a line cannot be measured, or an answer was wrong"
    },
    footer = {
      "  gambit bench ws://localhost:7447 --pid 4711 --events 210000 --csv gambit.csv",
      "  gambit bench ws://localhost:7447 req-kinds mixed --windows 10,30,60,300",
      "  gambit bench ws://localhost:7447 box --pid 4711 --runs 1 --seconds 600",
      "  gambit bench ws://localhost:7447 --pid 4711 --cold",
      "  gambit bench --compare before.csv after.csv"
    })
public final class BenchCommand extends ConsoleCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MOST = 1_000_000;

  @Parameters(index = "0", arity = "0..1", paramLabel = "URL", description = "The relay.")
  private @Nullable URI url;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "LINE",
      description = "What is measured (default: all lines).")
  private List<String> lines = new ArrayList<>();

  @Option(
      names = "--subscribe-at",
      paramLabel = "URL",
      description =
          "Where subscribers of fan-outs listen, such as at another node of the relay's cluster"
              + " (default: the relay).")
  private @Nullable URI subscribeAt;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      defaultValue = "0",
      description = "The relay's process on this machine, whose CPU and memory are measured.")
  private int pid;

  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Events of the data set (default: ${DEFAULT-VALUE}).")
  private int events;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed makes the same data set (default: ${DEFAULT-VALUE}).")
  private int seed;

  @Option(
      names = "--data-set",
      paramLabel = "FILE",
      description =
          "Keeps the signed data set as JSON lines, which relays can import. Made if there is no"
              + " such file.")
  private @Nullable Path dataSet;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of each line; the table has medians (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "The time of a run (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Before the first run of each line; not counted (default: ${DEFAULT-VALUE}).")
  private double warmUp;

  @Option(
      names = "--windows",
      paramLabel = "SECONDS",
      split = ",",
      description =
          "Instead of runs, measures successive windows that end at these times, without warming"
              + " up, such as 10,30,60,300.")
  private List<Integer> windows = new ArrayList<>();

  @Option(
      names = "--cold",
      description =
          "Measures a relay that has just been started with an empty store: the publication of the"
              + " data set but its first sixth, then fixed numbers of operations of each line,"
              + " once. --runs, --seconds, --warm-up and --connections have no effect.")
  private boolean isCold;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "Operations a second of REQs, ingest-8x64, ingest-1x1, duplicates and mixed, on a schedule:"
            + " latencies count from the scheduled time. 0: as many as the relay answers"
            + " (default: ${DEFAULT-VALUE})."
      })
  private int rate;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "8",
      description = "Clients that send REQs and mixed traffic (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--subscribers",
      paramLabel = "N",
      defaultValue = "100",
      description = "Subscribers of each event of a fan-out (default: ${DEFAULT-VALUE}).")
  private int subscribers;

  @Option(
      names = "--subscriptions",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Subscriptions by author (default: ${DEFAULT-VALUE}).")
  private int subscriptions;

  @Option(
      names = "--games",
      paramLabel = "N",
      defaultValue = "512",
      description = "Games at the same time (default: ${DEFAULT-VALUE}).")
  private int games;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Idle connections with a REQ (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--box",
      paramLabel = "N",
      split = ",",
      defaultValue = BoxSize.DEFAULT,
      description =
          "Of box: connections of players and others, games, and moves, pairings and notes a second"
              + " (default: ${DEFAULT-VALUE}).")
  private List<Integer> box = List.of();

  @Option(
      names = "--label",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The name of the relay in the CSV file.")
  private String label = "";

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description =
          "Appends each value: label, events of the data set, line, parameter, run, measure, value.")
  private @Nullable Path csv;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      arity = "2",
      description = "Prints the medians of two CSV files and their ratios, and measures nothing.")
  private List<Path> compared = new ArrayList<>();

  @Override
  protected int run() {
    try {
      if (!compared.isEmpty()) {
        return compare();
      }
      return measure(checkedUrl(), checkedOptions());
    } catch (RelayFailure e) {
      return failed(1, String.valueOf(e.getMessage()));
    }
  }

  private int compare() throws RelayFailure {
    if (url != null || compared.size() != 2) {
      throw wrong("--compare: expected two files and no URL.");
    }
    List<List<BenchResult>> both = new ArrayList<>();
    for (Path file : compared) {
      try {
        both.add(BenchResult.read(file));
      } catch (IOException e) {
        throw new RelayFailure(file + " cannot be read: " + ErrorMessages.of(e) + ".");
      }
    }
    ResultTable.compare(both.get(0), both.get(1)).forEach(this::print);
    return 0;
  }

  private int measure(URI relay, BenchOptions options) throws RelayFailure {
    for (String line : lines) {
      if (!Lines.names().contains(line)) {
        throw wrong("LINE " + line + ": expected one of " + String.join(", ", Lines.names()) + ".");
      }
    }
    ServerProcess server = pid == 0 ? null : new ServerProcess(pid);
    ServerProcess.Memory started = server == null ? null : server.memory();
    URI elsewhere = subscribeAt == null ? relay : websocket("--subscribe-at", subscribeAt);
    try (BenchClients connected = new BenchClients(relay, elsewhere)) {
      connected.connect().close();
      DataSet data = new DataSet(seed, events);
      Oracle oracle = new Oracle(data);
      Totals loaded = new Preparation(connected, data, oracle, this::print).run(dataSet, server);
      RelayLimits limits = RelayLimits.fetch(RelayPlace.of(relay), TIMEOUT).join();
      boolean isRefereed =
          RelayInfo.fetch(RelayPlace.of(relay), TIMEOUT)
              .handle((info, failure) -> failure == null && !info.defaultTime().isEmpty())
              .join();
      Bench bench =
          new Bench(
              isCold ? ColdRun.options(options, data.size()) : options,
              connected,
              limits,
              server,
              data,
              oracle,
              isRefereed);
      return run(bench, isCold ? new ColdRun(bench, started, loaded) : null);
    }
  }

  private int run(Bench bench, @Nullable ColdRun cold) throws RelayFailure {
    BenchRun run = new BenchRun(bench, label, this::print);
    try {
      if (cold != null) {
        run.runs(cold.lines(lines), "@cold", cold::amount);
      } else if (windows.isEmpty()) {
        run.runs(Lines.of(bench, lines));
      } else {
        run.windows(Lines.of(bench, lines), windows);
      }
    } finally {
      save(run.results());
    }
    String problem = run.problem();
    return problem.isEmpty() ? 0 : failed(1, problem);
  }

  private void save(List<BenchResult> results) throws RelayFailure {
    Path file = csv;
    if (file != null) {
      try {
        BenchResult.append(file, results);
      } catch (IOException e) {
        throw new RelayFailure(file + " cannot be written: " + ErrorMessages.of(e) + ".");
      }
    }
  }

  private URI checkedUrl() {
    if (url == null) {
      throw wrong("URL: expected a ws:// or wss:// URL.");
    }
    return websocket("URL", url);
  }

  private URI websocket(String name, URI given) {
    if (!RelayPlace.isRelayUrl(given)) {
      throw wrong(name + " " + given + ": expected a ws:// or wss:// URL.");
    }
    return given;
  }

  private BenchOptions checkedOptions() {
    require("--events", events, 0, DataSet.MAX_EVENTS);
    for (int i = 0; i < windows.size(); i++) {
      require("--windows", windows.get(i), i == 0 ? 1 : windows.get(i - 1) + 1, MOST);
    }
    if (isCold && !windows.isEmpty()) {
      throw wrong("--cold: expected no --windows.");
    }
    if (!BenchResult.isField(label)) {
      throw wrong("--label " + label + ": expected no commas, quotation marks and line breaks.");
    }
    return new BenchOptions(
        require("--runs", runs, 1, MOST),
        require("--seconds", seconds, 0.01),
        require("--warm-up", warmUp, 0),
        require("--clients", clients, 1, MOST),
        require("--rate", rate, 0, MOST),
        require("--subscribers", subscribers, 1, MOST),
        require("--subscriptions", subscriptions, 1, MOST),
        require("--games", games, 1, MOST),
        require("--connections", connections, 1, MOST),
        checkedBox());
  }

  private BoxSize checkedBox() {
    if (box.size() == 5) {
      BoxSize size = new BoxSize(box.get(0), box.get(1), box.get(2), box.get(3), box.get(4));
      if (size.isPossible()) {
        return size;
      }
    }
    throw wrong(
        "--box: expected five numbers: more connections than players, and at least two moves for"
            + " each pairing.");
  }

  private int require(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(option + " " + value + ": expected a number from " + least + " to " + most + ".");
    }
    return value;
  }

  private double require(String option, double value, double least) {
    if (!(value >= least && value <= MOST)) {
      throw wrong(option + " " + value + ": expected seconds from " + least + " to " + MOST + ".");
    }
    return value;
  }
}
