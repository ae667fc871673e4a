package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

/** The export format of the PGN standard, as far as it concerns the layout (3.2, 8). */
final class ExportFormat {
  /** Of which the escapes are taken out. */
  private static final Pattern TAG_PAIR = Pattern.compile("\\[[A-Za-z]+ \"[ -!#-\\[\\]-~]*\"]");

  private static final String SAN = " [a-hNBRQKO][-a-h1-8NBRQKOx=+#]*";

  /** White's moves have their number, Black's only if it is the first. */
  private static final Pattern MOVETEXT =
      Pattern.compile(
          "([0-9]+\\.{3}SAN )?([0-9]+\\.SANSAN )*([0-9]+\\.SAN )?(1-0|0-1|1/2-1/2|\\*)"
              .replace("SAN", SAN));

  private ExportFormat() {}

  /** Sees that the text keeps to it. */
  static void isKeptBy(String pgn) {
    assertThat(pgn.chars()).allMatch(c -> c == '\n' || c >= ' ' && c <= '~');
    assertThat(pgn).endsWith("\n").doesNotEndWith("\n\n").containsOnlyOnce("\n\n");
    int end = pgn.indexOf("\n\n");
    assertThat(pgn.substring(0, end).lines())
        .map(line -> line.replace("\\\\", "").replace("\\\"", ""))
        .allMatch(line -> TAG_PAIR.matcher(line).matches());
    List<String> lines = pgn.substring(end + 2).lines().toList();
    assertThat(String.join(" ", lines)).matches(MOVETEXT);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      assertThat(line).hasSizeLessThanOrEqualTo(79).isEqualTo(line.strip()).doesNotContain("  ");
      if (i > 0) {
        String word = line.split(" ")[0];
        assertThat(lines.get(i - 1).length() + 1 + word.length())
            .as("a full line")
            .isGreaterThan(79);
      }
    }
  }
}
