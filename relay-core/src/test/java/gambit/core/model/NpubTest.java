package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
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
    assertThat(Npub.parse(npub)).contains(PubKey.ofHex(hex));
    assertThat(Npub.parse(npub.toUpperCase(Locale.ROOT))).contains(PubKey.ofHex(hex));
  }

  @Test
  void aTextWithOneWrongCharacterIsNotAnNpub() {
    String npub = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";
    for (int i = 0; i < npub.length(); i++) {
      for (char other : new char[] {'q', 'x', 'B', 'é'}) {
        if (npub.charAt(i) != other) {
          String wrong = npub.substring(0, i) + other + npub.substring(i + 1);
          assertThat(Npub.parse(wrong)).as(wrong).isEmpty();
        }
      }
    }
    assertThat(Npub.parse("")).isEmpty();
    assertThat(Npub.parse(npub + "q")).isEmpty();
    assertThat(Npub.parse(npub.substring(1))).isEmpty();
  }

  @Test
  void anNsecIsNotAnNpub() {
    assertThat(Npub.parse("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"))
        .isEmpty();
  }
}
