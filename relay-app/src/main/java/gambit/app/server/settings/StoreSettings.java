package gambit.app.server.settings;

import gambit.app.server.config.SettingsProblem;
import gambit.app.server.config.SettingsReader;
import gambit.core.ingest.Retention;
import java.util.List;

/**
 * The section {@code store}. Immutable.
 *
 * @param minFreeBytes with less free disk space than this, events of clients are refused
 */
public record StoreSettings(long minFreeBytes, Retention retention) {

  /** Reads the section. */
  static StoreSettings read(SettingsReader store) throws SettingsProblem {
    List<Retention.Rule> rules = store.eachOrFromFile("retention", Retention.Rule::parse);
    long maxBytes = store.bytes("max_bytes");
    return new StoreSettings(
        store.bytes("min_free"), store.check(() -> new Retention(rules, maxBytes)));
  }
}
