package gambit.core.store.disk;

import gambit.core.store.disk.DiskEventStore.Options;
import gambit.core.store.disk.index.IndexState;
import gambit.core.store.disk.index.Recovery;
import gambit.core.store.disk.log.LogFiles;
import gambit.core.store.disk.log.RealDisk;
import gambit.core.testkit.SyntheticNotes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the store on disk and prints tables: the cost of durable writes in groups of several
 * sizes; the cost of each kind of query at several store sizes; of whole syncs (NIP-77); the space
 * on disk; backups; the time to open the store after a clean shutdown, a killed process and a crash
 * of the machine.
 *
 * <pre>
 * mvn -q -ntp test-compile exec:exec -Pbench -pl relay-core -Dbench.args="--events 1000000"
 * </pre>
 *
 * Options: {@code --events N}, 100,000 by default; {@code --dir DIR}, a new directory on the disk
 * to measure, by default in {@code target}; {@code --only} with some of {@code
 * writes,queries,syncs,backups,opening}. It deletes its files at the end. CPU time is more reliable
 * than elapsed time on a busy machine. The files are in the page cache.
 */
final class StoreLoad {
  private static final int[] EVENTS_PER_COMMIT = {1, 64, 512};
  private static final int[] EVENTS_PER_PORTION = {256, 2_048, 4_096};
  private static final int PORTIONS = 5;
  private static final int WARM_UP_EVENTS = 60_000;
  private static final int KILLED_EXIT_CODE = 137;
  private static final String OTHER_BOOT_ID = "another start of the machine";

  private final Path directory;
  private final String parts;
  private final Map<String, Map<Long, String>> queries = new LinkedHashMap<>();

  private StoreLoad(Path directory, String parts) {
    this.directory = directory;
    this.parts = parts;
  }

  public static void main(String[] args) throws Exception {
    long events = 100_000;
    Path directory = Path.of("target", "store-load");
    String parts = "writes,queries,syncs,backups,opening";
    for (int i = 0; i + 1 < args.length; i += 2) {
      switch (args[i]) {
        case "--events" -> events = Long.parseLong(args[i + 1]);
        case "--dir" -> directory = Path.of(args[i + 1]);
        case "--only" -> parts = args[i + 1];
        case "--die-in" -> die(Path.of(args[i + 1]));
        default -> throw new IllegalArgumentException("no such option: " + args[i]);
      }
    }
    if (Files.exists(directory)) {
      throw new IllegalArgumentException(directory + " exists already");
    }
    try {
      new StoreLoad(directory, parts).run(events);
    } finally {
      delete(directory);
    }
  }

  private void run(long events) throws Exception {
    Files.createDirectories(directory);
    warmUp();
    Path path = Files.createDirectory(directory.resolve("store"));
    SyntheticNotes notes = SyntheticNotes.unsigned(1);
    List<String> writes = new ArrayList<>();
    List<String> syncs = List.of();
    long json;
    long size;
    try (DiskEventStore store = open(path)) {
      WriteLoad load = new WriteLoad(store, notes);
      for (long level = 10_000; level < events; level *= 10) {
        atLevel(store, load, notes, level, writes);
      }
      atLevel(store, load, notes, events, writes);
      json = load.jsonBytes();
      size = store.size();
      if (parts.contains("syncs")) {
        syncs = new SyncLoad(store).measure();
      }
    }
    table(
        "| stored | events a commit | events/s | CPU of the process, µs an event | of the writing thread |",
        writes);
    printQueries();
    table(
        "| stored | differences | time of a sync, ms | round trips | bytes of its messages |",
        syncs);
    printSizes(path, size, json);
    if (parts.contains("backups")) {
      table(
          "| of " + size + " events | MB read or copied | time, s | CPU of the process, s |",
          new BackupLoad(path, directory).measure());
    }
    if (parts.contains("opening")) {
      printOpening(path);
    }
  }

  private void warmUp() throws Exception {
    Path path = Files.createDirectory(directory.resolve("warm-up"));
    SyntheticNotes notes = SyntheticNotes.unsigned(2);
    try (DiskEventStore store = open(path)) {
      WriteLoad load = new WriteLoad(store, notes);
      load.fill(WARM_UP_EVENTS, 512);
      load.fill(WARM_UP_EVENTS + 200, 1);
      if (parts.contains("queries")) {
        new QueryLoad(store, notes).measure();
      }
    }
    delete(path);
  }

