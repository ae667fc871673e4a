package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SearchTextTest {
  private final WordAnalyzer analyzer = new WordAnalyzer();

  static Stream<Arguments> searches() {
    return Stream.of(
        Arguments.of("best  nostr\tapps", "best, nostr, apps"),
        Arguments.of("\"best nostr\" apps", "best nostr, apps"),
        Arguments.of("e4-e5 don't 东京", "e4 e5, don't, 东 京"),
        Arguments.of("\"never closed", "never closed"),
        Arguments.of("a\"b\"c", "a, b, c"),
        Arguments.of("\"\" \" \" * ~ ?", ""),
        Arguments.of("language:en word domain:a.example x-y_z:1", "word"),
        Arguments.of("\"language:en\"", "language:en"),
        Arguments.of("https://a.example 12:30 a: :b", "https a.example, 12 30, a, b"),
        Arguments.of("AND NOT (a OR b)^2 c* d~", "and, not, a, or, b 2, c, d"));
  }

  @ParameterizedTest
  @MethodSource("searches")
  void searchIsReadAsPhrases(String text, String phrases) {
    assertThat(
            SearchText.read(text, analyzer).phrases().stream()
                .map(phrase -> String.join(" ", phrase.words()))
                .collect(Collectors.joining(", ")))
        .isEqualTo(phrases);
  }

  @Test
  void onlyNsfwFalseExcludesEventsWithContentWarnings() {
    assertThat(SearchText.read("a nsfw:false", analyzer).excludesSensitive()).isTrue();
    assertThat(SearchText.read("a nsfw:true", analyzer).excludesSensitive()).isFalse();
    assertThat(SearchText.read("a nsfw false", analyzer).excludesSensitive()).isFalse();
  }
}
