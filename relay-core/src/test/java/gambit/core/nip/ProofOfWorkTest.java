package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.EventId;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestRelay;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NIP-13; the golden files have the behaviour of a relay with a difficulty. */
class ProofOfWorkTest {
  /** The example of the NIP. */
  private static final String MINED =
      "{\"id\":\"000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358\","
          + "\"pubkey\":\"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243\","
          + "\"created_at\":1651794653,\"kind\":1,\"tags\":[[\"nonce\",\"776797\",\"20\"]],"
          + "\"content\":\"It's just me mining my own business\","
          + "\"sig\":\"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0"
          + "c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977\"}";

  @ParameterizedTest
  @CsvSource({
    "000000000e9d97a1ab09fc381030b346cdd7a142ad57e6df0b46dc9bef6c7e2d, 36",
    "002f000000000000000000000000000000000000000000000000000000000000, 10",
    "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358, 21",
    "8000000000000000000000000000000000000000000000000000000000000000, 0",
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff, 1",
    "0000000000000000000000000000000000000000000000000000000000000001, 255",
    "0000000000000000000000000000000000000000000000000000000000000000, 256"
  })
  void difficultyIsTheNumberOfLeadingZeroBits(String id, int bits) {
    assertThat(ProofOfWork.leadingZeros(EventId.ofHex(id))).isEqualTo(bits);
  }

  @Property
  void difficultyEqualsThatOfTheCodeInNip13(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    for (int i = random.nextInt(33); i > 0; i--) {
      bytes[i - 1] = 0;
    }
    EventId id = new EventId(bytes);
    int count = 0;
    for (char digit : id.hex().toCharArray()) {
      int nibble = Character.digit(digit, 16);
      if (nibble != 0) {
        count += Integer.numberOfLeadingZeros(nibble) - 28;
        break;
      }
      count += 4;
    }
    assertThat(ProofOfWork.leadingZeros(id)).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "20 | true | ''",
        "21 | false | pow: the nonce commits to less than difficulty 21",
        "22 | false | pow: difficulty 21 is less than 22"
      })
  void exampleOfNip13IsAcceptedUpToItsCommittedDifficulty(
      int difficulty, boolean taken, String answer) {
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(67), true, difficulty));
        Client client = relay.connect()) {
      client.send("[\"EVENT\"," + MINED + "]");
      var ok = client.nextJson();
      assertThat(ok.get(2).asBoolean()).isEqualTo(taken);
      assertThat(ok.get(3).asText()).isEqualTo(answer);
    }
  }

  @Test
  void requiredDifficultyIsInTheInformationDocument() {
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(67), true, 20))) {
      var limitation = relay.information().get("limitation");
      assertThat(limitation.get("min_pow_difficulty").asInt()).isEqualTo(20);
      assertThat(limitation.get("restricted_writes").asBoolean()).isTrue();
    }
    try (TestRelay relay = new TestRelay()) {
      var limitation = relay.information().get("limitation");
      assertThat(limitation.get("min_pow_difficulty").asInt()).isZero();
      assertThat(limitation.get("restricted_writes").asBoolean()).isFalse();
    }
  }
}
