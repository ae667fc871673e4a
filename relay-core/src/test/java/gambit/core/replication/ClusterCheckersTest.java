package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Outgoing;
import gambit.core.live.Delivery;
import gambit.core.store.EventStore;
import gambit.core.store.LogGroup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each check of the simulation finds the defect that it is there for. */
@ExtendWith(SilencedLog.class)
class ClusterCheckersTest {
  /** The histories in which a defect must be found. */
  private static final int HISTORIES = 200;

  @Test
  void logThatIgnoresTheExpectationIsFound() {
    assertFound(
        Invariant.LOG_IS_THE_ONLY_ARBITER,
        new Defect() {
          @Override
          boolean ignoresExpectation() {
            return true;
          }
        });
  }

  @Test
  void leaderThatAppendsAfterATakeoverIsFound() {
    assertFound(
        Invariant.DEPOSED_LEADER_IS_SILENT,
        new Defect() {
          @Override
          SharedLog log(SharedLog real, SimulatedRelay relay) {
            return new PersistentLog(real);
          }
        });
  }

  /** Appends an entry at the end of the log, wherever that is. */
  private static final class PersistentLog extends BrokenLog {
    PersistentLog(SharedLog real) {
      super(real);
    }

    @Override
    public void append(long last, byte[] encoded) throws Overtaken, LogUnavailable {
      try {
        super.append(last, encoded);
      } catch (Overtaken e) {
        Entry entry = Entry.decode(encoded);
        long end = range().last();
        LogGroup group = entry.group();
        LogGroup moved = new LogGroup(end + 1, group.offset(), group.count(), group.records());
        Entry again =
            new Entry(entry.epoch(), entry.leader(), entry.millis(), 0, moved, entry.effects());
        super.append(end, again.encode());
      }
    }
  }

  @Test
  void leaderThatDecidesAfterATakeoverIsFound() {
    assertFound(
        Invariant.DEPOSED_LEADER_IS_SILENT,
        new Defect() {
          @Override
          SharedLog log(SharedLog real, SimulatedRelay relay) {
            return new BrokenLog(real) {
              @Override
              public void append(long last, byte[] entry) throws LogUnavailable {
                try {
                  super.append(last, entry);
                } catch (Overtaken e) {
                  // as if it was appended
                }
              }
            };
          }
        });
  }

  @Test
  void answerBeforeTheAcknowledgementIsFound() {
    assertFound(
        Invariant.OK_MEANS_STORED,
        new Defect() {
          @Override
          SharedLog log(SharedLog real, SimulatedRelay relay) {
            return new BrokenLog(real) {
              @Override
              public void append(long last, byte[] entry) throws Overtaken, LogUnavailable {
                if (relay.node().leads()) {
                  relay.after(5_000, () -> appendLate(last, entry));
                } else {
                  super.append(last, entry);
                }
              }

              private void appendLate(long last, byte[] entry) {
                try {
                  super.append(last, entry);
                } catch (Overtaken | LogUnavailable e) {
                  // nobody waits for it
                }
              }
            };
          }
        });
  }

  @Test
  void groupsAppliedInAnotherOrderAreFound() {
    assertFound(
        Invariant.NODES_HAVE_THE_SAME_LOG,
        new Defect() {
          @Override
          EventStore store(EventStore real) {
            return swapping(real);
          }
        });
  }

