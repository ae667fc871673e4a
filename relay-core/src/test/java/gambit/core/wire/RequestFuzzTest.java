package gambit.core.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import org.junit.jupiter.api.Test;

/**
 * Reads any bytes as REQ, CLOSE or the message of a feature and compares with {@link
 * RequestOracle}.
 */
class RequestFuzzTest {

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void anyBytesAreReadAsTheOracleReadsThem(byte[] frame) {
    RequestOracle.check(frame);
  }

  @Test
  void mutatedInputsAreReadAsTheOracleReadsThem() {
    MutatedInputs.feed(getClass(), 6_000, this::anyBytesAreReadAsTheOracleReadsThem);
  }
}
