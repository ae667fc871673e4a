package gambit.core.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import org.junit.jupiter.api.Test;

/** Reads any bytes as EVENT or AUTH and compares with {@link EventOracle}. */
class EventFuzzTest {

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void anyBytesAreReadAsTheOracleReadsThem(byte[] frame) {
    EventOracle.check(frame, frame.length);
  }

  @Test
  void mutatedInputsAreReadAsTheOracleReadsThem() {
    MutatedInputs.feed(getClass(), 6_000, this::anyBytesAreReadAsTheOracleReadsThem);
  }
}