  /** A store that swaps the last two groups that it is to apply. */
  private static EventStore swapping(EventStore real) {
    return (EventStore)
        Proxy.newProxyInstance(
            ClusterCheckersTest.class.getClassLoader(),
            new Class<?>[] {EventStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("apply")) {
                @SuppressWarnings("unchecked")
                List<LogGroup> groups = (List<LogGroup>) arguments[0];
                return real.apply(swapped(groups));
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static List<LogGroup> swapped(List<LogGroup> groups) {
    if (groups.size() < 2) {
      return groups;
    }
    List<LogGroup> swapped = new ArrayList<>(groups);
    LogGroup one = swapped.remove(swapped.size() - 2);
    LogGroup other = swapped.remove(swapped.size() - 1);
    // each has as many events as records, or else the store notices it
    swapped.add(new LogGroup(one.sequence(), one.offset(), other.count(), other.records()));
    swapped.add(
        new LogGroup(other.sequence(), one.offset() + other.count(), one.count(), one.records()));
    return swapped;
  }

  @Test
  void outputInAnotherOrderIsFound() {
    assertFound(
        Invariant.EXACTLY_ONCE_AND_IN_ORDER,
        changingOutput(
            output -> {
              List<Outgoing> reversed = new ArrayList<>(output);
              Collections.reverse(reversed);
              return reversed;
            }));
  }

  @Test
  void eventThatASubscriptionGetsTwiceIsFound() {
    assertFound(
        Invariant.EXACTLY_ONCE_AND_IN_ORDER, changingOutput(output -> doubled(output, true)));
  }

  @Test
  void verdictThatIsGivenTwiceIsFound() {
    assertFound(
        Invariant.EXACTLY_ONCE_AND_IN_ORDER, changingOutput(output -> doubled(output, false)));
  }

  private static List<Outgoing> doubled(List<Outgoing> output, boolean broadcasts) {
    List<Outgoing> doubled = new ArrayList<>(output);
    output.stream()
        .filter(it -> broadcasts ? it instanceof Outgoing.Broadcast : it instanceof Outgoing.Answer)
        .forEach(doubled::add);
    return doubled;
  }

  @Test
  void eventThatASubscriptionMissesIsFound() {
    assertFound(
        Invariant.EXACTLY_ONCE_AND_IN_ORDER,
        changingOutput(
            output ->
                output.size() == 1 ? output : output.stream().filter(it -> !isThird(it)).toList()));
  }

  private static boolean isThird(Outgoing output) {
    return output instanceof Outgoing.Broadcast it && it.event().id().word(0) % 3 == 0;
  }

  @Test
  void verdictThatIsMissingIsFound() {
    assertFound(
        Invariant.CLUSTER_RECOVERS,
        changingOutput(
            output -> output.stream().filter(it -> !(it instanceof Outgoing.Answer)).toList()));
  }

  private static Defect changingOutput(UnaryOperator<List<Outgoing>> change) {
    return new Defect() {
      @Override
      Delivery delivery(Delivery real) {
        return new BrokenDelivery(real, change);
      }
    };
  }

  @Test
  void eventThatIsForwardedTwiceIsFound() {
    assertFound(
        Invariant.EXACTLY_ONCE_AND_IN_ORDER,
        new Defect() {
          @Override
          Bus bus(Bus real, SimulatedRelay relay) {
            return new DoublingBus(real, relay.number());
          }
        });
  }

  @Test
  void refereeThatForgetsAMoveIsFound() {
    assertFound(
        Invariant.GAMES_DO_NOT_FORK,
        new Defect() {
          @Override
          boolean forgetsLastMove() {
            return true;
          }
        });
  }

  @Test
  void nodeThatServesOldDataIsFound() {
    assertFound(
        Invariant.CUT_OFF_NODE_DOES_NOT_PRETEND,
        new Defect() {
          @Override
          SharedLog log(SharedLog real, SimulatedRelay relay) {
            return new ForgetfulLog(real);
          }
        });
  }

  /** Answers as it did last when it cannot be reached. */
  private static final class ForgetfulLog extends BrokenLog {
    private Range last = new Range(1, 0);

    ForgetfulLog(SharedLog real) {
      super(real);
    }

    @Override
    public Range range() {
      try {
        last = super.range();
      } catch (LogUnavailable e) {
        // it is as it was
      }
      return last;
    }

    @Override
    public List<byte[]> read(long from, Duration wait) throws EntriesGone {
      try {
        return super.read(from, wait);
      } catch (LogUnavailable e) {
        return List.of();
      }
    }
  }

  private static void assertFound(Invariant invariant, Defect defect) {
    Set<Invariant> found = EnumSet.noneOf(Invariant.class);
    for (int seed = 0; seed < HISTORIES && !found.contains(invariant); seed++) {
      try {
        new Simulation(seed, defect).run();
      } catch (Violation e) {
        found.add(e.invariant());
      }
    }
    assertThat(found).contains(invariant);
  }
}
