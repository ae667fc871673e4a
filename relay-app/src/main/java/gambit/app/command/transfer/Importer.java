package gambit.app.command.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import gambit.app.tool.client.RelayFailure;
import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Imports the events of lines: some threads parse and verify them, and hand them to a sink. The
 * sink bounds the bytes of events that are unanswered. One thread.
 */
final class Importer implements AutoCloseable {
  private static final int LINES_PER_TASK = 128;
  private static final int TASKS_PER_THREAD = 4;

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
  private final int threads = Runtime.getRuntime().availableProcessors();
  private final ExecutorService workers = Executors.newFixedThreadPool(threads);
  private final Semaphore tasks = new Semaphore(threads * TASKS_PER_THREAD);
  private final int maxUnansweredBytes;
  private final Semaphore unansweredBytes;
  private final ConcurrentLinkedQueue<Imported> rateLimited = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final BlockingQueue<List<EventLines.Line>> read = new ArrayBlockingQueue<>(4);
  private final PutAsideEvents putAside = new PutAsideEvents();
  private final Duration timeout;
  private final BooleanSupplier isStopping;
  private volatile boolean isPuttingAside = true;
  private @Nullable Thread reader;
  private long lastProgress = System.nanoTime();
  private int roomBefore = -1;

  private record Imported(long line, Event event) {}

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
    FutureTask<?> reading = startReading(lines);
    List<EventLines.Line> next = awaitLines(reading);
    while (!next.isEmpty()) {
      List<EventLines.Line> task = next;
      submit(() -> task.forEach(this::take));
      progress.run();
      next = awaitLines(reading);
    }
    IOException unreadable = null;
    if (!isStopping.getAsBoolean()) {
      unreadable = failureOf(reading);
      if (lines.beginWithArray()) {
        counts.beginsWithArray();
      }
    }
    awaitAnswers(progress);
    isPuttingAside = false;
    putAside.forEach(
        (line, json) -> {
          if (!isStopping.getAsBoolean()) {
            submit(() -> parser.event(json).ifPresent(event -> send(new Imported(line, event))));
            progress.run();
          }
          return !isStopping.getAsBoolean();
        });
    awaitAnswers(progress);
    if (unreadable != null) {
      throw unreadable;
    }
  }

  /** Reads lines on a thread of its own: a pipe may be idle when the import is to end. */
  private FutureTask<?> startReading(EventLines lines) {
    FutureTask<?> reading =
        new FutureTask<>(
            () -> {
              List<EventLines.Line> next;
              do {
                next = lines.next(LINES_PER_TASK);
                read.put(next);
              } while (!next.isEmpty());
              return true;
            });
    reader = new Thread(reading, "reader");
    reader.setDaemon(true); // it may be idle when the process ends
    reader.start();
    return reading;
  }

  /** The next lines; none at the end, after a failure of the reader, or when the import stops. */
  private List<EventLines.Line> awaitLines(Future<?> reading) throws InterruptedException {
    List<EventLines.Line> next = null;
    boolean hasEnded = false;
    while (next == null && !hasEnded && !isStopping.getAsBoolean()) {
      hasEnded = reading.isDone(); // before the last look
      next = read.poll(hasEnded ? 0 : 50, TimeUnit.MILLISECONDS);
    }
    return next == null ? List.of() : next;
  }

  private static @Nullable IOException failureOf(Future<?> reading) throws InterruptedException {
    try {
      reading.get();
      return null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        return failure;
      }
      throw new IllegalStateException("lines could not be read", e.getCause());
    }
  }

  private void submit(Runnable task) throws InterruptedException, RelayFailure {
    lastProgress = System.nanoTime();
    while (!tasks.tryAcquire(100, TimeUnit.MILLISECONDS)) {
      requireProgress();
    }
    sendAgain();
    throwFailure();
    workers.execute(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
          } finally {
            tasks.release();
          }
        });
  }

  private void take(EventLines.Line line) {
    if (failure.get() != null) {
      return;
    }
    if (line.isTooLong()) {
      counts.invalid(line.number(), "longer than the relay takes");
      return;
    }
    ClientMessage parsed = parser.parse(line.bytes()).orElse(null);
    if (parsed instanceof ClientMessage.Publish publish) {
      send(new Imported(line.number(), publish.event()));
    } else if (parsed instanceof ClientMessage.BadEvent bad) {
      counts.invalid(line.number(), bad.reason().toString());
    } else if (parsed != null) {
      counts.invalid(line.number(), "not an event");
    }
  }

  private int weight(Imported imported) {
    return Math.min(maxUnansweredBytes, Math.max(MIN_EVENT_BYTES, imported.event().json().length));
  }

  private void send(Imported imported) {
    try {
      while (!unansweredBytes.tryAcquire(weight(imported), 1, TimeUnit.SECONDS)) {
        if (failure.get() != null || !sink.failure().isEmpty()) {
          return;
        }
      }
      handOver(imported);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handOver(Imported imported) {
    try {
      sink.take(imported.event(), (isAccepted, text) -> answered(imported, isAccepted, text));
    } catch (RelayFailure e) {
      unansweredBytes.release(weight(imported));
      failure.compareAndSet(null, e);
    }
  }

  private void answered(Imported imported, boolean isAccepted, String text) {
    if (text.startsWith(RATE_LIMITED)) {
      rateLimited.add(imported); // and keeps its room
      return;
    }
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
    unansweredBytes.release(weight(imported));
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
    int room = unansweredBytes.availablePermits();
    if (room != roomBefore) {
      roomBefore = room;
      lastProgress = System.nanoTime();
    } else if (System.nanoTime() - lastProgress > limit.toNanos()) {
      throw new RelayFailure("The relay has not answered for " + limit.toSeconds() + " s.");
    }
  }

  /** Whether nothing is under way; waits a little if something is. */
  private boolean isIdle() throws InterruptedException {
    int all = threads * TASKS_PER_THREAD;
    if (!tasks.tryAcquire(all, 20, TimeUnit.MILLISECONDS)) {
      return false;
    }
    tasks.release(all);
    if (!unansweredBytes.tryAcquire(maxUnansweredBytes, 20, TimeUnit.MILLISECONDS)) {
      return false;
    }
    unansweredBytes.release(maxUnansweredBytes);
    return true;
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
    if (reader != null) {
      reader.interrupt();
    }
    workers.shutdownNow();
    putAside.close();
  }

  /**
   * Events that may be accepted once others are stored, in a temporary file: moves come before the
   * record of their game in most files. Thread-safe.
   */
  private static final class PutAsideEvents implements AutoCloseable {
    @GuardedBy("this")
    private @Nullable Path file;

    @GuardedBy("this")
    private @Nullable DataOutputStream out;

    @GuardedBy("this")
    private long count;

    interface Receiver {
      boolean take(long line, byte[] json) throws RelayFailure, InterruptedException;
    }

    synchronized void add(long line, Event event) throws IOException {
      if (out == null) {
        file = Files.createTempDirectory("gambit-import").resolve("events");
        out =
            new DataOutputStream(
                new BufferedOutputStream(Channels.newOutputStream(PrivateFile.open(file))));
      }
      out.writeLong(line);
      out.writeInt(event.json().length);
      out.write(event.json());
      count++;
    }

    /** Passes on all events, until the receiver wants no more; none may be added any more. */
    void forEach(Receiver receiver) throws IOException, RelayFailure, InterruptedException {
      Path written;
      long left;
      synchronized (this) {
        if (out == null || file == null) {
          return;
        }
        out.flush();
        written = file;
        left = count;
      }
      try (DataInputStream in =
          new DataInputStream(new java.io.BufferedInputStream(Files.newInputStream(written)))) {
        boolean isWanted = true;
        for (; isWanted && left > 0; left--) {
          long line = in.readLong();
          isWanted = receiver.take(line, in.readNBytes(in.readInt()));
        }
      }
    }

    @Override
    public synchronized void close() throws IOException {
      if (out != null && file != null) {
        out.close();
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.toAbsolutePath().getParent());
      }
    }
  }
}
