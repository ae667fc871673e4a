package gambit.core.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values are those of nostr-tools, which are NIP-44's where it has them. */
class EncryptionTest {
  private static final String FIRST = "0".repeat(63) + "1";
  private static final byte[] CONVERSATION =
      bytes("c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d");

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void conversationKeyIsThatOfBothSides() {
    Signer one = new Signer(bytes(FIRST));
    Signer two = new Signer(bytes("0".repeat(63) + "2"));
    assertThat(one.conversationKey(two.pubkey())).isEqualTo(CONVERSATION);
    assertThat(two.conversationKey(one.pubkey())).isEqualTo(CONVERSATION);
  }

  @Test
  void noConversationIsPossibleWithAKeyOffTheCurve() {
    PubKey none = PubKey.ofHex("f".repeat(64));
    assertThatThrownBy(() -> Signer.random().conversationKey(none))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "a, 0000000000000000000000000000000000000000000000000000000000000001,"
        + " AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABee0G5VSK0/9YypIObAtDKfYEAjD35uVkHyB0F4DwrcNaCXlCWZKaArsGrY6M9wnuTMxWfp1RTN9Xga8no+kF5Vsb",
    "🍕🫃, f00000000000000000000000000000f00000000000000000000000000000000f,"
        + " AvAAAAAAAAAAAAAAAAAAAPAAAAAAAAAAAAAAAAAAAAAPSKSK6is9ngkX2+cSq85Th16oRTISAOfhStnixqZziKMDvB0QQzgFZdjLTPicCJaV8nDITO+QfaQ61+KbWQIOO2Yj",
  })
  void encryptedTextIsThatOfTheNip(String text, String nonce, String expected) {
    assertThat(Encryption.encrypt(CONVERSATION, bytes(nonce), text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 99, 0e8a6ce106ce2490b23c860062ede9477a59d36163a546809cebe37adb6abd7c",
    "32, 99, 7088919c10e3287121a4da3b318b7f4344653d0a81c125006c861ab6025f9ac9",
    "33, 131, 736ac631471b9570851251ccf76dd974fffbe31eda273f3e129dd4fea2aefa69",
    "64, 131, a7651f38163e15d98841423f6e6bf47b3e0baadd4f9f5c548244b76cd0cdbc67",
    "65, 163, 043b29c4cf8c730a82700af59832360fb7c139ce491cb8da95105a746c9b5584",
    "256, 323, 44c615f039ac84d5042b1aec5015d6af35d4634605745f6ebe2138f3dded21b8",
    "257, 387, 48a1c608dcccefec1de602570d6bc8ff6a1ff4ba9f634dd06077b69ece10b910",
    "384, 451, 4a0e3d7d5892f600e073b3aecf4bce55beaf95e51b6bacdfdec85819af1352e4",
    "1024, 1091, 73cd27ca3d5878f1f70220b36bd54bc7a9c194047894199017686f99a102e657",
    "1025, 1347, 172a8ef4fcc59abb60638a00af5dc8a8c1c7071e037f7f5b4808fa57c7c6885a",
    "65535, 65603, 60736d74b0fd0c7cb5fb1119dccdb511cb05ce18a7fcc52314c626f602a1561b"
  })
  void paddingOfEveryLengthIsThatOfAnotherLibrary(int length, int expectedBytes, String sha256)
      throws Exception {
    String encrypted = Encryption.encrypt(CONVERSATION, bytes(FIRST), "x".repeat(length));
    assertThat(Base64.getDecoder().decode(encrypted)).hasSize(expectedBytes);
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(encrypted.getBytes(StandardCharsets.UTF_8));
    assertThat(HexFormat.of().formatHex(hash)).isEqualTo(sha256);
  }

  @Test
  void textsThatAreEmptyOrTooLongAreRefused() {
    for (String text : new String[] {"", "x".repeat(65_536)}) {
      assertThatThrownBy(() -> Encryption.encrypt(CONVERSATION, bytes(FIRST), text))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void wrapShowsOnlyItsReceiverWhoHasSentIt() throws Exception {
    Signer relay = Keys.of("relay");
    Signer bob = Keys.of("bob");
    long now = 1_700_000_000;
    Event wrap = relay.wrap(bob.pubkey(), "your \"move\"", now, now + 100);
    EventVerifier verifier = new EventVerifier();
    assertThat(verifier.hasValidId(wrap) && verifier.hasValidSignature(wrap)).isTrue();
    assertThat(wrap.kind()).isEqualTo(1059);
    assertThat(wrap.pubkey()).isNotIn(relay.pubkey(), bob.pubkey());
    assertThat(wrap.createdAt()).isBetween(now - 172_800, now);
    assertThat(wrap.tags().first("expiration")).contains("" + (now + 100));
    OpenedWrap opened = OpenedWrap.of(new ObjectMapper().readTree(wrap.toString()), bob);
    assertThat(opened.seal().get("pubkey").asText()).isEqualTo(relay.pubkey().hex());
    assertThat(opened.seal().get("tags")).isEmpty();
    assertThat(opened.message().get("content").asText()).isEqualTo("your \"move\"");
    assertThat(opened.message().get("created_at").asLong()).isEqualTo(now);
    assertThat(opened.message().has("sig")).isFalse();
    assertThatThrownBy(
            () -> OpenedWrap.of(new ObjectMapper().readTree(wrap.toString()), Keys.of("carol")))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void macIsOfOneKeyAndText() {
    byte[] mac = Keys.of("relay").mac("text");
    assertThat(mac).hasSize(32).isEqualTo(Keys.of("relay").mac("text"));
    assertThat(mac).isNotEqualTo(Keys.of("relay").mac("texts"));
    assertThat(mac).isNotEqualTo(Keys.of("bob").mac("text"));
  }
}
