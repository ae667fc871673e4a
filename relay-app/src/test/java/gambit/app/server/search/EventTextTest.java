package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {
  private static final Signer ALICE = Keys.of("alice");

  private static EventText text(int kind, String content, List<List<String>> tags) {
    Event event = ALICE.sign(1, kind, new Tags(tags), content);
    return EventText.of(event);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no JSON", "{\"name\":", "[1]", "5", "{\"name\":{\"a\":1}}"})
  void profileThatIsNoObjectWithNamesHasNoText(String content) {
    assertThat(text(0, content, List.of()).all().strip()).isEmpty();
  }

  @Test
  void deeplyNestedProfileHasNoText() {
    assertThat(text(0, "[".repeat(50_000), List.of()).all().strip()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[", "[White", "[White \"", "[White \"a", "[White \"a\"", "1. e4", "[\"a\"]"})
  void incompleteGameHasNoText(String pgn) {
    assertThat(text(64, pgn, List.of()).all().strip()).isEmpty();
  }

  @Test
  void valuesOfGamesAreUnescapedAndTheMovesAreLeftOut() {
    EventText text =
        text(
            64,
            " [White \"a \\\"b\\\" \\\\c\"]\r\n[Black \"d\"] [Round \"7\"]\n[ECO \"C33\"]\n\n1. e4",
            List.of());
    assertThat(text.title()).isEqualTo("a \"b\" \\c\nd");
    assertThat(text.body()).isEqualTo("C33");
  }

  @Test
  void textBeyondTheMaximumLengthIsLeftOutWithoutSplittingACharacter() {
    String most = "x".repeat(EventText.MAX_LENGTH - 1);
    assertThat(text(1, most + "yz", List.of()).body()).isEqualTo(most + "y");
    assertThat(text(1, most + "🙂", List.of()).body()).isEqualTo(most);
  }

  @Test
  void otherKindsHaveTitleSummaryContentAndTopics() {
    EventText text =
        text(
            30_402,
            "for sale",
            List.of(
                List.of("title", "A clock"),
                List.of("summary", "digital"),
                List.of("title"),
                List.of("t", "chess"),
                List.of("t"),
                List.of("p", "ignored")));
    assertThat(text.title()).isEqualTo("A clock");
    assertThat(text.body()).isEqualTo("digital\nfor sale\nchess");
  }
}
