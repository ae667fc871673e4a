package gambit.app.server.nats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.ErrorMessages;
import gambit.core.log.LimitedLog;
import gambit.core.replication.SharedLog;
import io.nats.client.JetStreamApiException;
import io.nats.client.PublishOptions;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.PublishAck;
import io.nats.client.api.Replica;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.ServerInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The shared log as a stream of JetStream: an entry is a message on the subject {@code NAME.log},
 * and its number is the message's. Thread-safe; one thread at a time reads, and others wait for it.
 */
public final class NatsLog implements SharedLog {
  private static final LimitedLog LOG = LimitedLog.of(NatsLog.class);

  private static final String CLUSTER_ID = "gambit_cluster";

  private static final String RELAY_KEY = "gambit_relay";

  /** The oldest server whose documented settings sync every entry, and which keeps them. */
  private static final String OLDEST_SERVER = "2.12.0";

  /** The size of a message around its entry: the two headers of an append, and their frame. */
  private static final int FRAME_BYTES = 512;

  /** Replicas that a leader has not heard of for longer are not in its majority. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(3);

  /** The time for the range, which needs no disk; while no server leads, none answers. */
  private static final Duration RANGE_TIMEOUT = Duration.ofSeconds(1);

  /** While nothing arrives, the range of the log is asked this often. */
  private static final Duration MAX_QUIET = Duration.ofSeconds(1);

  /** The time for an entry that the log has to arrive. */
  private static final Duration ARRIVAL = Duration.ofMillis(500);

  /** Error codes of JetStream's API. */
  private static final int STREAM_NAME_IN_USE = 10058;

  private static final int WRONG_LAST_SEQUENCE = 10071;
  private static final int WRONG_LAST_SEQUENCE_IN_PROCESS = 10164;

  /** A log that exists, with the relay's public key in hex, which is empty if it is unknown. */
  public record Existing(String clusterId, String relayKey, Range range) {}

  private final NatsConnection connection;
  private final String stream;
  private final String subject;
  private final Duration keep;
  private final int maxEntryBytes;
  private volatile int replicas; // when the range was last asked
  private final ReentrantLock reading = new ReentrantLock();

  @GuardedBy("reading")
  private @Nullable LogReader reader;

  /** The log, which may not exist yet, over a connection that is not closed with it. */
  public NatsLog(NatsConnection connection, ClusterSettings settings) {
    this.connection = connection;
    this.stream = settings.name();
    this.subject = settings.name() + ".log";
    this.keep = settings.keep();
    maxEntryBytes =
        (int) Math.min(connection.library().getMaxPayload() - FRAME_BYTES, Integer.MAX_VALUE);
  }

  private StreamInfo info(Duration timeout) throws IOException, JetStreamApiException {
    return connection
        .library()
        .jetStreamManagement(NatsConnection.jetStream(timeout))
        .getStreamInfo(stream);
  }

  private static int code(Exception e) {
    return e instanceof JetStreamApiException it ? it.getApiErrorCode() : 0;
  }

  private static LogUnavailable unavailable(Exception e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new LogUnavailable("NATS: " + ErrorMessages.of(e), e);
  }

  /**
   * The log, if it exists; warns if it is less safe than the settings say.
   *
   * @throws LogUnavailable also when a stream of that name is not the log of a relay's cluster
   */
  public Optional<Existing> open() throws LogUnavailable {
    Optional<StreamInfo> found = find();
    if (found.isPresent()) {
      warnOf(found.get().getConfiguration());
    }
    return existing(found);
  }

  /** As {@link #open}, without warnings. */
  public Optional<Existing> existing() throws LogUnavailable {
    return existing(find());
  }

  private static Optional<Existing> existing(Optional<StreamInfo> found) throws LogUnavailable {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> metadata = metadata(found.get().getConfiguration());
    return Optional.of(
        new Existing(
            String.valueOf(metadata.get(CLUSTER_ID)),
            metadata.getOrDefault(RELAY_KEY, ""),
            range(found.get())));
  }

  public Optional<LogServers> servers() throws LogUnavailable {
    return find().map(LogServers::of);
  }

  private Optional<StreamInfo> find() throws LogUnavailable {
    StreamInfo info;
    try {
      info = info(NatsConnection.REQUEST_TIMEOUT);
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      if (code(e) == NatsConnection.STREAM_NOT_FOUND) {
        return Optional.empty();
      }
      throw unavailable(e);
    }
    StreamConfiguration configuration = info.getConfiguration();
    if (!metadata(configuration).containsKey(CLUSTER_ID)
        || !configuration.getSubjects().equals(List.of(subject))) {
      throw new LogUnavailable(
          "the stream " + stream + " of NATS is not the log of a cluster; set cluster.name");
    }
    return Optional.of(info);
  }

