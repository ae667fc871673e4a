package gambit.app.server.search;

import gambit.app.server.config.SettingsReader;
import gambit.core.model.KindSet;

/** The section {@code search}. Immutable. */
public record SearchSettings(KindSet kinds) {
  public static SearchSettings read(SettingsReader section) {
    KindSet kinds = section.kinds("kinds");
    if (kinds.isEmpty()) {
      throw section.problem("kinds", "expected at least one kind; nips.50 switches search off");
    }
    return new SearchSettings(kinds);
  }
}
