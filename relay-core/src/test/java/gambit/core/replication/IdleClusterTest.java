package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What an idle node sends and asks in a minute: each of these wakes threads, here and elsewhere.
 */
@ExtendWith(SilencedLog.class)
class IdleClusterTest {
  private static final int MINUTE = 60;
  private static final int SEVERAL = 3;

  /** Calls of the bus and the log, by relay and method. */
  private final Map<SimulatedRelay, Map<String, Integer>> calls = new HashMap<>();

  private final Simulation world =
      Simulation.quiet(
          new Defect() {
            @Override
            Bus bus(Bus real, SimulatedRelay relay) {
              return counting(Bus.class, real, relay);
            }

            @Override
            SharedLog log(SharedLog real, SimulatedRelay relay) {
              return counting(SharedLog.class, real, relay);
            }
          });

  private <T> T counting(Class<T> type, T real, SimulatedRelay relay) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls
                  .computeIfAbsent(relay, it -> new HashMap<>())
                  .merge(method.getName(), 1, Integer::sum);
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private int count(SimulatedRelay relay, String method) {
    return calls.get(relay).getOrDefault(method, 0);
  }

  @Test
  void anIdleNodeSendsHeartbeatsAndAsksForTheEndOfTheLog() {
    world.pass(SEVERAL);
    calls.clear();
    world.pass(MINUTE);
    world
        .relays()
        .forEach(
            relay -> {
              int perSecond = relay.node().leads() ? 4 : 1;
              assertThat(count(relay, "sendToAll"))
                  .as("heartbeats of %s", relay)
                  .isBetween(perSecond * (MINUTE - 1), perSecond * MINUTE + 1);
              assertThat(count(relay, "range")).isLessThanOrEqualTo(2 * MINUTE);
              assertThat(count(relay, "append") + count(relay, "send") + count(relay, "seek"))
                  .isZero();
            });
  }
}
