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
 * A well-behaved client, on a thread of its own, over and over: what it publishes is accepted and
 * comes to it live, and a newcomer finds it. Every answer has to come within {@link
 * Client#PATIENCE}.
 */
final class Bystander implements AutoCloseable {
  private static final int BETWEEN_ROUNDS_MS = 20;
  private static final int PATIENCE_SECONDS = 120;

  private final URI url;
  private final Signer author = Signer.random();
  private final Client publisher;
  private final Client reader;
  private final Semaphore turn = new Semaphore(1, true); // a round, or a look at the relay
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "bystander");
  private final AtomicInteger rounds = new AtomicInteger();
  private volatile @Nullable Throwable failure;

  Bystander(URI url) throws InterruptedException {
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
      while (!end.await(BETWEEN_ROUNDS_MS, TimeUnit.MILLISECONDS)) {
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

  /** Waits for one more round, from its beginning to its end; fails if one has failed. */
  void awaitRound() throws InterruptedException {
    int enough = rounds.get() + 2;
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (rounds.get() < enough && failure == null && System.nanoTime() < until) {
      thread.join(BETWEEN_ROUNDS_MS);
    }
    if (failure != null || rounds.get() < enough) {
      throw new AssertionError("the bystander is not served", failure);
    }
  }

  /** Does something while it has nothing under way. */
  <T> T whileStill(Callable<T> task) throws Exception {
    if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the bystander is not served");
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
      thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    publisher.close();
    reader.close();
  }
}
