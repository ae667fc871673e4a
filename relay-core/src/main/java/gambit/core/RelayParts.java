package gambit.core;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.ingest.Retention;
import gambit.core.lane.Deadlines;
import gambit.core.metrics.Metrics;
import gambit.core.model.RelayUrls;
import gambit.core.net.TransportSettings;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import gambit.core.session.Limits;
import gambit.core.store.EventStore;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a relay is made of. Immutable. */
public record RelayParts(
    Identity identity,
    Port port,
    Bounds bounds,
    Storage storage,
    Extensions extensions,
    Environment environment) {

  /**
   * Who the relay is.
   *
   * @param about what the operator says of the relay, by field of NIP-11; an empty text is left out
   * @param urls the relay's own URLs
   */
  public record Identity(
      Map<String, String> about, String version, RelayUrls urls, Signer signer) {}

  /** Where and how the relay listens. */
  public record Port(InetSocketAddress address, TransportSettings transport) {}

  /** What clients may ask for. */
  public record Bounds(Limits limits, RateLimits rates) {}

  /** Where events are kept, and for how long. */
  public record Storage(EventStore store, Retention retention) {}

  /**
   * What the relay can do.
   *
   * @param nips the standard NIPs, as far as they are switched on
   * @param features everything beyond those
   */
  public record Extensions(StandardNips nips, List<Feature> features) {}

  /**
   * What the relay needs of its process.
   *
   * @param onDeath is given the error of a thread that died: the process should end
   */
  public record Environment(
      EventVerifier verifier,
      InstantSource time,
      Deadlines deadlines,
      Metrics metrics,
      Consumer<Throwable> onDeath) {}
}
