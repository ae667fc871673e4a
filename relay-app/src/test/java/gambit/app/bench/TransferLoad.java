package gambit.app.bench;

import gambit.app.GambitProcess;
import gambit.core.model.Event;
import gambit.core.testkit.SyntheticNotes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time and CPU of {@code gambit import} and {@code gambit export} for a stopped and a running
 * relay. Commands and relay run with the options of the launch script, unless the command line has
 * others.
 */
final class TransferLoad {
  private static final int PORTION = 10_000;
  private static final List<String> OPTIONS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

  private static final List<String> OPTIONS_OF_RELAY =
      List.of("-XX:+UseParallelGC", "-Xms512m", "-Xmx512m");

  private final BenchmarkContext bench;
  private final List<String> table =
      new ArrayList<>(
          List.of("| | time, s | CPU of the command, s | kernel part | CPU of the relay, s |"));

  TransferLoad(BenchmarkContext bench) {
    this.bench = bench;
  }

  /** What one command took, in seconds; of the relay, nothing if it is stopped. */
  private record Spent(double time, double cpu, double kernel, double relay) {}

  void run() throws Exception {
    Path directory = Files.createTempDirectory(bench.directory(), "transfer-load-");
    Path events = directory.resolve("events.jsonl");
    Path exported = directory.resolve("exported.jsonl");
    write(events);
    List<Spent> imports = new ArrayList<>();
    List<Spent> exports = new ArrayList<>();
    List<Spent> importsOfRunning = new ArrayList<>();
    List<Spent> exportsOfRunning = new ArrayList<>();
    for (int i = 0; i < bench.runs(); i++) {
      Path data = directory.resolve("data" + i);
      imports.add(spent(data, "import", events));
      exports.add(spent(data, "export", exported));
      RelayProcess.delete(data);
      try (RelayProcess relay = bench.relay(OPTIONS_OF_RELAY)) {
        importsOfRunning.add(spent(relay, "import", events));
        exportsOfRunning.add(spent(relay, "export", exported));
      }
    }
    RelayProcess.delete(directory);
    add("import, stopped relay", imports);
    add("export, stopped relay", exports);
    add("import, running relay", importsOfRunning);
    add("export, running relay", exportsOfRunning);
    System.out.printf("%,d events%n%n", bench.events());
    BenchmarkContext.table(table);
  }

  private void write(Path file) throws IOException {
    SyntheticNotes notes = SyntheticNotes.signed(7);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (int left = bench.events(); left > 0; left -= PORTION) {
        for (Event event : notes.next(Math.min(PORTION, left))) {
          out.write(event.json());
          out.write('\n');
        }
      }
    }
  }

  private Spent spent(RelayProcess relay, String command, Path file) throws Exception {
    long before = relay.cpu().all();
    Spent spent = spent(relay.data(), command, file);
    return new Spent(spent.time(), spent.cpu(), spent.kernel(), (relay.cpu().all() - before) / 1e9);
  }

  private Spent spent(Path data, String command, Path file) throws IOException {
    List<String> options = bench.javaOptions().isEmpty() ? OPTIONS : bench.javaOptions();
    RelayProcess.Cpu before = RelayProcess.cpuOfEndedChildren();
    long start = System.nanoTime();
    try (GambitProcess process =
        GambitProcess.runWith(options, command, "--data", data.toString(), file.toString())) {
      int status = process.exitStatus();
      if (status != 0) {
        throw new IllegalStateException(command + " ended with " + status + process.errors());
      }
    }
    long time = System.nanoTime() - start;
    RelayProcess.Cpu after = RelayProcess.cpuOfEndedChildren();
    return new Spent(
        time / 1e9,
        (after.all() - before.all()) / 1e9,
        (after.kernel() - before.kernel()) / 1e9,
        0);
  }

  private void add(String name, List<Spent> runs) {
    table.add(
        String.format(
            Locale.ROOT,
            "| %s | %.1f | %.1f | %.1f | %.1f |",
            name,
            BenchmarkContext.median(runs, Spent::time),
            BenchmarkContext.median(runs, Spent::cpu),
            BenchmarkContext.median(runs, Spent::kernel),
            BenchmarkContext.median(runs, Spent::relay)));
  }
}
