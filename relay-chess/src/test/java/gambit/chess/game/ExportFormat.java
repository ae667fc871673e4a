package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

/** The layout of the PGN standard's export format (3.2, 8). */
final class ExportFormat {
  /** Of which the escapes are taken out. */
  private static final Pattern TAG_PAIR = Pattern.compile("\\[[A-Za-z]+ \"[ -!#-\\[\\]-~]*\"]");

  private static final String SAN = " [a-hNBRQKO][-a-h1-8NBRQKOx=+#]*";

  private static final String CLOCK = " \\{\\[%clk [0-9]+:[0-5][0-9]:[0-5][0-9]]}";

  /**
   * White's moves have their number, Black's only if it is the first, or after a comment; either
   * all moves have one or none has.
   */
  private static final Pattern MOVETEXT =
      Pattern.compile(
          "((N\\.{3}SAN )?(N\\.SANSAN )*(N\\.SAN )?|(N\\.{3}SANCLK )?(N\\.SANCLK N\\.{3}SANCLK )*(N\\.SANCLK )?)(1-0|0-1|1/2-1/2|\\*)"
              .replace("N\\", "[0-9]+\\")
              .replace("SAN", SAN)
              .replace("CLK", CLOCK));

  /** The white space between two words; there is none within a comment. */
  private static final Pattern WORD = Pattern.compile("(?<!%clk) ");

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
        String word = WORD.split(line)[0];
        assertThat(lines.get(i - 1).length() + 1 + word.length())
            .as("a full line")
            .isGreaterThan(79);
      }
    }
  }
}
