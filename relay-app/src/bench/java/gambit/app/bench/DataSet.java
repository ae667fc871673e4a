package gambit.app.bench;

import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.app.tool.client.RelayFailure;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The events that a relay stores before it is measured: a beginning of one endless sequence for
 * each seed, so that a smaller data set is a part of a larger one. No two are of the same second,
 * and all are from 2025, which {@link #END} concludes. A tenth comes late, up to a week. One
 * thread.
 */
final class DataSet {
  /** The end of 2025, in seconds of Unix time. */
  static final long END = 1_767_225_599;

  /** The beginning of 2025. */
  private static final long START = 1_735_689_600;

  /** The events of this number of seconds apart fill at most the year. */
  static final int MAX_EVENTS = 1_500_000;

  private static final int SECONDS_APART = 20;
  private static final int LATE_EVENTS = 7 * 86_400 / SECONDS_APART;
  static final int AUTHORS = 3_000;
  private static final int MAX_PORTION = 10_000;

  /** The part of the events, at their beginning, that {@link ColdRun} does not count. */
  private static final int UNCOUNTED = 6;

  private final long seed;
  private final int size;
  private final Authors authors;

  /** Receives portions of the data set in order. */
  interface Portions<X extends Exception> {
    /** Takes the events, with their JSON in the same order. */
    void take(List<Draft> events, List<String> json) throws X;
  }

  DataSet(long seed, int size) {
    this.seed = seed;
    this.size = size;
    this.authors = new Authors(seed, AUTHORS);
  }

  long seed() {
    return seed;
  }

  int size() {
    return size;
  }

  /** The number of events that {@link ColdRun} does not count, a multiple of the portion. */
  int uncounted() {
    return size / UNCOUNTED;
  }

  private int portion() {
    return Math.max(1, Math.min(MAX_PORTION, uncounted()));
  }

  Authors authors() {
    return authors;
  }

  /** All events, unsigned. */
  Drafts drafts() {
    return new Drafts();
  }

  /** The events in the order of their publication. */
  final class Drafts {
    private final SyntheticTraffic traffic = new SyntheticTraffic(seed, authors, authors, "");
    private final SplittableRandom random = new SplittableRandom(~seed);
    private final BitSet late = new BitSet();
    private int made;

    /** At most this number of further events; none at the end. */
    List<Draft> next(int most) {
      List<Draft> next = new ArrayList<>();
      for (int i = Math.min(most, size - made); i > 0; i--) {
        next.add(traffic.next(time(made++)));
      }
      return next;
    }

    /** Punctual events are at even seconds, late ones at odd seconds. */
    private long time(int number) {
      boolean isLate = random.nextInt(10) == 0 && number > 0;
      int back = random.nextInt(LATE_EVENTS);
      int jitter = 2 * random.nextInt(SECONDS_APART / 2);
      if (isLate) {
        int place = late.previousClearBit(Math.max(0, number - back));
        if (place >= 0) {
          late.set(place);
          return START + (long) place * SECONDS_APART + 1;
        }
      }
      return START + (long) number * SECONDS_APART + jitter;
    }
  }

  /**
   * Signs all events, or reads them from the file, which is made if it does not exist.
   *
   * @param file JSON lines; null to keep none
   */
  <X extends Exception> void forEach(@Nullable Path file, Portions<X> portions)
      throws X, RelayFailure {
    try {
      if (file == null) {
        sign(null, portions);
      } else if (Files.exists(file)) {
        read(file, portions);
      } else {
        try (OutputFile out = OutputFile.create(file);
            Writer lines =
                new BufferedWriter(new OutputStreamWriter(out.stream(), StandardCharsets.UTF_8))) {
          sign(lines, portions);
          lines.flush();
          out.complete();
        }
      }
    } catch (IOException e) {
      throw new RelayFailure(
          "The data set " + file + " cannot be kept: " + ErrorMessages.of(e) + ".");
    }
  }

  private <X extends Exception> void sign(@Nullable Writer out, Portions<X> portions)
      throws X, IOException {
    Drafts drafts = drafts();
    int portion = portion();
    for (List<Draft> next = drafts.next(portion); !next.isEmpty(); next = drafts.next(portion)) {
      List<String> json = next.parallelStream().map(draft -> draft.sign().toString()).toList();
      if (out != null) {
        for (String line : json) {
          out.write(line);
          out.write('\n');
        }
      }
      portions.take(next, json);
    }
  }

  private <X extends Exception> void read(Path file, Portions<X> portions)
      throws X, IOException, RelayFailure {
    Drafts drafts = drafts();
    int portion = portion();
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (List<Draft> next = drafts.next(portion); !next.isEmpty(); next = drafts.next(portion)) {
        List<String> json = new ArrayList<>();
        for (Draft draft : next) {
          String line = in.readLine();
          if (line == null) {
            throw new RelayFailure(
                String.format("The data set %s has fewer than %,d events.", file, size));
          }
          if (!line.startsWith("{\"id\":\"" + draft.id().hex() + "\"")) {
            throw new RelayFailure("The data set " + file + " was made with another seed.");
          }
          json.add(line);
        }
        portions.take(next, json);
      }
    }
  }
}
