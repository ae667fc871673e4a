package gambit.app.tool.sync;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.app.tool.peers.PeerSettings;
import gambit.core.log.LimitedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The time up to which nothing is left to be moved from and to each peer, in a file with a line for
 * each: the Unix time in seconds, and the peer as in the setting. A file that is lost or damaged
 * only costs time. Thread-safe.
 */
final class Checkpoints {
  private static final LimitedLog LOG = LimitedLog.of(Checkpoints.class);
  private static final int MAX_FILE_BYTES = 1 << 20;

  private final Path file;

  @GuardedBy("this")
  private final Map<String, Long> seconds = new TreeMap<>();

  Checkpoints(Path file) {
    this.file = file;
    try {
      if (Files.isRegularFile(file) && Files.size(file) <= MAX_FILE_BYTES) {
        Files.readAllLines(file).forEach(this::read);
      }
    } catch (IOException e) {
      LOG.warn("Cannot read {}; peers without NIP-77 are read from the beginning: {}", file, e);
    }
  }

  private synchronized void read(String line) {
    String[] parts = line.split(" ", 2);
    if (parts.length == 2 && parts[0].matches("[0-9]{1,12}")) {
      seconds.put(parts[1], Long.parseLong(parts[0]));
    }
  }

  synchronized Optional<Long> of(PeerSettings peer) {
    return Optional.ofNullable(seconds.get(peer.text()));
  }

  synchronized void set(PeerSettings peer, long time) {
    seconds.put(peer.text(), time);
    write();
  }

  /** Forgets the peers that are not configured any more. */
  synchronized void keepOnly(List<PeerSettings> peers) {
    Set<String> kept = peers.stream().map(PeerSettings::text).collect(Collectors.toSet());
    if (seconds.keySet().retainAll(kept)) {
      write();
    }
  }

  @GuardedBy("this")
  private void write() {
    StringBuilder lines = new StringBuilder();
    seconds.forEach((peer, since) -> lines.append(since + " " + peer + "\n"));
    try {
      OutputFile.write(file, lines.toString());
    } catch (IOException e) {
      LOG.warn("Cannot write {}: {}", file, ErrorMessages.of(e));
    }
  }
}
