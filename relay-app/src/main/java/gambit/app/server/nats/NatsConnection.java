package gambit.app.server.nats;

import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.core.log.LimitedLog;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Options.HostnameResolveMode;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one of the cluster's NATS servers. A lost one is made again, to any of them, for
 * as long as it takes. Meanwhile further messages are refused; those that waited to be sent, {@link
 * #MAX_QUEUED_MESSAGES} at most, are sent later. Its threads are called {@code nats-1} and so on.
 * Thread-safe.
 */
public final class NatsConnection implements AutoCloseable {
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

  static final int STREAM_NOT_FOUND = 10059;

  private static final LimitedLog LOG = LimitedLog.of(NatsConnection.class);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration RECONNECT_WAIT = Duration.ofMillis(250);

  /** A server that has not answered three pings counts as lost. */
  private static final Duration PING_INTERVAL = Duration.ofSeconds(1);

  private static final int MAX_UNANSWERED_PINGS = 2;

  /** With the largest message of a server, 1 MB by default, this bounds the memory. */
  private static final int MAX_QUEUED_MESSAGES = 64;

  private static final int REPLICAS_IN_CLUSTER = 3;

  /** The tasks of the library after whose end a new connection is as good as before. */
  private static final List<String> TASKS_OF_CONNECTION =
      List.of(
          "io.nats.client.impl.NatsConnectionReader", "io.nats.client.impl.NatsConnectionWriter");

  /** A thread of the connection that ends again so soon would end again and again. */
  private static final Duration MIN_LIFE = Duration.ofSeconds(5);

  private static final AtomicInteger THREADS = new AtomicInteger();

  private final ExecutorService threads =
      new LibraryThreads(NatsConnection::thread, this::taskEnded);
  private final ExecutorService connecting = Executors.newCachedThreadPool(NatsConnection::thread);
  private final ExecutorService callbacks =
      Executors.newSingleThreadExecutor(NatsConnection::thread);
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(2, NatsConnection::thread);
  private final ClusterSettings settings;
  private final java.util.function.Consumer<Throwable> onFailure;
  private final Connection connection;
  private volatile boolean isOpen;
  private volatile boolean isClosing;
  private volatile @Nullable Exception lastFailure;
  private volatile String lastError = ""; // reported by a server since the connection was lost
  private @Nullable Long recoveredAt; // by System.nanoTime; guarded by this

  /**
   * Connects.
   *
   * @param onFailure receives the failure after which the connection is not made again, or is of no
   *     use: the servers refuse the credentials that they have accepted at the start, or a thread
   *     of the library has ended. On a thread of this connection
   * @throws CommandFailure when none of the servers can be reached, or they refuse the node
   */
  public NatsConnection(ClusterSettings settings, java.util.function.Consumer<Throwable> onFailure)
      throws CommandFailure {
    this.settings = settings;
    this.onFailure = onFailure;
    timer.setRemoveOnCancelPolicy(true); // each request has a timeout, which is canceled
    boolean started = false;
    try {
      connection = connect(options());
      isOpen = true;
      started = true;
    } finally {
      if (!started) {
        endThreads();
      }
    }
  }

  /**
   * A task of the library has ended by an exception that it does not expect. After an exception of
   * the task that reads or writes, such as that there is no room to answer a ping, the connection
   * is made anew. After an error, or the end of another task, the node cannot continue.
   */
  void taskEnded(Throwable cause) {
    if (!isOpen || isClosing) {
      return;
    }
    if (cause instanceof Error || !isOfConnection(cause) || !mayRecover()) {
      onFailure.accept(cause);
      return;
    }
    LOG.warn("The connection to NATS is made anew, after a failure: {}", ErrorMessages.of(cause));
    thread(() -> reconnect(cause)).start(); // it waits for the library's threads
  }

  private static boolean isOfConnection(Throwable cause) {
    return Arrays.stream(cause.getStackTrace())
        .anyMatch(frame -> TASKS_OF_CONNECTION.contains(frame.getClassName()));
  }

  private synchronized boolean mayRecover() {
    long now = System.nanoTime();
    Long last = recoveredAt;
    recoveredAt = now;
    return last == null || now - last > MIN_LIFE.toNanos();
  }

  private void reconnect(Throwable cause) {
    try {
      connection.forceReconnect();
    } catch (IOException | RuntimeException e) {
      if (!isClosing) {
        cause.addSuppressed(e);
        onFailure.accept(cause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "nats-" + THREADS.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  private Options options() throws CommandFailure {
    NatsAccess access = settings.access();
    Options.Builder options =
        new Options.Builder()
            .servers(settings.servers().toArray(String[]::new))
            .connectionName("gambit")
            .hostnameResolveMode(HostnameResolveMode.HappyEyeballs) // the others lose the name
            .ignoreDiscoveredServers()
            .noEcho() // of messages to all nodes
            .connectionTimeout(CONNECT_TIMEOUT)
            .socketWriteTimeout(WRITE_TIMEOUT)
            .pingInterval(PING_INTERVAL)
            .maxPingsOut(MAX_UNANSWERED_PINGS)
            .maxReconnects(-1)
            .reconnectWait(RECONNECT_WAIT)
            .reconnectBufferSize(0)
            .maxMessagesInOutgoingQueue(MAX_QUEUED_MESSAGES)
            .executor(threads)
            .callbackExecutor(callbacks)
            .connectExecutor(connecting)
            .scheduledExecutor(timer)
            .connectionListener(new Changes())
            .errorListener(new Errors());
    if (access.hasTls() || settings.servers().stream().anyMatch(it -> it.startsWith("tls:"))) {
      options.sslContext(NatsTls.context(access));
    }
    access.readNkey().ifPresent(options::authHandler);
    if (!access.user().isEmpty()) {
      options.userInfo(access.user(), access.readPassword());
    }
    return options.build();
  }

  private Connection connect(Options options) throws CommandFailure {
    try {
      return Nats.connect(options);
    } catch (AuthenticationException e) {
      throw new CommandFailure(refusal());
    } catch (IOException e) {
      throw new ClusterUnreachable(
          "cluster.servers: cannot connect to %s: %s."
              .formatted(String.join(", ", settings.servers()), ErrorMessages.of(causeOf(e))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("cluster.servers: the start was interrupted.");
    }
  }

  private String refusal() {
    NatsAccess access = settings.access();
    String servers = String.join(", ", settings.servers());
    if (access.nkeyFile().isPresent()) {
      return "cluster.nkey_file: " + servers + " does not accept this NKey.";
    } else if (!access.user().isEmpty()) {
      return "cluster.user, cluster.password: " + servers + " does not accept them.";
    }
    return ("cluster.servers: %s requires credentials: set cluster.user and cluster.password, or"
            + " cluster.nkey_file.")
        .formatted(servers);
  }

  /** The failure of the last attempt, which the library reports to its listener only. */
  private Throwable causeOf(IOException failure) {
    callbacks.shutdown();
    try {
      callbacks.awaitTermination(1, TimeUnit.SECONDS); // the reports under way
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Throwable cause = lastFailure == null ? failure : lastFailure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  Connection library() {
    return connection;
  }

  static JetStreamOptions jetStream() {
    return jetStream(REQUEST_TIMEOUT);
  }

  static JetStreamOptions jetStream(Duration timeout) {
    return JetStreamOptions.builder().requestTimeout(timeout).build();
  }

  /** The replicas of what the servers keep: as set, or as many as the servers allow. */
  public int replicas() {
    if (settings.replicas() > 0) {
      return settings.replicas();
    }
    String cluster = connection.getServerInfo().getCluster();
    return cluster == null || cluster.isEmpty() ? 1 : REPLICAS_IN_CLUSTER;
  }

  public boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  void fail(Throwable failure) {
    onFailure.accept(failure);
  }

  @Override
  public void close() {
    isClosing = true;
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endThreads();
  }

  private void endThreads() {
    timer.shutdownNow();
    callbacks.shutdownNow();
    threads.shutdownNow();
    connecting.shutdownNow();
  }

  private final class Changes implements ConnectionListener {
    private boolean isLost; // only the thread of callbacks uses it

    @Override
    public void connectionEvent(Connection changed, Events type, Long time, String server) {
      if (isClosing || !isOpen) {
        return;
      }
      switch (type) {
        case DISCONNECTED -> {
          if (!isLost) { // the library reports failed attempts as well
            LOG.warn("Lost the connection to the NATS server {}: {}", server, reasonOfLoss());
          }
          isLost = true;
        }
        case RECONNECTED -> {
          LOG.info("Connected to the NATS server {}", server);
          isLost = false;
          lastError = "";
        }
        case CLOSED -> fail(new IOException(reasonOfEnd()));
        default -> {}
      }
    }

    /** Why the library does not connect again: credentials are the only reason that is known. */
    private String reasonOfEnd() {
      boolean isRefused = lastError.toLowerCase(Locale.ROOT).contains("auth");
      Exception failure = lastFailure;
      if (isRefused || failure instanceof AuthenticationException) {
        return refusal();
      }
      return "cluster.servers: the connection was closed"
          + (failure == null ? "." : ": " + ErrorMessages.of(failure) + ".");
    }

    private String reasonOfLoss() {
      Exception failure = lastFailure;
      return failure == null ? "it has ended it" : ErrorMessages.of(failure);
    }

    @Override
    @Deprecated
    public void connectionEvent(Connection changed, Events type) {
      // the other method has the server
    }
  }

  /** Logs what the library reports, and keeps the last failure for the line about a loss. */
  private final class Errors implements ErrorListener {
    @Override
    public void errorOccurred(Connection failed, String error) {
      lastError = error;
      if (isOpen && !isClosing) {
        LOG.warn("The NATS server reports: {}", error);
      }
    }

    @Override
    public void exceptionOccurred(Connection failed, Exception failure) {
      lastFailure = failure;
    }

    @Override
    public void slowConsumerDetected(Connection slow, Consumer consumer) {
      LOG.warn("Messages of other nodes were dropped, because this one is too slow");
    }
  }

  /**
   * The threads of the NATS client library. Each task of the library reads or writes one
   * connection, or delivers to one subscription, until that is closed. A task catches the failures
   * that it expects; by an unexpected one the task ends. The library neither reports that failure
   * nor starts the task anew, so the connection or the subscription would stop silently. Therefore
   * this executor reports the failure. Thread-safe.
   */
  static final class LibraryThreads extends ThreadPoolExecutor {
    private static final long IDLE_SECONDS = 60;

    private final java.util.function.Consumer<Throwable> onDeath;

    /**
     * {@code onDeath} receives an error, or an exception that is not checked, by which a task has
     * ended; on the task's thread.
     */
    LibraryThreads(ThreadFactory factory, java.util.function.Consumer<Throwable> onDeath) {
      super(
          0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
      this.onDeath = onDeath;
    }

    @Override
    protected void afterExecute(Runnable task, Throwable thrown) {
      super.afterExecute(task, thrown);
      if (thrown == null && task instanceof Future<?> future && future.isDone()) {
        try {
          future.get();
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof Exception) || e.getCause() instanceof RuntimeException) {
            onDeath.accept(e.getCause());
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        } catch (CancellationException e) {
          // The connection was closed.
        }
      }
    }
  }

  /** A start fails because NATS cannot be reached or has no majority now: it may succeed later. */
  public static final class ClusterUnreachable extends CommandFailure {
    public ClusterUnreachable(String sentence) {
      super(sentence);
    }

    static ClusterUnreachable because(String reason) {
      return new ClusterUnreachable(
          "cluster.servers: the log of the cluster cannot be used: " + reason + ".");
    }
  }
}
