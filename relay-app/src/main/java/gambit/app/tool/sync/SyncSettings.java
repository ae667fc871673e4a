package gambit.app.tool.sync;

import java.time.Duration;
import java.util.List;

/** The settings of synchronization, with the time between two comparisons. Immutable. */
public record SyncSettings(List<PeerSettings> peers, Duration interval) {
  /** The most peers: each has a thread. */
  public static final int MAX_PEERS = 32;

  public static final Duration MIN_INTERVAL = Duration.ofSeconds(10);

  public SyncSettings {
    peers = List.copyOf(peers);
  }
}