  private static Map<String, String> metadata(StreamConfiguration configuration) {
    Map<String, String> metadata = configuration.getMetadata();
    return metadata == null ? Map.of() : metadata;
  }

  private void warnOf(StreamConfiguration found) {
    ServerInfo server = connection.library().getServerInfo();
    if (server.isOlderThanVersion(OLDEST_SERVER)) {
      LOG.warn(
          "The NATS server has version {}; the cluster needs {} at least, or acknowledged events"
              + " can be lost",
          server.getVersion(),
          OLDEST_SERVER);
    }
    int wanted = connection.replicas();
    if (found.getReplicas() < wanted) {
      LOG.warn(
          "The cluster's log has {} instead of {} replicas: nats stream edit {} --replicas {}",
          found.getReplicas(),
          wanted,
          stream,
          wanted);
    } else if (wanted == 1) {
      LOG.warn("The cluster's log is on one NATS server only: its loss stops all nodes");
    }
    if (!found.getMaxAge().equals(keep)) {
      LOG.warn(
          "The cluster's log keeps entries for {}, and cluster.keep is {}: nats stream edit {}"
              + " --max-age {}s",
          found.getMaxAge(),
          keep,
          stream,
          keep.toSeconds());
    }
  }

  /**
   * Creates the log, without entries.
   *
   * @param firstSequence the number of its first entry, at least 1
   * @return false if there is a log, which another node may just have created
   * @throws LogUnavailable also when there are too few servers for the replicas
   */
  public boolean create(long firstSequence, String clusterId, String relayKey)
      throws LogUnavailable {
    StreamConfiguration configuration =
        StreamConfiguration.builder()
            .name(stream)
            .subjects(subject)
            .storageType(StorageType.File)
            .replicas(connection.replicas())
            .retentionPolicy(RetentionPolicy.Limits)
            .discardPolicy(DiscardPolicy.Old)
            .maxAge(keep)
            .denyDelete(true)
            .denyPurge(true)
            .firstSequence(firstSequence)
            .metadata(Map.of(CLUSTER_ID, clusterId, RELAY_KEY, relayKey))
            .build();
    try {
      connection.library().jetStreamManagement(NatsConnection.jetStream()).addStream(configuration);
      LOG.info("Created the cluster's log {}, which begins at {}", stream, firstSequence);
      return true;
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      if (code(e) == STREAM_NAME_IN_USE) {
        return false;
      }
      throw unavailable(e);
    }
  }

  @Override
  public Range range() throws LogUnavailable {
    try {
      StreamInfo info = info(RANGE_TIMEOUT);
      replicas = LogServers.of(info).currentReplicas();
      return range(info);
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw unavailable(e);
    }
  }

  int replicas() {
    return replicas;
  }

  /** Whether a replica has all entries, as the stream's leader knows it. */
  private static boolean isCurrent(Replica replica) {
    return replica.isCurrent() && isPresent(replica);
  }

  private static boolean isPresent(Replica replica) {
    return !replica.isOffline() && replica.getActive().compareTo(MAX_SILENCE) <= 0;
  }

  /**
   * The range as the stream's leader knows it. One that has lost its majority answers for {@link
   * #MAX_SILENCE} more; the age says how long ago it has heard of the majority.
   */
  static Range range(StreamInfo info) throws LogUnavailable {
    ClusterInfo cluster = info.getClusterInfo();
    List<Replica> others = cluster == null ? null : cluster.getReplicas();
    Duration age = Duration.ZERO;
    if (others != null && !others.isEmpty()) {
      if (cluster.getLeader() == null) {
        throw new LogUnavailable("the log has no leader: its servers elect one");
      }
      List<Duration> silences =
          others.stream().filter(NatsLog::isPresent).map(Replica::getActive).sorted().toList();
      int servers = 1 + others.size();
      int needed = servers / 2; // besides the leader
      if (silences.size() < needed) {
        throw new LogUnavailable(
            "the log has no majority: " + (1 + silences.size()) + " of " + servers + " servers");
      }
      age = silences.get(needed - 1);
    }
    StreamState state = info.getStreamState();
    long last = state.getLastSequence();
    return new Range(state.getMsgCount() == 0 ? last + 1 : state.getFirstSequence(), last, age);
  }

  @Override
  public void append(long last, byte[] entry) throws Overtaken, LogUnavailable {
    if (entry.length > maxEntryBytes) {
      throw new IllegalArgumentException("an entry of " + entry.length + " bytes");
    }
    PublishAck ack;
    try {
      ack =
          connection
              .library()
              .jetStream(NatsConnection.jetStream())
              .publish(
                  subject,
                  entry,
                  PublishOptions.builder()
                      .expectedStream(stream)
                      .expectedLastSequence(last)
                      .streamTimeout(NatsConnection.REQUEST_TIMEOUT)
                      .build());
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      if (code(e) == WRONG_LAST_SEQUENCE || code(e) == WRONG_LAST_SEQUENCE_IN_PROCESS) {
        throw new Overtaken("the newest entry is not " + last + ": " + e.getMessage());
      }
      throw unavailable(e);
    }
    if (ack.getSeqno() != last + 1) {
      throw new IllegalStateException(
          "NATS has given the number " + ack.getSeqno() + " to the entry after " + last);
    }
    endReading();
  }

