package gambit.app.server.settings;

import gambit.app.server.config.SettingsReader;
import gambit.core.ingest.Retention;

/** The section {@code store}. Immutable. */
public record StoreSettings(long minFreeBytes, Retention retention) {

  static StoreSettings read(SettingsReader store) {
    return new StoreSettings(
        store.bytes("min_free"),
        store.check(
            () ->
                new Retention(
                    store.eachOrFromFile("retention", Retention.Rule::parse),
                    store.bytes("max_bytes"))));
  }
}
