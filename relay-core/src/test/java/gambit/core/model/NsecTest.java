package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class NsecTest {
  /** The example of NIP-19. */
  private static final String HEX =
      "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa";

  private static final String NSEC =
      "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";

  @Test
  void nsecIsEncodedAndReadAsInTheExampleOfNip19() {
    assertThat(Nsec.of(HexFormat.of().parseHex(HEX))).isEqualTo(NSEC);
    assertThat(Nsec.parse(NSEC)).contains(HexFormat.of().parseHex(HEX));
  }

  @Test
  void anNpubIsNotAnNsec() {
    assertThat(Nsec.parse("npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"))
        .isEmpty();
  }
}
