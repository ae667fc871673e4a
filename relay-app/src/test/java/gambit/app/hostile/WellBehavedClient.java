package gambit.app.hostile;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A well-behaved client on its own thread. In each round it publishes an event, receives it live,
 * and finds it over a new connection. Every answer must arrive within {@link Client#TIMEOUT}.
 */
final class WellBehavedClient implements AutoCloseable {
  private static final int PAUSE_BETWEEN_ROUNDS_MS = 100;
  private static final int TIMEOUT_SECONDS = 120;

  private final URI url;
  private final Signer author = Signer.random();
  private final Client publisher;
  private final Client reader;
  private final Semaphore turn = new Semaphore(1, true); // held during a round or a measurement
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "well-behaved client");
  private final AtomicInteger rounds = new AtomicInteger();
  private volatile @Nullable Throwable failure;

  WellBehavedClient(URI url) throws InterruptedException {
    this.url = url;
    publisher = new Client(url);
    reader = new Client(url);
    reader.send("[\"REQ\",\"live\",{\"authors\":[\"" + author.pubkey() + "\"],\"limit\":0}]");
    reader.until("EOSE");
    thread.start();
    awaitRound();
  }

  private void run() {
    try {
      while (!end.await(PAUSE_BETWEEN_ROUNDS_MS, TimeUnit.MILLISECONDS)) {
        turn.acquire();
        try {
          round();
          rounds.incrementAndGet();
        } finally {
          turn.release();
        }
      }
    } catch (Exception | AssertionError e) {
      failure = e;
    }
  }

  private void round() {
    Event event = author.sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "round " + rounds);
    List<String> id = List.of(event.id().hex());
    publisher.publishAccepted(event);
    expect(id, List.of(reader.nextJson().path(2).path("id").asText()));
    try (Client newcomer = new Client(url)) {
      expect(id, newcomer.queryIds("{\"ids\":[\"" + event.id() + "\"]}"));
    }
  }

  private static void expect(List<String> ids, List<String> served) {
    if (!served.equals(ids)) {
      throw new AssertionError("served were " + served + ", not " + ids);
    }
  }

  int rounds() {
    return rounds.get();
  }

  /** Waits for one more complete round; fails if a round has failed. */
  void awaitRound() throws InterruptedException {
    int enough = rounds.get() + 2;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (rounds.get() < enough && failure == null && System.nanoTime() < until) {
      thread.join(PAUSE_BETWEEN_ROUNDS_MS);
    }
    if (failure != null || rounds.get() < enough) {
      throw new AssertionError("the well-behaved client is not served", failure);
    }
  }

  /** Runs a task between two rounds. */
  <T> T betweenRounds(Callable<T> task) throws Exception {
    if (!turn.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the well-behaved client is not served");
    }
    try {
      return task.call();
    } finally {
      turn.release();
    }
  }

  @Override
  public void close() {
    end.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    publisher.close();
    reader.close();
  }
}
