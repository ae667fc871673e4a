package gambit.app.tool.peers;

import java.time.Duration;
import java.util.List;

/**
 * The settings of synchronization. Immutable.
 *
 * @param interval between two comparisons with a peer
 */
public record SyncSettings(List<PeerSettings> peers, Duration interval) {
  /** The most peers: each has a thread. */
  public static final int MAX_PEERS = 32;

  public static final Duration MIN_INTERVAL = Duration.ofSeconds(10);

  public SyncSettings {
    peers = List.copyOf(peers);
  }
}
