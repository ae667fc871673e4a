package gambit.app.bench;

import gambit.app.command.cluster.TakeoverLoad;
import gambit.app.server.search.SearchLoad;
import gambit.app.tool.bot.LevelMatches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what {@code gambit bench} does not: latencies beside impolite and slow clients, parts of
 * the program alone, and commands. The packaged jar runs in a separate process. Prints tables.
 *
 * <pre>
 * mvn -q -ntp pre-integration-test -DskipTests -Pbench -Dbench.args="fairness slow-readers"
 * </pre>
 *
 * Arguments: the measurements, all by default: {@code slow-readers fairness referee ratings search
 * transfer games sockets takeover strength}; {@code --runs N}, of which the median is reported, 3
 * by default, and ten kills of a leader each, or games with either colour; {@code --events N} in a
 * large store, 100,000 by default; {@code --java OPTION} for the relay, and for the commands of
 * {@code transfer}, may be repeated; {@code --dir DIR} for data, {@code target} by default. The
 * relay listens on loopback, and its data is deleted at the end. On a machine with other work, CPU
 * is more reliable than elapsed time.
 */
final class RelayLoad {

  private interface Measurement {
    void run(BenchmarkContext bench) throws Exception;
  }

  private static final Map<String, Measurement> ALL = new LinkedHashMap<>();

  static {
    ALL.put("slow-readers", bench -> new SlowReaderLoad(bench).run());
    ALL.put("fairness", bench -> new FairnessLoad(bench).run());
    ALL.put("referee", bench -> new RefereeLoad(bench).run());
    ALL.put("ratings", bench -> new RatedGamesLoad(bench).run());
    ALL.put("search", bench -> SearchLoad.print(bench.directory(), bench.events()));
    ALL.put("transfer", bench -> new TransferLoad(bench).run());
    ALL.put("games", bench -> new GameMemoryLoad(bench).run());
    ALL.put(
        "takeover",
        bench -> TakeoverLoad.print(bench.directory().toAbsolutePath(), 10 * bench.runs()));
    ALL.put("strength", bench -> LevelMatches.print(bench.runs()));
    ALL.put("sockets", bench -> SocketBaseline.print());
  }

  private RelayLoad() {}

  public static void main(String[] args) throws Exception {
    List<String> wanted = new ArrayList<>();
    List<String> javaOptions = new ArrayList<>();
    int runs = 3;
    int events = 100_000;
    Path directory = Path.of("target");
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--runs" -> runs = Integer.parseInt(args[++i]);
        case "--events" -> events = Integer.parseInt(args[++i]);
        case "--java" -> javaOptions.add(args[++i]);
        case "--dir" -> directory = Path.of(args[++i]);
        default -> wanted.add(args[i]);
      }
    }
    if (!ALL.keySet().containsAll(wanted)) {
      throw new IllegalArgumentException("not all of " + wanted + " are among " + ALL.keySet());
    }
    System.out.printf(
        "RelayLoad %s: JDK %s, %d cores%n%n",
        String.join(" ", args),
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    BenchmarkContext bench = new BenchmarkContext(runs, events, javaOptions, directory);
    for (Map.Entry<String, Measurement> measurement : ALL.entrySet()) {
      if (wanted.isEmpty() || wanted.contains(measurement.getKey())) {
        measurement.getValue().run(bench);
      }
    }
    System.exit(0);
  }
}
