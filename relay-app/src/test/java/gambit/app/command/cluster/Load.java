package gambit.app.command.cluster;

import gambit.core.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Authors, readers, subscribers and spectators of all nodes, at once, and what they have found. One
 * thread drives it.
 */
final class Load implements AutoCloseable {
  private static final int AUTHORS = 4;
  private static final int READERS = 2;

  private final List<RelayNode> nodes;
  private final Violations violations;
  private final long pauseOfAuthors;
  private final List<Author> authors = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private final List<Subscriber> subscribers = new ArrayList<>();
  private final List<Accepted> accepted = new ArrayList<>(); // guarded by itself
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile boolean isPublishing = true;

  /** A note that a node has accepted. */
  record Accepted(RelayNode node, String id) {}

  /**
   * A load that has not begun.
   *
   * @param pauseOfAuthors between two notes, in milliseconds
   */
  Load(List<RelayNode> nodes, Violations violations, long pauseOfAuthors, Random random) {
    this.nodes = nodes;
    this.violations = violations;
    this.pauseOfAuthors = pauseOfAuthors;
    for (int i = 0; i < AUTHORS; i++) {
      authors.add(new Author(this, i, random.nextLong()));
    }
    for (int i = 0; i < READERS; i++) {
      readers.add(new Reader(this, random.nextLong()));
    }
    nodes.forEach(it -> subscribers.add(new Subscriber(this, it)));
  }

  /** Begins. */
  void start() {
    subscribers.forEach(it -> run("subscriber", it::run));
    authors.forEach(it -> run("author", it::run));
    readers.forEach(it -> run("reader", it::run));
  }

  private void run(String name, Runnable task) {
    threads.add(violations.start(name, task));
  }

  boolean isPublishing() {
    return isPublishing;
  }

  boolean isRunning() {
    return end.getCount() > 0;
  }

  /** Waits, or until the end. */
  void pause(long millis) {
    try {
      end.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  long pauseOfAuthors() {
    return pauseOfAuthors;
  }

  RelayNode anyNode(Random random) {
    return nodes.get(random.nextInt(nodes.size()));
  }

  Violations violations() {
    return violations;
  }

  List<Author> authors() {
    return authors;
  }

  List<Subscriber> subscribers() {
    return subscribers;
  }

  /** A node has accepted a note. */
  void accepted(RelayNode node, Event event) {
    synchronized (accepted) {
      accepted.add(new Accepted(node, event.id().hex()));
    }
  }

  /** One of the accepted notes; null if there is none. */
  @Nullable Accepted anyAccepted(Random random) {
    synchronized (accepted) {
      if (accepted.isEmpty()) {
        return null;
      }
      int newest = Math.max(0, accepted.size() - 1 - random.nextInt(50));
      return accepted.get(random.nextBoolean() ? newest : random.nextInt(accepted.size()));
    }
  }

  /** The ids of all accepted notes. */
  List<String> acceptedIds() {
    synchronized (accepted) {
      return accepted.stream().map(Accepted::id).toList();
    }
  }

  /** No new notes from now on; returns when every one that was sent is accepted. */
  void stopPublishing() {
    isPublishing = false;
    violations.join(threads.stream().filter(it -> it.getName().equals("author")));
  }

  /** What was done, for people. */
  String summary() {
    return acceptedIds().size()
        + " notes accepted, "
        + readers.stream().mapToLong(Reader::found).sum()
        + " queried, "
        + subscribers.stream().mapToLong(Subscriber::received).sum()
        + " delivered";
  }

  @Override
  public void close() {
    isPublishing = false;
    end.countDown();
    violations.join(threads.stream());
  }
}
