package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Nip19Test {
  /** The secret key in the examples of NIP-19. */
  private static final String HEX =
      "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa";

  private static final String NSEC =
      "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";

  private static final String NPROFILE =
      "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p";

  /** The examples of NIP-19. */
  @Test
  void profileAndPublicKeyOfTheExamplesAreRead() {
    PubKey key = PubKey.ofHex("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d");
    assertThat(Nip19.parse(NPROFILE)).contains(key);
    assertThat(Nip19.parse("nostr:" + NPROFILE)).contains(key);
    assertThat(Nip19.parse(NPROFILE.toUpperCase(Locale.ROOT))).contains(key);
    assertThat(Nip19.parse(Nip19.npub(key))).contains(key);
  }

  /** Made with nostr-tools. */
  @ParameterizedTest
  @CsvSource({
    "note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqc,"
        + "4cd665db042864ee600ee976d6cfcc7c5ce743859462f94a347cd970d88a5f3b",
  })
  void noteIsTheIdOfAnEvent(String note, String hex) {
    assertThat(Nip19.parse(note)).contains(EventId.ofHex(hex));
  }

  @Test
  void eventWithRelaysAuthorAndKindIsRead() {
    byte[] id = new byte[32];
    id[31] = 7;
    byte[] relay = "wss://a.example".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    values.write(1);
    values.write(relay.length);
    values.writeBytes(relay);
    values.write(0);
    values.write(32);
    values.writeBytes(id);
    values.write(3);
    values.write(4);
    values.writeBytes(new byte[] {0, 0, 0, 1});
    String nevent = Bech32Texts.encode("nevent", values.toByteArray());
    assertThat(Nip19.parse(nevent)).contains(new EventId(id));
    assertThat(Nip19.parse(Bech32Texts.encode("naddr", values.toByteArray()))).isEmpty();
    assertThat(Nip19.parse(Bech32Texts.encode("nevent", new byte[] {0, 32, 1}))).isEmpty();
    assertThat(Nip19.parse(Bech32Texts.encode("nevent", new byte[] {0}))).isEmpty();
    assertThat(Nip19.parse(Bech32Texts.encode("nevent", new byte[0]))).isEmpty();
    assertThat(Nip19.parse(Bech32Texts.encode("npub", new byte[31]))).isEmpty();
  }

  @Test
  void textWithOneWrongCharacterIsRefused() {
    for (int i = 0; i < NPROFILE.length(); i++) {
      char other = NPROFILE.charAt(i) == 'q' ? 'x' : 'q';
      String wrong = NPROFILE.substring(0, i) + other + NPROFILE.substring(i + 1);
      assertThat(Nip19.parse(wrong)).as(wrong).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "nostr:",
        "npub1",
        "npub",
        "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
      })
  void otherTextIsNeitherAKeyNorAnEvent(String text) {
    assertThat(Nip19.parse(text)).isEmpty();
  }

  /** The examples of NIP-19. */
  @ParameterizedTest
  @CsvSource({
    "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d,"
        + "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6",
    "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e,"
        + "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
  })
  void npubIsEncodedAsInTheExamplesOfNip19(String hex, String npub) {
    assertThat(Nip19.npub(PubKey.ofHex(hex))).isEqualTo(npub);
    assertThat(Nip19.key(npub)).contains(PubKey.ofHex(hex));
    assertThat(Nip19.key(npub.toUpperCase(Locale.ROOT))).contains(PubKey.ofHex(hex));
  }

  @Test
  void aTextWithOneWrongCharacterIsNotAnNpub() {
    String npub = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6";
    for (int i = 0; i < npub.length(); i++) {
      for (char other : new char[] {'q', 'x', 'B', 'é'}) {
        if (npub.charAt(i) != other) {
          String wrong = npub.substring(0, i) + other + npub.substring(i + 1);
          assertThat(Nip19.key(wrong)).as(wrong).isEmpty();
        }
      }
    }
    assertThat(Nip19.key("")).isEmpty();
    assertThat(Nip19.key(npub + "q")).isEmpty();
    assertThat(Nip19.key(npub.substring(1))).isEmpty();
  }

  @Test
  void anNsecIsNotAnNpub() {
    assertThat(Nip19.key("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"))
        .isEmpty();
  }

  @Test
  void nsecIsEncodedAndReadAsInTheExampleOfNip19() {
    assertThat(Nip19.nsec(HexFormat.of().parseHex(HEX))).isEqualTo(NSEC);
    assertThat(Nip19.secretOrHex(NSEC)).contains(HexFormat.of().parseHex(HEX));
  }

  @Test
  void anNpubIsNotAnNsec() {
    assertThat(Nip19.secretOrHex("npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"))
        .isEmpty();
  }
}
