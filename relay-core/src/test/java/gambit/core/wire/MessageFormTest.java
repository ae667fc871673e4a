package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.wire.MessageForm.Argument;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageFormTest {
  @Test
  void argumentsAreReadInTheOrderOfTheForm() {
    MessageForm form = MessageForm.of("V", Argument.TEXT, Argument.FILTER, Argument.TEXT);
    ClientMessage message = read(form, "[\"V\",\"x\",\"a\",{\"kinds\":[1]},\"b\"]");
    assertThat(message).isInstanceOf(ClientMessage.FeatureMessage.class);
    ClientMessage.FeatureMessage read = (ClientMessage.FeatureMessage) message;
    assertThat(read.id()).isEqualTo("x");
    assertThat(read.texts()).containsExactly("a", "b");
    assertThat(read.filters()).hasSize(1);
    assertThat(read(form, "[\"V\",\"x\",\"a\",\"b\",{}]"))
        .isInstanceOf(ClientMessage.BadFeatureMessage.class);
  }

  private static ClientMessage read(MessageForm form, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new MessageReader(() -> 1, () -> 1, kind -> false, Map.of("V", form), false)
        .read(bytes, bytes.length);
  }

  @Test
  void nothingFollowsAListOfFilters() {
    assertThatThrownBy(() -> MessageForm.of("V", Argument.FILTERS, Argument.TEXT))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