  private void atLevel(
      DiskEventStore store, WriteLoad load, SyntheticNotes notes, long level, List<String> writes)
      throws Exception {
    MeasuredCost filling = MeasuredCost.of(() -> load.fill(level, 512));
    System.err.printf("%,d events after %.1f s%n", level, filling.wallNanos() / 1e9);
    if (parts.contains("queries")) {
      new QueryLoad(store, notes)
          .measure()
          .forEach(
              (what, it) ->
                  queries
                      .computeIfAbsent(what, key -> new LinkedHashMap<>())
                      .put(
                          level,
                          String.format(
                              "%.1f (%.0f; %.0f)", it.nanos() / 1e3, it.found(), it.bytes())));
    }
    if (parts.contains("writes")) {
      for (int i = 0; i < EVENTS_PER_COMMIT.length; i++) {
        int events = EVENTS_PER_PORTION[i];
        long size = store.size();
        List<MeasuredCost> costs = load.measure(PORTIONS, events, EVENTS_PER_COMMIT[i]);
        writes.add(
            String.format(
                "| %,d | %d | %,.0f | %.1f | %.1f |",
                size,
                EVENTS_PER_COMMIT[i],
                events / (MeasuredCost.median(costs, MeasuredCost::wallNanos) / 1e9),
                costs.stream().mapToLong(MeasuredCost::processCpuNanos).average().orElse(0)
                    / 1e3
                    / events,
                MeasuredCost.median(costs, MeasuredCost::threadCpuNanos) / 1e3 / events));
      }
    }
  }

  private void printQueries() {
    List<String> rows = new ArrayList<>();
    StringBuilder head =
        new StringBuilder("| µs of CPU (events found; bytes allocated for each) |");
    queries.values().stream()
        .findFirst()
        .ifPresent(
            levels -> levels.keySet().forEach(it -> head.append(String.format(" %,d |", it))));
    queries.forEach(
        (what, at) -> rows.add("| " + what + " | " + String.join(" | ", at.values()) + " |"));
    table(head.toString(), rows);
  }

  private static void printSizes(Path path, long events, long json) throws Exception {
    double log = allocated(path.resolve("log"));
    double index = allocated(path.resolve("index"));
    table(
        "| allocated on disk (du) | bytes | for each byte of JSON |",
        List.of(
            String.format("| JSON, of %,d events | %,d | 1.00 |", events, json),
            String.format("| log | %,.0f | %.2f |", log, log / json),
            String.format("| index | %,.0f | %.2f |", index, index / json),
            String.format("| both | %,.0f | %.2f |", log + index, (log + index) / json)));
  }

  private static void printOpening(Path path) throws Exception {
    List<String> rows = new ArrayList<>();
    List<MeasuredCost> clean = new ArrayList<>();
    List<MeasuredCost> killed = new ArrayList<>();
    List<MeasuredCost> crashed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      clean.add(opening(path, options(IndexState.bootId())));
      runAndKill(path);
      killed.add(opening(path, options(IndexState.bootId())));
    }
    for (int i = 0; i < 2; i++) {
      Files.writeString(path.resolve("index-state"), "open before\n", StandardCharsets.UTF_8);
      crashed.add(opening(path, options(OTHER_BOOT_ID)));
    }
    rows.add(row("a clean end", clean));
    rows.add(row("a killed process", killed));
    rows.add(row("a crash of the machine", crashed));
    table("| opened after | time, s | CPU of the process, s |", rows);
  }

  private static String row(String what, List<MeasuredCost> costs) {
    return String.format(
        "| %s | %.2f | %.2f |",
        what,
        MeasuredCost.median(costs, MeasuredCost::wallNanos) / 1e9,
        MeasuredCost.median(costs, MeasuredCost::processCpuNanos) / 1e9);
  }

  private static MeasuredCost opening(Path path, Options options) throws Exception {
    DiskEventStore[] opened = new DiskEventStore[1];
    MeasuredCost cost =
        MeasuredCost.of(
            () -> opened[0] = new DiskEventStore(path, new RealDisk(path.resolve("log")), options));
    opened[0].close();
    return cost;
  }

  private static DiskEventStore open(Path path) throws IOException {
    return new DiskEventStore(
        path, new RealDisk(path.resolve("log")), options(IndexState.bootId()));
  }

  static Options options(String bootId) {
    return new Options(
        InstantSource.system(),
        0,
        LogFiles.SEGMENT_BYTES,
        Recovery.RECORDS_PER_TRANSACTION,
        DiskEventStore.BYTES_OF_FLUSH,
        bootId,
        null);
  }

  /** Starts a process that writes a little and halts without closing the store. */
  private static void runAndKill(Path path) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("-D")) {
        command.add(argument);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(StoreLoad.class.getName(), "--die-in", path.toString()));
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != KILLED_EXIT_CODE) {
      throw new IllegalStateException("the other process did not halt as expected");
    }
  }

  private static void die(Path path) throws IOException {
    DiskEventStore store = open(path);
    new WriteLoad(store, SyntheticNotes.unsigned(System.nanoTime())).fill(store.size() + 512, 64);
    Runtime.getRuntime().halt(KILLED_EXIT_CODE);
  }

  /** The allocated size of the files according to {@code du}, not their length. */
  private static long allocated(Path path) throws Exception {
    Process du = new ProcessBuilder("du", "-s", "-B1", path.toString()).start();
    return Long.parseLong(
        new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\t", 2)[0]);
  }

  private static void table(String head, List<String> rows) {
    if (!rows.isEmpty()) {
      int columns = (int) head.chars().filter(c -> c == '|').count() - 1;
      System.out.println(head);
      System.out.println("|---" + "|--:".repeat(columns - 1) + "|");
      rows.forEach(System.out::println);
      System.out.println();
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