  /** Whoever appends has read everything: the server must not send it its own entries. */
  private void endReading() {
    if (reading.tryLock()) {
      try {
        closeReader();
      } finally {
        reading.unlock();
      }
    }
  }

  @Override
  public List<byte[]> read(long from, Duration wait) throws EntriesGone, LogUnavailable {
    reading.lock();
    try {
      return readLocked(from, wait);
    } finally {
      reading.unlock();
    }
  }

  /** Asks for nothing, unless the reader does. */
  @Override
  public List<byte[]> await(long next, Duration wait) throws LogUnavailable {
    reading.lock();
    try {
      return readArrived(next, wait);
    } finally {
      reading.unlock();
    }
  }

  @GuardedBy("reading")
  private List<byte[]> readLocked(long from, Duration wait) throws EntriesGone, LogUnavailable {
    long deadline = System.nanoTime() + wait.toNanos();
    boolean isLast;
    do {
      Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
      isLast = left.compareTo(MAX_QUIET) <= 0;
      List<byte[]> entries = readArrived(from, isLast ? left : MAX_QUIET);
      if (!entries.isEmpty()) {
        return entries;
      }
      Range range = range();
      if (from < range.first()) {
        closeReader();
        throw new EntriesGone("the log begins at " + range.first() + ", after " + from);
      } else if (from <= range.last()) {
        return readStored(from);
      }
    } while (!isLast);
    return List.of();
  }

  /** Entries that exist: with the reader, unless it has ended silently, else with a new one. */
  @GuardedBy("reading")
  private List<byte[]> readStored(long from) throws LogUnavailable {
    for (int attempt = 0; attempt < 3; attempt++) {
      List<byte[]> entries = readArrived(from, ARRIVAL);
      if (!entries.isEmpty()) {
        return entries;
      }
      closeReader();
    }
    throw new LogUnavailable("NATS does not send the entry " + from + ", which it has");
  }

  /** What has arrived, or arrives while it waits; none also if other entries have arrived. */
  @GuardedBy("reading")
  private List<byte[]> readArrived(long from, Duration wait) throws LogUnavailable {
    LogReader current = reader;
    try {
      if (current == null || current.next() != from || current.mayBeForgotten()) {
        closeReader();
        current = new LogReader(connection.library(), stream, from);
        reader = current;
      }
      return current.read(wait);
    } catch (LogReader.Gap e) {
      closeReader();
      return List.of();
    } catch (IOException | JetStreamApiException | IllegalStateException | InterruptedException e) {
      closeReader();
      throw unavailable(e);
    }
  }

  @GuardedBy("reading")
  private void closeReader() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  @Override
  public int maxEntryBytes() {
    return maxEntryBytes;
  }

  @Override
  public void close() {
    reading.lock();
    try {
      closeReader();
    } finally {
      reading.unlock();
    }
  }

  /**
   * The NATS servers that have the log. Immutable.
   *
   * @param leader of the stream; empty if there is none, or the server is alone
   * @param current those with all entries, the leader first
   * @param behind those that lack entries, or cannot be reached
   * @param replicas how many servers should have it
   */
  public record LogServers(String leader, List<String> current, List<String> behind, int replicas) {

    public LogServers {
      current = List.copyOf(current);
      behind = List.copyOf(behind);
    }

    static LogServers of(StreamInfo info) {
      int replicas = info.getConfiguration().getReplicas();
      ClusterInfo cluster = info.getClusterInfo();
      String leader = cluster == null ? "" : Objects.requireNonNullElse(cluster.getLeader(), "");
      List<String> current = new ArrayList<>();
      List<String> behind = new ArrayList<>();
      if (!leader.isEmpty()) {
        current.add(leader);
      }
      List<Replica> others = cluster == null ? null : cluster.getReplicas();
      for (Replica each : others == null ? List.<Replica>of() : others) {
        (isCurrent(each) ? current : behind).add(each.getName());
      }
      return new LogServers(leader, current, behind, replicas);
    }

    /**
     * How many have all entries, as the stream's leader knows them. While there is none, the server
     * that answers is among the others.
     */
    int currentReplicas() {
      return current.isEmpty() && behind.isEmpty() ? 1 : current.size();
    }

    public String leadership() {
      if (!leader.isEmpty()) {
        return leader + " leads";
      }
      return current.isEmpty() && behind.isEmpty() ? "one server" : "no server leads";
    }
  }
}
