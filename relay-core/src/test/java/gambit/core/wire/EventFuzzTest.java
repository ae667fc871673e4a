package gambit.core.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.Mutants;
import org.junit.jupiter.api.Test;

/** EVENT and AUTH out of any bytes; {@link EventOracle} judges. */
class EventFuzzTest {

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void anEventIsTakenAsStrictJsonAndTheRulesHaveIt(byte[] frame) {
    EventOracle.read(frame, frame.length);
  }

  @Test
  void soAreMutants() {
    Mutants.feed(getClass(), 20_000, this::anEventIsTakenAsStrictJsonAndTheRulesHaveIt);
  }
}
