package gambit.app.server.search;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.MemoryEventStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Measures the index of words: building it, its size, searches, and the words of a live event.
 * Notes have 25 words on average, of 50,000 with a Zipf-like frequency, and 3,000 authors.
 */
public final class SearchLoad {
  private static final int VOCABULARY = 50_000;
  private static final int AUTHORS = 3_000;
  private static final int PORTION = 10_000;
  private static final int RUNS = 50;

  private final SplittableRandom random = new SplittableRandom(1);
  private final double[] wordShares = new double[VOCABULARY];
  private final List<PubKey> authors = new ArrayList<>();

  private SearchLoad() {
    double sum = 0;
    for (int i = 0; i < VOCABULARY; i++) {
      sum += 1.0 / (i + 3);
      wordShares[i] = sum;
    }
    for (int i = 0; i < AUTHORS; i++) {
      authors.add(new PubKey(bytes(32)));
    }
  }

  /** Prints a table in Markdown. */
  public static void print(Path directory, int events) throws IOException {
    System.out.println("| " + events + " notes | |\n|---|--:|");
    Path files = Files.createTempDirectory(directory, "search");
    try {
      run(files, events).forEach(System.out::println);
    } finally {
      StoreDirectory.delete(files);
    }
    System.out.println();
  }

  private static List<String> run(Path files, int events) throws IOException {
    WordAnalyzer analyzer = new WordAnalyzer();
    SearchLoad load = new SearchLoad();
    List<String> rows = new ArrayList<>();
    try (TextIndex index =
        TextIndex.open(files, false, analyzer, KindSet.of(1), new MemoryEventStore(1))) {
      long nanos = 0; // of the processor, without the thread that merges
      for (int i = 0; i < events; i += PORTION) {
        List<StoredEvent> portion = load.notes(i, Math.min(PORTION, events - i));
        long begun = cpuNanos();
        index.apply(new Changes(portion, List.of(), i + PORTION));
        nanos += cpuNanos() - begun;
      }
      long begun = cpuNanos();
      index.refresh();
      index.commit(events);
      nanos += cpuNanos() - begun;
      rows.add("| building, µs an event | " + nanos / 1000 / events + " |");
      rows.add("| size on the disk, bytes an event | " + size(files) / events + " |");
      for (String text : List.of("w20000", "w0", "w0 w1 w2", "\"w0 w1\"", "w5 w20000")) {
        rows.add(row(text, () -> find(index, analyzer, text, null)));
      }
      rows.add(
          row("w0, of one author", () -> find(index, analyzer, "w0", Set.of(load.authors.get(7)))));
      rows.add(
          row(
              "ten more notes that searches see",
              () -> {
                addNotes(index, load.notes(events, 10));
                return true;
              }));
    }
    Event longest = load.note("w7 ".repeat(EventText.MAX_LENGTH / 3));
    Event ordinary = load.note(load.words(25));
    rows.add(row("words of a live note", () -> new TextSearch.EventWords(ordinary, analyzer)));
    rows.add(row("words of the longest text", () -> new TextSearch.EventWords(longest, analyzer)));
    return rows;
  }

  private static void addNotes(TextIndex index, List<StoredEvent> notes) {
    try {
      index.apply(new Changes(notes, List.of(), 0));
      index.refresh();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long size(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static long[] find(
      TextIndex index, WordAnalyzer analyzer, String text, Set<PubKey> authors) {
    try {
      SearchText search = SearchText.read(text, analyzer);
      Filter filter = new Filter(null, authors, null, Map.of(), null, null, null, text);
      return index.find(search, filter, null, 500, Long.MAX_VALUE / 2);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The median processor time of a task. */
  private static String row(String name, Supplier<Object> task) {
    long[] nanos = new long[RUNS];
    for (int i = 0; i < RUNS; i++) {
      long begun = cpuNanos();
      if (task.get() == null) {
        throw new AssertionError("no result");
      }
      nanos[i] = cpuNanos() - begun;
    }
    Arrays.sort(nanos);
    return "| " + name + ", µs | " + nanos[RUNS / 2] / 1000 + " |";
  }

  private List<StoredEvent> notes(int first, int count) {
    List<StoredEvent> notes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Event note = note(words(1 + random.nextInt(49)));
      notes.add(new StoredEvent(first + i + 1, note, Transaction.NEVER));
    }
    return notes;
  }

  private Event note(String content) {
    PubKey author = authors.get(random.nextInt(AUTHORS));
    long createdAt = 1_700_000_000 + random.nextInt(10_000_000);
    Tags tags = new Tags(List.of(List.of("t", "topic" + random.nextInt(500))));
    return EventEncoder.encode(
        new EventId(bytes(32)), author, createdAt, 1, tags, content, bytes(64));
  }

  private String words(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int word = Arrays.binarySearch(wordShares, random.nextDouble() * wordShares[VOCABULARY - 1]);
      text.append('w').append(word < 0 ? -word - 1 : word).append(' ');
    }
    return text.toString();
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
