package gambit.core.nip;

import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs in one line which authors a change of the policy has banned and which not any more. */
final class BanLog {
  private static final Logger LOG = LoggerFactory.getLogger(BanLog.class);

  /** Further keys are only counted. */
  private static final int MAX_NAMED_KEYS = 10;

  private BanLog() {}

  /** Logs the difference between two sets of banned authors; nothing if there is none. */
  static void changed(Set<PubKey> before, Set<PubKey> after) {
    List<String> parts = new ArrayList<>();
    addDifference(parts, after, before, " added");
    addDifference(parts, before, after, " removed");
    if (!parts.isEmpty()) {
      LOG.info("Banned authors: {}; now {}", String.join(", ", parts), after.size());
    }
  }

  private static void addDifference(
      List<String> parts, Set<PubKey> of, Set<PubKey> without, String verb) {
    List<PubKey> keys =
        of.stream()
            .filter(key -> !without.contains(key))
            .sorted(Comparator.comparing(PubKey::hex))
            .toList();
    if (!keys.isEmpty()) {
      parts.add(keys.size() + verb + " (" + names(keys) + ")");
    }
  }

  private static String names(List<PubKey> keys) {
    String first =
        keys.stream().limit(MAX_NAMED_KEYS).map(Npub::of).collect(Collectors.joining(", "));
    int more = keys.size() - MAX_NAMED_KEYS;
    return more > 0 ? first + " and " + more + " more" : first;
  }
}
