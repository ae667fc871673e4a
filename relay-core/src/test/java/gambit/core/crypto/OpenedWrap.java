package gambit.core.crypto;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/** What the receiver of a gift wrap finds in it. */
public record OpenedWrap(JsonNode seal, JsonNode message) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Opens a gift wrap as its receiver. */
  public static OpenedWrap of(JsonNode wrap, Signer receiver) {
    JsonNode seal = parse(open(wrap, receiver));
    return new OpenedWrap(seal, parse(open(seal, receiver)));
  }

  private static String open(JsonNode event, Signer receiver) {
    PubKey author = PubKey.ofHex(event.get("pubkey").asText());
    return decrypt(receiver.conversationKey(author), event.get("content").asText());
  }

  static String decrypt(byte[] conversationKey, String encrypted) {
    byte[] all = Base64.getDecoder().decode(encrypted);
    byte[] nonce = Arrays.copyOfRange(all, 1, 33);
    byte[] text = Arrays.copyOfRange(all, 33, all.length - 32);
    byte[] keys = Encryption.expand(conversationKey, nonce);
    byte[] mac = Encryption.mac(Arrays.copyOfRange(keys, 44, 76), nonce, text);
    if (all[0] != 2
        || !MessageDigest.isEqual(mac, Arrays.copyOfRange(all, 33 + text.length, all.length))) {
      throw new AssertionError("not encrypted for this receiver");
    }
    ByteBuffer padded = ByteBuffer.wrap(Encryption.chacha(keys, text));
    byte[] decrypted = new byte[Short.toUnsignedInt(padded.getShort())];
    padded.get(decrypted);
    return new String(decrypted, StandardCharsets.UTF_8);
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
