package gambit.app.server.nats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.store.disk.BackupManifest;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.ObjectStore;
import io.nats.client.ObjectStoreManagement;
import io.nats.client.ObjectStoreOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ObjectInfo;
import io.nats.client.api.ObjectMeta;
import io.nats.client.api.ObjectStoreConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamInfoOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Copies of a node's log as of one of its entries, kept in an object store of NATS: bucket {@code
 * NAME-snapshots}. A file is an object whose name is the hash of its content, so a file that two
 * snapshots have is there once; the list of a snapshot's files is the object with its number, and
 * is written last. An object is chunks, which are messages of the bucket's stream with a subject
 * that belongs to the object, and its description, which is written after them. Thread-safe; the
 * methods block for as long as the files take.
 */
public final class NatsSnapshots {
  private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{16}");
  private static final int CHUNK_BYTES = 256 << 10;

  private final NatsConnection connection;
  private final String bucket;
  private final String stream;
  private final String subjects; // the beginning of all
  private final String chunkSubjects; // the beginning of those of chunks
  private final String descriptionSubjects; // the beginning of those of descriptions

  @GuardedBy("this")
  private Map<String, Long> abandoned = Map.of(); // the numbers of chunks, when last looked for

  /**
   * What the bucket has.
   *
   * @param chunks their number, by subject
   * @param descriptions the subjects of those of objects, also of deleted ones, by name
   * @param objects those that are not deleted
   */
  private record Contents(
      Map<String, Long> chunks, Map<String, String> descriptions, List<ObjectInfo> objects) {
    private static final Contents NONE = new Contents(Map.of(), Map.of(), List.of());
  }

  /** The connection is not closed with them; large copies slow down what else it does. */
  public NatsSnapshots(NatsConnection connection, ClusterSettings settings) {
    this.connection = connection;
    this.bucket = settings.name() + "-snapshots";
    this.stream = "OBJ_" + bucket;
    this.subjects = "$O." + bucket + ".";
    this.chunkSubjects = subjects + "C.";
    this.descriptionSubjects = subjects + "M.";
  }

  public String stream() {
    return stream;
  }

  /**
   * The hashes of the files that are there with all of their chunks, perhaps of a snapshot that was
   * never completed.
   */
  public Set<String> files() throws IOException {
    Contents contents = contents();
    return contents.objects().stream()
        .filter(it -> isWhole(it, contents))
        .map(ObjectInfo::getObjectName)
        .filter(name -> !NUMBER.matcher(name).matches())
        .collect(Collectors.toCollection(HashSet::new));
  }

  public void putFile(String hash, InputStream content) throws IOException {
    int chunk = (int) Math.min(CHUNK_BYTES, connection.library().getMaxPayload() / 2);
    call(
        () -> {
          createBucket();
          return objects().put(ObjectMeta.builder(hash).chunkSize(chunk).build(), content);
        });
  }

  /** Completes a snapshot, whose files are there. */
  public void complete(BackupManifest snapshot) throws IOException {
    putFile(object(snapshot.sequence()), new ByteArrayInputStream(snapshot.encode()));
  }

  private static String object(long number) {
    return HexFormat.of().toHexDigits(number);
  }

