package gambit.app.settings;

import gambit.app.config.SettingsProblem;
import gambit.app.config.SettingsReader;
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
    List<Retention.Rule> rules = store.each("retention", Retention.Rule::parse);
    return new StoreSettings(
        store.bytes("min_free"), new Retention(rules, store.bytes("max_bytes")));
  }
}
