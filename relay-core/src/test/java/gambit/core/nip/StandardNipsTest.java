package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The switches of the NIPs. The golden files {@code nipNN/off.frames} show a relay without each
 * NIP.
 */
class StandardNipsTest {
  private static final Set<Integer> ALL =
      Set.of(1, 2, 4, 9, 11, 13, 17, 28, 40, 42, 45, 59, 62, 65, 67, 70, 77);

  static Stream<Arguments> switches() {
    return Stream.of(
        Arguments.of(Set.of(), Set.of()),
        Arguments.of(Set.of(67), Set.of(67)),
        Arguments.of(Set.of(4), Set.of(4)),
        Arguments.of(Set.of(9), Set.of(9)),
        Arguments.of(Set.of(13), Set.of(13)),
        Arguments.of(Set.of(40), Set.of(40)),
        Arguments.of(Set.of(45), Set.of(45)),
        Arguments.of(Set.of(59), Set.of(17, 59)),
        Arguments.of(Set.of(62), Set.of(62)),
        Arguments.of(Set.of(70), Set.of(70)),
        Arguments.of(Set.of(77), Set.of(77)),
        Arguments.of(Set.of(4, 42, 59), Set.of(4, 17, 42, 59)),
        Arguments.of(
            Set.of(4, 9, 13, 40, 42, 45, 59, 62, 67, 70, 77),
            Set.of(4, 9, 13, 17, 40, 42, 45, 59, 62, 67, 70, 77)));
  }

  @ParameterizedTest(name = "without {0}")
  @MethodSource("switches")
  void informationDocumentListsExactlyTheEnabledNips(Set<Integer> off, Set<Integer> missing) {
    Set<Integer> expected = new TreeSet<>(ALL);
    expected.removeAll(missing);
    try (TestRelay relay = new TestRelay(new StandardNips(off, true, 0))) {
      assertThat(relay.information().get("supported_nips").toString())
          .isEqualTo(expected.toString().replace(" ", ""));
    }
  }

  @Test
  void nips50And67AreOffByDefaultAndEveryClientIsChallenged() {
    assertThat(StandardNips.DEFAULT).isEqualTo(new StandardNips(Set.of(50, 67), true, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 11, 17, 28, 65, 100, 0, -1})
  void nipsThatAreNotOptionalHaveNoSwitch(int nip) {
    assertThatThrownBy(() -> new StandardNips(Set.of(nip), true, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "only these NIPs have a switch: [4, 9, 13, 40, 42, 45, 50, 56, 59, 62, 67, 70, 77, 86]");
  }

  @Test
  void privateMessagesRequireNip42() {
    assertThatThrownBy(() -> new StandardNips(Set.of(42, 59), true, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NIP 4 needs NIP 42");
    assertThatThrownBy(() -> new StandardNips(Set.of(42, 4), true, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NIP 59 needs NIP 42");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 257, Integer.MAX_VALUE})
  void impossibleDifficultyIsRefused(int difficulty) {
    assertThatThrownBy(() -> new StandardNips(Set.of(), true, difficulty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("min_difficulty must be from 0 to 256");
  }

  @Test
  void limitsInTheInformationDocumentAreTheEnforcedOnes() {
    LimitValues limits =
        TestLimits.builder()
            .set(Limit.MESSAGE_BYTES, 4096)
            .set(Limit.EVENT_TAGS, 3)
            .set(Limit.TAG_VALUE_LENGTH, 100)
            .set(Limit.SUBSCRIPTIONS, 7)
            .set(Limit.FILTERS, 5)
            .set(Limit.FILTER_VALUES, 10)
            .set(Limit.DEFAULT_LIMIT, 4)
            .set(Limit.MAX_LIMIT, 6)
            .set(Limit.SECONDS_AHEAD, 901)
            .build();
    try (TestRelay relay = new TestRelay(limits, new MemoryEventStore(1 << 20))) {
      JsonNode limitation = relay.information().get("limitation");
      assertThat(limitation)
          .isEqualTo(
              gambit.core.testkit.Client.parse(
                  "{\"max_message_length\":4096,\"max_subscriptions\":7,\"max_filters\":5,"
                      + "\"max_filter_values\":10,\"max_limit\":6,\"max_subid_length\":64,"
                      + "\"max_event_tags\":3,\"max_tag_value_length\":100,"
                      + "\"created_at_upper_limit\":901,\"default_limit\":4,"
                      + "\"auth_required\":false,\"payment_required\":false,"
                      + "\"restricted_writes\":false,\"min_pow_difficulty\":0}"));
    }
  }

  /** Then they are events like others, which would be a way around the work. */
  @Test
  void requestsToVanishNeedWorkWhenNip62IsOff() {
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(62), true, 200));
        var client = relay.connect()) {
      var everywhere = new gambit.core.model.Tags(List.of(List.of("relay", "ALL_RELAYS")));
      assertThat(
              client.answerTo(
                  gambit.core.testkit.Keys.of("alice").sign(relay.now(), 62, everywhere, "")))
          .startsWith("pow: difficulty ");
    }
  }

  @Test
  void difficultyIsNeitherListedNorRequiredWhenNip13IsOff() {
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(13), true, 200));
        var client = relay.connect()) {
      assertThat(relay.information().get("limitation").has("min_pow_difficulty")).isFalse();
      client.publishAccepted(
          gambit.core.testkit.Keys.of("alice")
              .sign(relay.now(), 1, new gambit.core.model.Tags(List.of()), "not mined"));
    }
  }
}
