package gambit.core.feature;

import gambit.core.model.Event;
import java.util.Optional;

/** Sums up the events that a COUNT finds (NIP-45). One thread at a time. */
public interface Tally {
  /** Takes one more event; none comes twice. */
  void add(Event event);

  /** How many there were. */
  long count();

  /** The HyperLogLog registers in hex, for filters that have them. */
  Optional<String> sketch();
}
