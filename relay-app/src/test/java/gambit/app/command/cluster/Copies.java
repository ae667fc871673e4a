package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The data directories of the nodes, which are copies of each other: the same files with the same
 * groups at the same positions, whose records are equal byte for byte. The heads of files and
 * groups are not, since each file has a salt of its own, with which its groups' checksums begin.
 */
final class Copies {
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]{64})\"");
  private static final int FILE_HEAD_BYTES = 64;

  /** What the leader has still done while the nodes were killed, which others may lack. */
  private static final int MAX_FURTHER_GROUPS = 3;

  private static final int GROUP_HEAD_BYTES = 32;
  private static final int BASE_DIGITS = 16; // of a file's name
  private static final int GROUP_MAGIC = 0x47525031;
  private static final int SAME_BYTES_OF_GROUP_HEAD = 20; // magic, length, sequence, count

  private final List<RelayNode> nodes;

  Copies(List<RelayNode> nodes) {
    this.nodes = nodes;
  }

  /**
   * Kills all nodes when they have applied the same entries, and compares their logs and exports.
   *
   * @param accepted the ids of events that each of them must have
   * @return how much was compared, for people
   */
  String checkEqual(List<String> accepted) throws Exception {
    await("all nodes have applied the same")
        .atMost(Duration.ofMinutes(2))
        .until(() -> nodes.stream().map(Copies::applied).distinct().toList(), Copies::isOne);
    nodes.parallelStream().forEach(RelayNode::kill);
    List<String> groups = groups(nodes.get(0));
    Path exported = export(nodes.get(0));
    Set<String> ids = idsWith(accepted, exported);
    for (RelayNode node : nodes.subList(1, nodes.size())) {
      List<String> other = groups(node);
      int common = Math.min(groups.size(), other.size());
      for (int i = 0; i < common; i++) {
        assertThat(other.get(i)).as("group %s of %s", i, node.name()).isEqualTo(groups.get(i));
      }
      assertThat(Math.max(groups.size(), other.size()))
          .as("groups of %s and %s", node.name(), nodes.get(0).name())
          .isLessThanOrEqualTo(common + MAX_FURTHER_GROUPS);
      Path otherExport = export(node);
      idsWith(accepted, otherExport);
      if (groups.size() == other.size()) {
        assertThat(Files.mismatch(otherExport, exported))
            .as("export of %s", node.name())
            .isLessThan(0);
      } else {
        System.out.println(node.name() + " has " + other.size() + " groups of " + groups.size());
      }
    }
    return groups.size() + " groups with " + ids.size() + " events are equal on all nodes";
  }

  /** The ids of the events in an export, which must have all accepted ones. */
  private static Set<String> idsWith(List<String> accepted, Path export) throws IOException {
    Set<String> ids = new HashSet<>();
    try (Stream<String> lines = Files.lines(export)) {
      lines.map(ID::matcher).filter(Matcher::find).forEach(it -> ids.add(it.group(1)));
    }
    assertThat(accepted.stream().filter(it -> !ids.contains(it)))
        .as("lost events, by %s", export)
        .isEmpty();
    return ids;
  }

  /** Whether all have answered the same. */
  private static boolean isOne(List<Double> applied) {
    return applied.size() == 1 && applied.get(0) >= 0;
  }

  private static double applied(RelayNode node) {
    return node.metric("gambit_cluster_applied");
  }

  /** The positions of all groups of a node's log, and digests of what must be equal of them. */
  private static List<String> groups(RelayNode node) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    List<String> groups = new ArrayList<>();
    try (Stream<Path> files = Files.walk(node.data())) {
      for (Path file : files.filter(Copies::isSegment).sorted().toList()) {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        int at = FILE_HEAD_BYTES;
        while (at + GROUP_HEAD_BYTES <= bytes.limit() && bytes.getInt(at) == GROUP_MAGIC) {
          int length = bytes.getInt(at + 4);
          digest.update(bytes.slice(at, SAME_BYTES_OF_GROUP_HEAD));
          digest.update(bytes.slice(at + GROUP_HEAD_BYTES, length));
          String place = file.getFileName().toString().substring(0, BASE_DIGITS) + ":" + at + ":";
          groups.add(place + HexFormat.of().formatHex(digest.digest()));
          at += (GROUP_HEAD_BYTES + length + 7) / 8 * 8;
        }
      }
    }
    return groups;
  }

  private static boolean isSegment(Path file) {
    return file.getFileName().toString().matches("[0-9a-f]{16}-[0-9a-f]{8}\\.log");
  }

  private static Path export(RelayNode node) throws IOException {
    Path file = node.data().resolveSibling(node.name() + ".jsonl");
    try (GambitProcess export =
        GambitProcess.run("export", "--data", node.data().toString(), file.toString())) {
      assertThat(export.exitStatus()).as(export.errors()).isZero();
    }
    return file;
  }
}
