package gambit.app.server.settings;

import gambit.app.server.config.SettingsProblem;
import gambit.app.server.config.SettingsReader;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.Authors;
import gambit.core.nip.AdmissionPolicy.Kinds;
import gambit.core.nip.AdmissionPolicy.Writers;
import gambit.core.nip.ReadPolicy;
import gambit.core.nip.SizeRule;
import gambit.core.nip.StandardNips;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Reads the sections {@code admission} and {@code reads}, the operator's policies. */
final class PolicySections {
  private PolicySections() {}

  static AdmissionPolicy admission(SettingsReader section) throws SettingsProblem {
    Duration maxAge = section.duration("max_age");
    if (maxAge.isNegative()) {
      throw section.problem("max_age", "expected a time that is not negative");
    }
    Kinds kinds = new Kinds(onlyThese(section, "kinds"), section.kinds("refused_kinds"));
    Set<PubKey> accepted = onlyThesePubkeys(section, "pubkeys");
    Set<PubKey> refused = section.pubkeys("refused_pubkeys");
    Set<PubKey> trusted = section.pubkeys("trusted");
    List<SizeRule> sizes = section.eachOrFromFile("max_bytes", SizeRule::parse);
    boolean mustLogIn = section.bool("require_auth");
    Set<PubKey> writers = onlyThesePubkeys(section, "writers");
    KindSet openKinds = section.kinds("open_kinds");
    return section.check(
        () ->
            new AdmissionPolicy(
                kinds,
                new Authors(accepted, refused, trusted),
                maxAge.toSeconds(),
                sizes,
                new Writers(mustLogIn, writers, openKinds)));
  }

  static ReadPolicy reads(SettingsReader section) throws SettingsProblem {
    KindSet kinds = onlyThese(section, "auth_kinds");
    Set<PubKey> readers = onlyThesePubkeys(section, "readers");
    return section.check(() -> new ReadPolicy(kinds, readers));
  }

  private static KindSet onlyThese(SettingsReader section, String key) throws SettingsProblem {
    KindSet kinds = section.kinds(key);
    requireItems(section, key, kinds.isEmpty());
    return kinds;
  }

  private static Set<PubKey> onlyThesePubkeys(SettingsReader section, String key)
      throws SettingsProblem {
    Set<PubKey> pubkeys = section.pubkeys(key);
    requireItems(section, key, pubkeys.isEmpty());
    return pubkeys;
  }

  /** An empty list means everybody or everything; an empty file is more likely a mistake. */
  private static void requireItems(SettingsReader section, String key, boolean isEmpty)
      throws SettingsProblem {
    if (isEmpty && !section.texts(key).isEmpty()) {
      throw section.problem(key, "expected a file with at least one item; [] restricts nothing");
    }
  }

  /** Policies on logins need logins. */
  static void requireLogins(
      SettingsReader all, StandardNips nips, AdmissionPolicy admission, ReadPolicy reads)
      throws SettingsProblem {
    if (!nips.off().contains(42)) {
      return;
    }
    if (admission.writers().needLogin()) {
      throw all.conflict(
          "admission.require_auth and admission.writers need logins (nips.42)",
          "nips.42",
          "admission.require_auth",
          "admission.writers");
    }
    if (!reads.kinds().isEmpty()) {
      throw all.conflict("reads.auth_kinds needs logins (nips.42)", "nips.42", "reads.auth_kinds");
    }
  }
}
