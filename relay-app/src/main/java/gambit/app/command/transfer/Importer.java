package gambit.app.command.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.command.transfer.EventLines.LineParser;
import gambit.app.common.ErrorMessages;
import gambit.app.tool.client.RelayFailure;
import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Imports the events of lines: some threads parse and verify them, and hand them to a sink. The
 * bytes of lines that wait for a thread and of events that are unanswered are bounded by the sink.
 * One thread.
 */
final class Importer implements AutoCloseable {
  /** What an event counts for at least, so that their number is bounded, too. */
  private static final int MIN_EVENT_BYTES = 2 << 10;

  private static final String RATE_LIMITED = "rate-limited:";
  private static final String DUPLICATE = "duplicate:";
  private static final String UNKNOWN_GAME = "blocked: no finished game";

  /** The relay's storage has failed or is full, so later events would fail, too. */
  private static final String ERROR = "error:";

  private static final Duration PAUSE_WHEN_RATE_LIMITED = Duration.ofMillis(50);

  /** The time without any answer after which the relay is given up. */
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The same when the import is interrupted: less than the process then waits for it. */
  private static final Duration TIMEOUT_WHEN_STOPPING = Duration.ofSeconds(10);

  private final EventSink sink;
  private final LineParser parser;
  private final ImportCounts counts;
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "reader");
            thread.setDaemon(true); // it may be idle when the process ends
            return thread;
          });
  private final ExecutorService workers =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private final int maxUnansweredBytes;
  private final Semaphore unansweredBytes;
  private final ConcurrentLinkedQueue<Imported> rateLimited = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final PutAsideEvents putAside = new PutAsideEvents();
  private final Duration timeout;
  private final BooleanSupplier isStopping;
  private volatile boolean isPuttingAside = true;
  private volatile long lastProgress = System.nanoTime(); // or a moment when none was awaited

  private record Imported(long line, Event event, int weight) {}

  Importer(
      EventSink sink,
      LineParser parser,
      ImportCounts counts,
      BooleanSupplier isStopping,
      Duration timeout) {
    this.sink = sink;
    this.maxUnansweredBytes = sink.maxUnansweredBytes();
    this.unansweredBytes = new Semaphore(maxUnansweredBytes);
    this.parser = parser;
    this.counts = counts;
    this.isStopping = isStopping;
    this.timeout = timeout;
  }

  /**
   * Imports all lines. When it returns, all events that were handed over are answered and counted;
   * lines that cannot be read do not keep those before from being imported.
   */
  void run(EventLines lines, Runnable progress)
      throws IOException, RelayFailure, InterruptedException {
    IOException unreadable = null;
    try {
      await(() -> submitAll(lines), progress);
    } catch (IOException e) {
      unreadable = e;
    }
    if (!isStopping.getAsBoolean() && lines.beginWithArray()) {
      counts.beginsWithArray();
    }
    awaitAnswers(progress);
    isPuttingAside = false;
    await(() -> putAside.forEach(this::submit), progress);
    awaitAnswers(progress);
    if (unreadable != null) {
      throw unreadable;
    }
  }

  /** Hands lines over on the reader's thread; not all of them when the import stops. */
  private void await(Callable<?> lines, Runnable progress)
      throws IOException, RelayFailure, InterruptedException {
    Future<?> handedOver = reader.submit(lines);
    while (!isStopping.getAsBoolean()) { // a pipe may be idle
      try {
        handedOver.get(50, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        requireProgress();
        progress.run();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failed) {
          throw failed;
        }
        throw new IllegalStateException("lines could not be read", e.getCause());
      }
    }
  }

  private boolean submitAll(EventLines lines) throws IOException, InterruptedException {
    List<EventLines.Line> next = lines.next(1);
    while (!next.isEmpty() && submit(next.get(0))) {
      next = lines.next(1);
    }
    return next.isEmpty();
  }

  /** Hands a line to the threads as soon as there is room for it; false when the import stops. */
  private boolean submit(EventLines.Line line) throws InterruptedException {
    int weight = Math.min(maxUnansweredBytes, Math.max(MIN_EVENT_BYTES, line.bytes().length));
    unansweredBytes.acquire(weight);
    workers.execute(
        () -> {
          try {
            take(line, weight);
          } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
          }
        });
    return !isStopping.getAsBoolean();
  }

  private void take(EventLines.Line line, int weight) {
    boolean isWanted = failure.get() == null && !isStopping.getAsBoolean();
    ClientMessage parsed = isWanted ? parser.parse(line.bytes()).orElse(null) : null;
    if (parsed instanceof ClientMessage.Publish publish) {
      handOver(new Imported(line.number(), publish.event(), weight));
      return;
    }
    if (isWanted && line.isTooLong()) {
      counts.invalid(line.number(), "longer than the relay takes");
    } else if (parsed instanceof ClientMessage.BadEvent bad) {
      counts.invalid(line.number(), bad.reason().toString());
    } else if (parsed != null) {
      counts.invalid(line.number(), "not an event");
    }
    unansweredBytes.release(weight);
  }

  private void handOver(Imported imported) {
    try {
      sink.take(imported.event(), (isAccepted, text) -> answered(imported, isAccepted, text));
    } catch (RelayFailure e) {
      unansweredBytes.release(imported.weight());
      failure.compareAndSet(null, e);
    }
  }

  private void answered(Imported imported, boolean isAccepted, String text) {
    if (text.startsWith(RATE_LIMITED)) {
      rateLimited.add(imported); // and keeps its room
      return;
    }
    lastProgress = System.nanoTime();
    if (text.startsWith(DUPLICATE)) {
      counts.known.increment();
    } else if (isAccepted) {
      counts.added.increment();
    } else if (isPuttingAside && text.startsWith(UNKNOWN_GAME)) {
      putAside(imported);
    } else if (text.startsWith(ERROR)) {
      failure.compareAndSet(
          null,
          new RelayFailure(
              String.format(Locale.ROOT, "The event of line %,d: %s.", imported.line(), text)));
    } else {
      counts.refused(imported.line(), text);
    }
    unansweredBytes.release(imported.weight());
  }

  private void putAside(Imported imported) {
    try {
      putAside.add(imported.line(), imported.event());
    } catch (IOException e) {
      String reason = ErrorMessages.of(e);
      failure.compareAndSet(
          null,
          new RelayFailure("Events cannot be put aside in a temporary file: " + reason + "."));
    }
  }

  /** Hands over again what the relay was too busy for. */
  private void sendAgain() throws InterruptedException {
    if (!rateLimited.isEmpty()) {
      Thread.sleep(PAUSE_WHEN_RATE_LIMITED.toMillis());
      for (int left = rateLimited.size(); left > 0; left--) {
        Imported next = rateLimited.poll();
        if (next != null) {
          handOver(next);
        }
      }
    }
  }

  private void awaitAnswers(Runnable progress) throws InterruptedException, RelayFailure {
    lastProgress = System.nanoTime();
    while (!isIdle()) {
      requireProgress();
      progress.run();
    }
    throwFailure();
  }

  private void requireProgress() throws InterruptedException, RelayFailure {
    sendAgain();
    throwFailure();
    boolean isShort = isStopping.getAsBoolean() && TIMEOUT_WHEN_STOPPING.compareTo(timeout) < 0;
    Duration limit = isShort ? TIMEOUT_WHEN_STOPPING : timeout;
    if (unansweredBytes.availablePermits() == maxUnansweredBytes) {
      lastProgress = System.nanoTime();
    } else if (System.nanoTime() - lastProgress > limit.toNanos()) {
      throw new RelayFailure("The relay has not answered for " + limit.toSeconds() + " s.");
    }
  }

  /** Whether nothing is under way; waits a little if something is. */
  private boolean isIdle() throws InterruptedException {
    boolean isIdle = unansweredBytes.tryAcquire(maxUnansweredBytes, 40, TimeUnit.MILLISECONDS);
    unansweredBytes.release(isIdle ? maxUnansweredBytes : 0);
    return isIdle;
  }

  private void throwFailure() throws RelayFailure {
    Exception cause = failure.get();
    if (cause instanceof RuntimeException e) {
      throw e;
    } else if (cause instanceof RelayFailure e) {
      throw e;
    } else if (!sink.failure().isEmpty()) {
      throw new RelayFailure(sink.failure());
    }
  }

  @Override
  public void close() throws IOException {
    reader.shutdownNow();
    workers.shutdownNow();
    putAside.close();
  }

  /**
   * Events that may be accepted once others are stored, in a temporary file: moves come before the
   * record of their game in most files. Thread-safe.
   */
  private static final class PutAsideEvents implements AutoCloseable {
    @GuardedBy("this")
    private @Nullable FileChannel file;

    @GuardedBy("this")
    private @Nullable DataOutputStream out;

    @GuardedBy("this")
    private long count;

    interface Receiver {
      boolean take(EventLines.Line line) throws InterruptedException;
    }

    synchronized void add(long line, Event event) throws IOException {
      if (out == null) {
        Path created = Files.createTempFile("gambit-import", null); // only its owner may read it
        file =
            FileChannel.open(
                created,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file)));
      }
      out.writeLong(line);
      out.writeInt(event.json().length);
      out.write(event.json());
      count++;
    }

    /** Passes on all events, until the receiver wants no more; none may be added any more. */
    synchronized boolean forEach(Receiver receiver) throws IOException, InterruptedException {
      if (out == null || file == null) {
        return true;
      }
      out.flush();
      InputStream begin = Channels.newInputStream(file.position(0));
      DataInputStream in = new DataInputStream(new BufferedInputStream(begin));
      boolean isWanted = true;
      for (long left = count; isWanted && left > 0; left--) {
        long line = in.readLong();
        isWanted = receiver.take(new EventLines.Line(line, in.readNBytes(in.readInt())));
      }
      return isWanted;
    }

    @Override
    public synchronized void close() throws IOException {
      if (out != null) {
        out.close();
      }
    }
  }

  /** What became of the events of an import. Thread-safe. */
  static final class ImportCounts {
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

    /**
     * Names the first invalid lines; returns the counts, and a line for each reason of refusals.
     */
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
}
