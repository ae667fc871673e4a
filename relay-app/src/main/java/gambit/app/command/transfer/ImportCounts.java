package gambit.app.command.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** What became of the events of an import. Thread-safe. */
final class ImportCounts {
  private static final int MAX_REASONS = 100;
  private static final int MAX_NAMED_LINES = 20;
  private static final String OTHER = "for other reasons";

  private record Refused(long count, long firstLine) {}

  private final Consumer<String> messages;

  @GuardedBy("this")
  private final Map<String, Refused> refused = new LinkedHashMap<>();

  /** The first invalid lines of the file, which are named when all are known. */
  @GuardedBy("this")
  private final TreeMap<Long, String> firstInvalid = new TreeMap<>();

  private final LongAdder invalid = new LongAdder();
  private volatile boolean isArray;

  /** Events that are new to the relay. */
  final LongAdder added = new LongAdder();

  /** Events that the relay has already. */
  final LongAdder known = new LongAdder();

  ImportCounts(Consumer<String> messages) {
    this.messages = messages;
  }

  synchronized void refused(long line, String reason) {
    String key = refused.containsKey(reason) || refused.size() < MAX_REASONS ? reason : OTHER;
    refused.merge(
        key,
        new Refused(1, line),
        (before, one) ->
            new Refused(before.count() + 1, Math.min(before.firstLine(), one.firstLine())));
  }

  synchronized void invalid(long line, String reason) {
    invalid.increment();
    firstInvalid.put(line, reason);
    if (firstInvalid.size() > MAX_NAMED_LINES) {
      firstInvalid.pollLastEntry();
    }
  }

  void beginsWithArray() {
    isArray = true;
  }

  boolean hasInvalidLines() {
    return invalid.sum() > 0;
  }

  /** Names the first invalid lines; returns the counts, and a line for each reason of refusals. */
  synchronized List<String> summary() {
    long all = refused.values().stream().mapToLong(Refused::count).sum();
    if (isArray && hasInvalidLines() && added.sum() + known.sum() + all == 0) {
      messages.accept(
          "The file is one JSON array; an import needs an event in each line, as `jq -c '.[]'`"
              + " prints them.");
    } else {
      firstInvalid.forEach((line, reason) -> messages.accept("line " + line + ": " + reason));
      if (invalid.sum() > firstInvalid.size()) {
        messages.accept("further invalid lines are only counted");
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d new, %,d known, %,d refused, %,d invalid lines.",
            added.sum(),
            known.sum(),
            all,
            invalid.sum()));
    refused.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getValue().firstLine()))
        .forEach(
            each ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  %,d %s (first in line %,d)",
                        each.getValue().count(),
                        each.getKey(),
                        each.getValue().firstLine())));
    return lines;
  }
}
