package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.store.disk.BackupManifest;
import io.nats.client.ObjectStore;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ObjectInfo;
import io.nats.client.api.StreamInfoOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Snapshots in the object store of one real server. */
class NatsSnapshotsTest {
  @RegisterExtension private static final OneNatsServer NATS = new OneNatsServer();

  private String name;
  private NatsSnapshots snapshots;

  @BeforeEach
  void open() {
    name = NATS.settings().name();
    snapshots = new NatsSnapshots(NATS.connection(), NATS.settings());
  }

  private static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  static String hash(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }

  private String put(int bytes) throws Exception {
    byte[] content = content(bytes);
    snapshots.putFile(hash(content), new ByteArrayInputStream(content));
    return hash(content);
  }

  private byte[] get(String hash) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    snapshots.getFile(hash, out);
    return out.toByteArray();
  }

  static BackupManifest list(long number, String... hashes) throws Exception {
    return listOfFormat(2, number, hashes);
  }

  /** The list of a snapshot as it is written. */
  static BackupManifest listOfFormat(int format, long number, String... hashes) throws Exception {
    StringBuilder text =
        new StringBuilder("gambit backup 1\nnumber 1\ntime 2026-11-23T03:00:00Z\n");
    text.append("format gambit event store ").append(format).append('\n');
    text.append("end 1000 ").append(number + 1).append('\n');
    for (int i = 0; i < hashes.length; i++) {
      text.append("segment 1 10 ").append(hashes[i]);
      text.append(String.format(" %016x-00000000.log%n", i));
    }
    String sum = hash(text.toString().getBytes(StandardCharsets.UTF_8));
    return BackupManifest.parseSnapshot(
        (text + "checksum " + sum + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void thereIsNoSnapshotAtFirst() throws Exception {
    assertThat(snapshots.newest()).isEmpty();
    assertThat(snapshots.files()).isEmpty();
    snapshots.deleteAll();
    snapshots.purgeAbandoned();
    assertThatThrownBy(() -> get("ab".repeat(32))).isInstanceOf(IOException.class);
  }

  @Test
  void filesComeBackAsTheyWerePut() throws Exception {
    for (int bytes : new int[] {0, 1000, 256 << 10, 3_000_001}) {
      assertThat(get(put(bytes))).isEqualTo(content(bytes));
    }
    assertThat(snapshots.files()).hasSize(4);
  }

  @Test
  void filesWithoutAListAreNoSnapshot() throws Exception {
    String file = put(10);
    assertThat(snapshots.newest()).isEmpty();
    snapshots.complete(list(7, file));
    assertThat(snapshots.newest().orElseThrow().sequence()).isEqualTo(7);
  }

  @Test
  void theNewestSnapshotIsThatOfTheGreatestNumber() throws Exception {
    String file = put(10);
    for (long number : new long[] {9, 300, 20}) {
      snapshots.complete(list(number, file));
    }
    BackupManifest newest = snapshots.newest().orElseThrow();
    assertThat(newest.sequence()).isEqualTo(300);
    assertThat(newest.files()).extracting(BackupManifest.Copy::sha256).containsExactly(file);
  }

  @Test
  void deletingOthersKeepsTheFilesThatTheKeptOneHas() throws Exception {
    String shared = put(10);
    String old = put(20);
    String ofNone = put(30);
    snapshots.complete(list(5, shared, old));
    snapshots.complete(list(6, shared));
    snapshots.deleteAllBut(list(6, shared));
    assertThat(snapshots.newest().orElseThrow().sequence()).isEqualTo(6);
    assertThat(snapshots.files()).containsExactly(shared).doesNotContain(ofNone);
    assertThat(get(shared)).isEqualTo(content(10));
    assertThatThrownBy(() -> get(old)).isInstanceOf(IOException.class);
    snapshots.deleteAll();
    assertThat(snapshots.newest()).isEmpty();
    assertThat(snapshots.files()).isEmpty();
  }

  @Test
  void aSnapshotThatIsReplacedWhileItIsReadIsNoFailure() throws Exception {
    String file = put(10);
    snapshots.complete(list(1, file));
    long last = 150;
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread maker =
        new Thread(
            () -> {
              try {
                for (long number = 2; number <= last; number++) {
                  snapshots.complete(list(number, file));
                  snapshots.deleteAllBut(list(number, file));
                }
              } catch (Exception e) {
                failure.set(e);
              }
            });
    maker.start();
    long newest = 1;
    while (newest < last && failure.get() == null) {
      assertThat(snapshots.newest().orElseThrow().sequence()).isGreaterThanOrEqualTo(newest);
      newest = snapshots.newest().orElseThrow().sequence();
    }
    maker.join();
    assertThat(failure).hasNullValue();
  }

  /** The stream of the bucket. */
  private String stream() throws Exception {
    return NATS.connection().library().jetStreamManagement().getStreamNames().stream()
        .filter(it -> it.contains(name))
        .findFirst()
        .orElseThrow();
  }

  private String chunkSubject(String id) {
    return "$O." + name + "-snapshots.C." + id;
  }

  /** The chunks that the servers keep. */
  private Map<String, Long> chunks() throws Exception {
    return NATS.connection()
        .library()
        .jetStreamManagement()
        .getStreamInfo(stream(), StreamInfoOptions.filterSubjects(chunkSubject(">")))
        .getStreamState()
        .getSubjectMap();
  }

  @Test
  void chunksOfAFileWhoseWriterWasKilledArePurgedAndThoseOfOneThatIsWrittenAreNot()
      throws Exception {
    String file = put(600_000);
    snapshots.complete(list(5, file));
    Map<String, Long> whole = chunks();
    NATS.connection().library().jetStream().publish(chunkSubject("killed"), content(1000));
    NATS.connection().library().jetStream().publish(chunkSubject("writing"), content(1000));
    snapshots.purgeAbandoned();
    assertThat(chunks()).as("it may still be written").hasSize(whole.size() + 2);
    NATS.connection().library().jetStream().publish(chunkSubject("writing"), content(1000));
    snapshots.deleteAllBut(list(5, file));
    snapshots.purgeAbandoned();
    assertThat(chunks()).doesNotContainKey(chunkSubject("killed"));
    assertThat(chunks()).containsEntry(chunkSubject("writing"), 2L);
    snapshots.purgeAbandoned();
    assertThat(chunks()).isEqualTo(whole);
    assertThat(get(file)).isEqualTo(content(600_000));
  }

  /** The number of descriptions of objects that the servers keep, also of deleted ones. */
  private int descriptions() throws Exception {
    return NATS.connection()
        .library()
        .jetStreamManagement()
        .getStreamInfo(stream(), StreamInfoOptions.filterSubjects("$O." + name + "-snapshots.M.>"))
        .getStreamState()
        .getSubjectMap()
        .size();
  }

  @Test
  void nothingIsLeftOfDeletedObjects() throws Exception {
    String kept = put(10);
    String old = put(20);
    String deleted = put(30);
    snapshots.complete(list(5, kept, old));
    snapshots.complete(list(6, kept));
    NATS.connection()
        .library()
        .objectStore(name + "-snapshots")
        .delete(deleted); // as if interrupted
    assertThat(descriptions()).isEqualTo(5);
    assertThat(snapshots.files()).containsExactlyInAnyOrder(kept, old);
    snapshots.deleteAllBut(list(6, kept));
    assertThat(descriptions()).isEqualTo(2);
    assertThat(chunks()).hasSize(2);
    assertThat(snapshots.newest().orElseThrow().sequence()).isEqualTo(6);
  }

  @Test
  void objectsThatAListLacksAreLookedFor() throws Exception {
    String one = put(10);
    String other = put(20);
    String deleted = put(30);
    ObjectStore store = NATS.connection().library().objectStore(name + "-snapshots");
    store.delete(deleted);
    List<ObjectInfo> all = store.getList();
    Set<String> names = Set.of(one, other, deleted);
    assertThat(snapshots.whole(all, names)).isEqualTo(all);
    assertThat(snapshots.whole(all.subList(0, 1), names))
        .extracting(ObjectInfo::getObjectName)
        .containsExactlyInAnyOrder(one, other);
  }

  @Test
  void replicasAreThoseOfTheBucket() throws Exception {
    assertThat(snapshots.replicas()).isEmpty();
    put(10);
    assertThat(snapshots.replicas()).hasValue(1);
  }

  @Test
  void aFileThatLacksAChunkIsNotThere() throws Exception {
    String file = put(600_000);
    snapshots.complete(list(5, file));
    String other = put(1000);
    String large =
        chunks().entrySet().stream()
            .filter(it -> it.getValue() == 3)
            .findFirst()
            .orElseThrow()
            .getKey();
    NATS.connection()
        .library()
        .jetStreamManagement()
        .purgeStream(stream(), PurgeOptions.builder().subject(large).keep(2).build());
    assertThat(snapshots.files()).containsExactly(other);
    put(600_000);
    assertThat(snapshots.files()).containsExactlyInAnyOrder(file, other);
    assertThat(get(file)).isEqualTo(content(600_000));
  }
}
