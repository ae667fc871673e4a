package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WordAnalyzerTest {
  private final WordAnalyzer analyzer = new WordAnalyzer();

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.of("Best nostr APPS", "best|nostr|apps"),
        Arguments.of("Café, naïve; Zürich Łódź", "cafe|naive|zurich|lodz"),
        Arguments.of("Straße STRASSE", "strasse|strasse"),
        Arguments.of("Ærø œuvre Þing Đorđe", "aero|oeuvre|thing|dorde"),
        Arguments.of("İstanbul ISTANBUL ılık", "istanbul|istanbul|ilik"),
        Arguments.of("ΟΔΟΣ οδός", "οδοσ|οδοσ"),
        Arguments.of("Ёлка", "елка"),
        Arguments.of("ﬁne ｆｕｌｌ", "fine|full"),
        Arguments.of("can't e.g. 3.14", "can't|e.g|3.14"),
        Arguments.of("don\u2019t don\u2018t don\u02bct don\uff07t", "don't|don't|don't|don't"),
        Arguments.of("\u265f \u265f\ufe0f \u265f\ufe0e", "\u265f|\u265f|\u265f"),
        Arguments.of("\uff34\uff45\uff53\uff54 \u2460 \ufb03x", "test|1|ffix"),
        Arguments.of("\uff76\uff9e \u30ac", "\u30ab\u3099|\u30ab\u3099"),
        Arguments.of("#bitcoin @alice $5", "bitcoin|alice|5"),
        Arguments.of("https://a.example/b?c=d", "https|a.example|b|c|d"),
        Arguments.of("日本語", "日|本|語"),
        Arguments.of("チェスの本", "チェス|の|本"),
        Arguments.of("הִנֵּה", "הנה"),
        Arguments.of("مُحَمَّد", "محمد"),
        Arguments.of("हिन्दी", "हिन्दी"),
        Arguments.of("🙂 ok", "🙂|ok"),
        Arguments.of("👍🏽👩‍👩‍👧!", "👍🏽|👩‍👩‍👧"),
        Arguments.of("... --- !!!", ""),
        Arguments.of("x".repeat(300), "x".repeat(255) + "|" + "x".repeat(45)));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textIsDividedIntoFoldedWords(String text, String words) {
    assertThat(String.join("|", analyzer.words(text))).isEqualTo(words);
  }
}
