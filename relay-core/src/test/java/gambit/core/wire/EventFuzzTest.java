package gambit.core.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import org.junit.jupiter.api.Test;

/** EVENT and AUTH out of any bytes; {@link EventOracle} judges. */
class EventFuzzTest {

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void anyBytesAreReadAsTheOracleReadsThem(byte[] frame) {
    EventOracle.check(frame, frame.length);
  }

  @Test
  void mutatedInputsAreReadAsTheOracleReadsThem() {
    MutatedInputs.feed(getClass(), 20_000, this::anyBytesAreReadAsTheOracleReadsThem);
  }
}