  /**
   * The newest complete snapshot: that with the greatest number. One that is replaced while its
   * list is read is no failure.
   */
  public Optional<BackupManifest> newest() throws IOException {
    Optional<ObjectInfo> newest = newestList();
    while (newest.isPresent()) {
      ByteArrayOutputStream list = new ByteArrayOutputStream();
      try {
        getFile(newest.get().getObjectName(), list);
        return Optional.of(BackupManifest.parseSnapshot(list.toByteArray()));
      } catch (IOException e) {
        String unread = newest.get().getNuid();
        newest = newestList();
        if (newest.isPresent() && newest.get().getNuid().equals(unread)) {
          throw e;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<ObjectInfo> newestList() throws IOException {
    Set<String> former = Set.of();
    while (true) {
      Contents contents = contents();
      List<ObjectInfo> lists =
          contents.objects().stream()
              .filter(it -> NUMBER.matcher(it.getObjectName()).matches())
              .toList();
      Set<String> notWhole =
          lists.stream()
              .filter(it -> !isWhole(it, contents))
              .map(ObjectInfo::getNuid)
              .collect(Collectors.toSet());
      if (former.containsAll(notWhole)) { // else some may have been completed in between
        return lists.stream()
            .filter(it -> !notWhole.contains(it.getNuid()))
            .max(Comparator.comparing(ObjectInfo::getObjectName)); // equally long numbers
      }
      former = notWhole;
    }
  }

  /** Writes the content of a file; fails also when that is not there, or is deleted meanwhile. */
  public void getFile(String hash, OutputStream out) throws IOException {
    call(() -> objects().get(hash, out));
  }

  /**
   * Deletes all objects that do not belong to a snapshot. Chunks of files that were never completed
   * are left to {@link #purgeAbandoned}.
   */
  public void deleteAllBut(BackupManifest kept) throws IOException {
    Set<String> wanted = new HashSet<>();
    wanted.add(object(kept.sequence()));
    kept.files().forEach(file -> wanted.add(file.sha256()));
    Contents contents = contents();
    Set<String> objects =
        contents.objects().stream().map(ObjectInfo::getObjectName).collect(Collectors.toSet());
    for (boolean isList : new boolean[] {true, false}) { // so that no list lacks its files
      for (Map.Entry<String, String> each : contents.descriptions().entrySet()) {
        String name = each.getKey();
        if (isList == NUMBER.matcher(name).matches() && !wanted.contains(name)) {
          delete(name, objects.contains(name), each.getValue());
        }
      }
    }
  }

  /** The library keeps descriptions of deleted objects for ever. */
  private void delete(String name, boolean isThere, String description) throws IOException {
    call(
        () -> {
          if (isThere) {
            objects().delete(name);
          }
          return streams().purgeStream(stream, PurgeOptions.subject(description));
        });
  }

  public void deleteAll() throws IOException {
    callIfThere(
        () -> {
          connection.library().objectStoreManagement(options()).delete(bucket);
          return bucket;
        },
        bucket);
  }

  /**
   * Deletes chunks that belong to no object: those of a file whose writer was killed, or whose
   * deletion was interrupted. They must have been there in the same number when this method of this
   * instance was last called, since another node may be writing a file now.
   */
  public synchronized void purgeAbandoned() throws IOException {
    Contents contents = contents();
    Map<String, Long> unnamed = new HashMap<>(contents.chunks());
    contents.objects().forEach(it -> unnamed.remove(chunkSubjects + it.getNuid()));
    Map<String, Long> former = abandoned;
    abandoned = unnamed;
    call(
        () -> {
          JetStreamManagement management = streams();
          for (Map.Entry<String, Long> each : unnamed.entrySet()) {
            if (each.getValue().equals(former.get(each.getKey()))) {
              management.purgeStream(stream, PurgeOptions.subject(each.getKey()));
            }
          }
          return unnamed;
        });
  }

  private boolean isWhole(ObjectInfo object, Contents contents) {
    return contents.chunks().getOrDefault(chunkSubjects + object.getNuid(), 0L)
        == object.getChunks();
  }

  /** The contents; nothing if there is no bucket yet. */
  private Contents contents() throws IOException {
    return callIfThere(
        () -> { // a file that is completed in between is an object, and has its chunks or not yet
          Map<String, Long> chunks = new HashMap<>();
          Map<String, String> descriptions = new HashMap<>();
          streams()
              .getStreamInfo(stream, StreamInfoOptions.filterSubjects(subjects + ">"))
              .getStreamState()
              .getSubjectMap()
              .forEach(
                  (subject, count) -> {
                    if (subject.startsWith(descriptionSubjects)) {
                      descriptions.put(name(subject), subject);
                    } else {
                      chunks.put(subject, count);
                    }
                  });
          List<ObjectInfo> objects = whole(objects().getList(), descriptions.keySet());
          return new Contents(chunks, descriptions, objects);
        },
        Contents.NONE);
  }

  /** The name of an object, which the subject of its description ends with, in Base64. */
  private String name(String subject) {
    byte[] name = Base64.getUrlDecoder().decode(subject.substring(descriptionSubjects.length()));
    return new String(name, StandardCharsets.UTF_8);
  }

  /** A list of objects with what it lacks: the library's ends where an answer comes late. */
  List<ObjectInfo> whole(List<ObjectInfo> listed, Set<String> names)
      throws IOException, JetStreamApiException {
    List<ObjectInfo> objects = new ArrayList<>(listed);
    Set<String> unlisted = new HashSet<>(names);
    listed.forEach(it -> unlisted.remove(it.getObjectName()));
    for (String name : unlisted) {
      ObjectInfo found = objects().getInfo(name); // null if it is deleted
      if (found != null) {
        objects.add(found);
      }
    }
    return objects;
  }

  public OptionalInt replicas() throws IOException {
    return callIfThere(
        () -> OptionalInt.of(streams().getStreamInfo(stream).getConfiguration().getReplicas()),
        OptionalInt.empty());
  }

  private JetStreamManagement streams() throws IOException {
    return connection.library().jetStreamManagement(NatsConnection.jetStream());
  }

  private static ObjectStoreOptions options() {
    return ObjectStoreOptions.builder().jetStreamOptions(NatsConnection.jetStream()).build();
  }

  private ObjectStore objects() throws IOException {
    return connection.library().objectStore(bucket, options());
  }

  private void createBucket() throws IOException, JetStreamApiException {
    ObjectStoreManagement management = connection.library().objectStoreManagement(options());
    if (!management.getBucketNames().contains(bucket)) {
      management.create(
          ObjectStoreConfiguration.builder(bucket)
              .storageType(StorageType.File)
              .replicas(connection.replicas())
              .build());
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T run()
        throws IOException, JetStreamApiException, InterruptedException, NoSuchAlgorithmException;
  }

  private static <T> T callIfThere(Call<T> call, T otherwise) throws IOException {
    return call(
        () -> {
          try {
            return call.run();
          } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == NatsConnection.STREAM_NOT_FOUND) {
              return otherwise;
            }
            throw e;
          }
        });
  }

  private static <T> T call(Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (JetStreamApiException | IllegalStateException | IllegalArgumentException e) {
      throw new IOException("NATS: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
