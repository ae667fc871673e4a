package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivedMessageTest {
  private static final Event NOTE =
      Keys.of("alice").sign(1_700_000_000, 1, new Tags(List.of(List.of("t", "]"))), "é \"x\"]");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[\"EVENT\",\"sync-1\",%s]",
        " [ \"EVENT\" , \"sync-1\" , %s ] ",
        "[\"EVENT\",\"sync\\u002d1\",%s]",
        "[\"EVENT\",\"sync-1\",%s,\"more\"]"
      })
  void anEventIsReadHoweverTheMessageIsWritten(String form) throws Exception {
    ReceivedMessage message = ReceivedMessage.parse(form.formatted(NOTE));
    assertThat(message.verb()).isEqualTo("EVENT");
    assertThat(message.id()).isEqualTo("sync-1");
    assertThat(message.event()).contains(NOTE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"id\":\"x\"}", "{}", "7", "[]"})
  void whatIsNoEventIsMissing(String malformed) throws Exception {
    ReceivedMessage message = ReceivedMessage.parse("[\"EVENT\",\"s\",%s]".formatted(malformed));
    assertThat(message.verb()).isEqualTo("EVENT");
    assertThat(message.id()).isEqualTo("s");
    assertThat(message.event()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[\"EVENT\",\"s\",{]", "[\"OK\"", "not JSON"})
  void otherThanJsonIsRefused(String text) {
    assertThatThrownBy(() -> ReceivedMessage.parse(text))
        .isInstanceOf(JsonProcessingException.class);
  }

  @Test
  void elementsThatAreMissingAreEmpty() throws Exception {
    ReceivedMessage message = ReceivedMessage.parse("[\"OK\",\"id\"]");
    assertThat(message.text(3)).isEmpty();
    assertThat(message.isTrue(2)).isFalse();
    assertThat(ReceivedMessage.parse("[\"OK\",\"id\",true,\"a\"]").isTrue(2)).isTrue();
    assertThat(ReceivedMessage.parse("{}").verb()).isEmpty();
  }
}
