package gambit.core;

import gambit.core.limit.SharedBudget;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.store.EventStore;

/** The gauges of the relay's parts that have no metrics of their own. */
final class RelayMetrics {
  private RelayMetrics() {}

  static void register(Metrics metrics, EventStore store, LiveLane live, SharedBudget syncBytes) {
    metrics.gauge("subscriptions", "Subscriptions open", live::subscriptions);
    metrics.gauge("stored_events", "Events in the store", store::size);
    metrics.gauge("stored_bytes", "Approximate size of the stored events", store::bytes);
    metrics.gauge("sync_bytes", "Bytes that the syncs of clients hold (NIP-77)", syncBytes::used);
    metrics.gauge(
        "store_full",
        "1 while events of clients are refused because less than store.min_free is left, else 0",
        () -> store.hasRoomForClients() ? 0 : 1);
    metrics.gauge(
        "damaged_records",
        "Damaged records found in the store since the start",
        store::damagedRecords);
  }
}
