package gambit.core.replication;

import gambit.core.live.Delivery;
import gambit.core.store.EventStore;

/** A defect that a cluster has because some of its parts are replaced; by itself, it has none. */
class Defect {
  static final Defect NONE = new Defect();

  /** The shared log of a relay. */
  SharedLog log(SharedLog real, SimulatedRelay relay) {
    return real;
  }

  /** The bus of a relay. */
  Bus bus(Bus real, SimulatedRelay relay) {
    return real;
  }

  /** The store of a relay. */
  EventStore store(EventStore real) {
    return real;
  }

  /** What delivers a relay's output. */
  Delivery delivery(Delivery real) {
    return real;
  }

  /** Whether the log appends entries although it has newer ones. */
  boolean ignoresExpectation() {
    return false;
  }

  /** Whether the referee forgets the last move when it begins. */
  boolean forgetsLastMove() {
    return false;
  }
}
