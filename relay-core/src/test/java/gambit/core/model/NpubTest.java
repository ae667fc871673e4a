package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpubTest {
  /** The examples of NIP-19. */
  @ParameterizedTest
  @CsvSource({
    "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d,"
        + "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6",
    "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e,"
        + "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
  })
  void npubIsEncodedAsInTheExamplesOfNip19(String hex, String npub) {
    assertThat(Npub.of(PubKey.ofHex(hex))).isEqualTo(npub);
  }
}
