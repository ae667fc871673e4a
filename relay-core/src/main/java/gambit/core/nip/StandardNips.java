package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The NIPs that can be switched off: those that are a feature each, those of storage (9, 40, 62),
 * which {@code StorageRules} implements, and those of features that the program installs (50, 56,
 * 86). Immutable.
 *
 * @param greet whether every client is sent its challenge (NIP-42) as soon as it connects
 * @param difficulty minimum number of leading zero bits of an event's id (NIP-13)
 */
public record StandardNips(Set<Integer> off, boolean greet, int difficulty) {
  private static final Set<Integer> OF_STORAGE = Set.of(9, 40, 62);
  private static final Set<Integer> OF_FURTHER_FEATURES = Set.of(50, 56, 86);

  /** The NIPs that have a switch, in order. */
  public static final SortedSet<Integer> SWITCHES = switches();

  /** The NIP that a NIP requires. */
  private static final Map<Integer, Integer> REQUIREMENTS = new TreeMap<>(Map.of(4, 42, 59, 42));

  public static final StandardNips DEFAULT = new StandardNips(Set.of(50, 67), true, 0);

  public StandardNips {
    off = Set.copyOf(off);
    if (!SWITCHES.containsAll(off)) {
      throw new IllegalArgumentException("only these NIPs have a switch: " + SWITCHES);
    }
    for (Map.Entry<Integer, Integer> need : REQUIREMENTS.entrySet()) {
      if (off.contains(need.getValue()) && !off.contains(need.getKey())) {
        throw new IllegalArgumentException(
            "NIP " + need.getKey() + " needs NIP " + need.getValue());
      }
    }
    if (difficulty < 0 || difficulty > 256) {
      throw new IllegalArgumentException("min_difficulty must be from 0 to 256");
    }
  }

  /**
   * The features of the NIPs that are on, by the settings in force, whose greeting and difficulty
   * may change; a COUNT is refused by name if NIP-45 is off, and a sync if NIP-77 is.
   */
  public List<Feature> features(Supplier<StandardNips> inForce) {
    Map<Integer, Feature> all =
        features(off, () -> inForce.get().greet(), () -> inForce.get().difficulty());
    all.keySet().removeAll(off);
    List<Feature> on = new ArrayList<>(all.values());
    if (off.contains(45)) {
      on.add(new EventCounts(false));
    }
    if (off.contains(77)) {
      on.add(new NegentropySync(false));
    }
    return on;
  }

  private static SortedSet<Integer> switches() {
    SortedSet<Integer> all = new TreeSet<>(OF_STORAGE);
    all.addAll(OF_FURTHER_FEATURES);
    all.addAll(features(Set.of(), () -> true, () -> 0).keySet());
    return Collections.unmodifiableSortedSet(all);
  }

  private static Map<Integer, Feature> features(
      Set<Integer> off, BooleanSupplier greet, IntSupplier difficulty) {
    Map<Integer, Feature> all = new TreeMap<>();
    all.put(4, PrivateMessages.NIP_04);
    all.put(13, new ProofOfWork(difficulty, !off.contains(62)));
    all.put(42, new Authentication(greet));
    all.put(45, new EventCounts(true));
    all.put(59, PrivateMessages.NIP_59);
    all.put(67, StandardNips::hintCompleteness);
    all.put(70, new ProtectedEvents(!off.contains(42)));
    all.put(77, new NegentropySync(true));
    return all;
  }

  /**
   * NIP-67: EOSE states whether all matching events were sent. Off by default, because some clients
   * fail on the third element.
   */
  private static void hintCompleteness(RelayBuilder relay) {
    relay.supports(67);
    relay.completenessHints();
  }

  public Set<Integer> ofStorage() {
    Set<Integer> on = new TreeSet<>(OF_STORAGE);
    on.removeAll(off);
    return on;
  }

  /** The NIPs that need no feature: they follow from NIP-01 and the information document. */
  public static Stream<Integer> always() {
    return Stream.of(1, 2, 11, 28, 65);
  }
}
