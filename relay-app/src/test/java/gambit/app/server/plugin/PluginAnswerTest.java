package gambit.app.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Dropped;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.wire.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginAnswerTest {
  private static Verdict verdict(String rest) throws PluginFailure {
    PluginAnswer answer =
        PluginAnswer.read("{\"id\":\"ab\",\"action\":" + rest + "}").orElseThrow();
    assertThat(answer.id()).isEqualTo("ab");
    return answer.verdict();
  }

  @Test
  void everyActionHasItsVerdict() throws PluginFailure {
    assertThat(verdict("\"accept\"")).isEqualTo(new Accepted());
    assertThat(verdict("\"accept\",\"msg\":\"ignored\",\"more\":[{}]")).isEqualTo(new Accepted());
    assertThat(verdict("\"shadowReject\"")).isEqualTo(new Dropped());
    assertThat(verdict("\"reject\",\"msg\":\"pow: 20 bits\""))
        .isEqualTo(new Refused(Reason.pow("20 bits")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"rate-limited: slow down\" | rate-limited: slow down",
        "\"auth-required:log in\" | auth-required: log in",
        "\"not on the list\" | blocked: not on the list",
        "\"spam: really\" | blocked: spam: really",
        "\"\" | blocked: refused by the relay's policy",
        "\"blocked:\" | blocked: refused by the relay's policy",
        "\"pow: \" | pow: refused by the relay's policy",
        "\" \" | blocked: refused by the relay's policy",
        "null | blocked: refused by the relay's policy",
        "7 | blocked: refused by the relay's policy"
      })
  void messageBecomesAReasonWithAKnownPrefix(String message, String expected) throws PluginFailure {
    assertThat(verdict("\"reject\",\"msg\":" + message))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).hasToString(expected));
  }

  @Test
  void longMessageIsCutBetweenCharacters() throws PluginFailure {
    assertThat(verdict("\"reject\",\"msg\":\"" + "🙂".repeat(900) + "\""))
        .isEqualTo(new Refused(Reason.blocked("🙂".repeat(500))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "{", "[]", "1", "\"accept\"", "{} {}", "{\"id\":\"ab\"", "\0"})
  void lineThatIsNoJsonObjectIsNoAnswer(String line) throws PluginFailure {
    assertThat(PluginAnswer.read(line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"id\":\"ab\"}",
        "{\"action\":1}",
        "{\"action\":[\"accept\"]}",
        "{\"id\":\"ab\",\"action\":\"ACCEPT\"}"
      })
  void objectWithoutAKnownActionIsAFailure(String line) {
    assertThatThrownBy(() -> PluginAnswer.read(line)).isInstanceOf(PluginFailure.class);
  }

  @Test
  void deeplyNestedLineIsNoAnswer() throws PluginFailure {
    assertThat(PluginAnswer.read("[".repeat(PluginProcess.MAX_LINE_BYTES))).isEmpty();
  }
}
