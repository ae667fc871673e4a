package gambit.core.management;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.crypto.EventVerifier;
import gambit.core.feature.PostHandler.PostRequest;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Call.Caller;
import gambit.core.model.Bytes32;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.rate.ClientAddress;
import gambit.core.testkit.MutatedInputs;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Reads any bytes as a request of management: the header {@code Authorization} up to the first line
 * break, then the body; and the header's text as a name of NIP-19 and as an address.
 */
class ManagementFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpLogins LOGINS =
      new HttpLogins(new RelayUrls(List.of(TestRelay.URL)), new EventVerifier());

  /** When the stored login was made. */
  private static final Instant NOW = Instant.ofEpochSecond(1_767_268_800);

  private static final ClientAddress CLIENT = new ClientAddress(false, 1);

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void anyRequestIsRefusedOrRead(byte[] input) {
    String text = new String(input, StandardCharsets.ISO_8859_1);
    int end = text.indexOf('\n');
    String header = end < 0 ? text : text.substring(0, end);
    byte[] body = (end < 0 ? "" : text.substring(end + 1)).getBytes(StandardCharsets.ISO_8859_1);
    PostRequest request = new PostRequest(CLIENT, "", List.of(header), body);
    if (isValid(request)) {
      requireRightTags(header, body);
    }
    readCall(body);
    readNames(header);
  }

  private static boolean isValid(PostRequest request) {
    try {
      LOGINS.check(request, NOW, key -> {});
      return true;
    } catch (CallRefused e) {
      return false;
    }
  }

  /** What a valid login must have, found out with other readers. */
  private static void requireRightTags(String header, byte[] body) {
    try {
      String base64 = header.strip().split(" +", 2)[1].replace('-', '+').replace('_', '/');
      JsonNode login = JSON.readTree(Base64.getDecoder().decode(base64));
      assertThat(login.get("kind").asInt()).isEqualTo(27_235);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
      assertThat(login.get("tags").toString())
          .contains("[\"method\",\"POST\"")
          .contains("[\"payload\",\"" + HexFormat.of().formatHex(hash) + "\"");
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** Every parameter is read, or refused with a sentence. */
  private static void readCall(byte[] body) {
    try {
      Call call = Call.read(Caller.OPERATOR, body);
      assertThat(JSON.readTree(body).get("method").textValue()).isEqualTo(call.method());
      List<Reading> readings =
          List.of(call::author, call::event, call::kind, call::address, call::reason);
      for (Reading reading : readings) {
        try {
          reading.read();
        } catch (CallRefused e) {
          assertThat(e.getMessage()).isNotBlank();
        }
      }
    } catch (CallRefused e) {
      assertThat(e.getMessage()).startsWith("the body is not ");
    } catch (IOException e) {
      throw new AssertionError("not JSON, although it was read as a call", e);
    }
  }

  private interface Reading {
    Object read() throws CallRefused;
  }

  private static void readNames(String text) {
    Optional<Bytes32> named = Nip19.parse(text);
    if (named.isPresent() && text.toLowerCase(Locale.ROOT).startsWith("npub1")) {
      assertThat(Nip19.npub((PubKey) named.get())).isEqualTo(text.toLowerCase(Locale.ROOT));
    }
    ClientAddress.parse(text)
        .ifPresent(it -> assertThat(ClientAddress.parse(it.toString())).contains(it));
  }

  @Test
  void mutatedRequestsAreRefusedOrRead() {
    MutatedInputs.feed(getClass(), 5_000, this::anyRequestIsRefusedOrRead);
  }

  @Test
  void storedLoginIsValid() throws IOException {
    String text =
        new String(
            ManagementFuzzTest.class
                .getResourceAsStream(
                    "ManagementFuzzTestInputs/anyRequestIsRefusedOrRead/valid-login")
                .readAllBytes(),
            StandardCharsets.UTF_8);
    String[] parts = text.split("\n", 2);
    PostRequest request =
        new PostRequest(CLIENT, "", List.of(parts[0]), parts[1].getBytes(StandardCharsets.UTF_8));
    assertThat(isValid(request)).isTrue();
  }
}
