package gambit.core;

import gambit.core.feature.Commit;
import gambit.core.feature.EventCheck;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.Replication;
import gambit.core.ingest.Writer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The writer as features use it: lasting checks are asked about clients' events again right before
 * they are stored. The relay's own events are exempt. Thread-safe.
 *
 * @param replication null for a relay that has no cluster
 * @param relay the key of the relay
 * @param checks complete once the features are installed
 */
record FeaturePublisher(
    Writer writer,
    @Nullable Replication replication,
    PubKey relay,
    List<EventCheck> checks,
    InstantSource time)
    implements Publisher {
  @Override
  public boolean store(
      Commit commit,
      Function<WriteOutcome, List<Outgoing>> outcome,
      Consumer<WriteOutcome> settled) {
    return (replication != null && replication.forward(commit, outcome, settled))
        || writer.store(commit, () -> isRefused(commit), outcome, settled);
  }

  private boolean isRefused(Commit commit) {
    Instant now = time.instant();
    for (Event event : commit.events()) {
      if (!event.pubkey().equals(relay) && isRefused(event, now)) {
        return true;
      }
    }
    return false;
  }

  private boolean isRefused(Event event, Instant now) {
    for (EventCheck check : checks) {
      if (check.objection(event, now).isPresent()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void send(List<Outgoing> outgoing) {
    writer.send(outgoing);
  }
}
