package gambit.chess.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/protocol/nip100.md} shows what the golden files show. */
class ProtocolPageTest {
  private static final Path PAGE = Path.of("../docs/protocol/nip100.md");
  private static final Path FRAMES = Path.of("src/test/resources/frames/nip100");
  private static final Pattern QUOTE = Pattern.compile("```frames\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyQuoteStandsInAGoldenFile() throws IOException {
    List<String> quotes =
        QUOTE
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .map(quote -> quote.substring("```frames\n".length(), quote.length() - "```".length()))
            .toList();
    assertThat(quotes).hasSizeGreaterThan(10);
    List<Path> files = Golden.in(FRAMES);
    for (String quote : quotes) {
      assertThat(files).as(quote).anyMatch(file -> read(file).contains(quote));
    }
  }

  @Test
  void everyGoldenFileIsNamedOnThePageAndNoOther() throws IOException {
    List<String> named =
        Pattern.compile("`([a-z0-9-]+\\.frames)`")
            .matcher(Files.readString(PAGE))
            .results()
            .map(result -> result.group(1))
            .distinct()
            .sorted()
            .toList();
    assertThat(named)
        .isEqualTo(Golden.in(FRAMES).stream().map(file -> "" + file.getFileName()).toList());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
