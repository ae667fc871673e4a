package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol pages quote the golden files correctly and name all of them. */
class ProtocolPageTest {
  private static final Pattern QUOTE = Pattern.compile("```frames\n(.*?)```", Pattern.DOTALL);

  /** Of the page for authors of clients, as {@code wc -w} counts. */
  private static final int MAX_WORDS = 3_500;

  @ParameterizedTest
  @ValueSource(strings = {"nip100", "ephemeral", "jester", "lobby"})
  void everyQuotedFrameIsInAGoldenFile(String page) throws IOException {
    List<String> quotes =
        QUOTE
            .matcher(Files.readString(file(page)))
            .results()
            .map(MatchResult::group)
            .map(quote -> quote.substring("```frames\n".length(), quote.length() - "```".length()))
            .toList();
    assertThat(quotes).hasSizeGreaterThan(Set.of("lobby", "jester").contains(page) ? 2 : 10);
    List<Path> files = goldenFiles(page);
    for (String quote : quotes) {
      assertThat(files).as(quote).anyMatch(file -> read(file).contains(quote));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nip100", "ephemeral", "jester", "lobby"})
  void pageNamesExactlyTheGoldenFiles(String page) throws IOException {
    List<String> named =
        Pattern.compile("`([a-z0-9-]+\\.frames)`")
            .matcher(Files.readString(file(page)))
            .results()
            .map(result -> result.group(1))
            .distinct()
            .sorted()
            .toList();
    assertThat(named)
        .isEqualTo(goldenFiles(page).stream().map(file -> "" + file.getFileName()).toList());
  }

  @Test
  void pageForClientsBeginsWithTheRecipeAndStaysShort() throws IOException {
    String page = Files.readString(file("nip100"));
    assertThat(page.lines().filter(line -> line.startsWith("## ")))
        .first()
        .isEqualTo("## A client in seven steps");
    assertThat(page.split("\\s+")).hasSizeLessThanOrEqualTo(MAX_WORDS);
  }

  private static Path file(String page) {
    return Path.of("../docs/protocol/" + page + ".md");
  }

  /** Players with several games have a section of the page about NIP-100. */
  private static List<Path> goldenFiles(String page) {
    List<String> folders = page.equals("nip100") ? List.of("nip100", "several") : List.of(page);
    return folders.stream()
        .flatMap(it -> GoldenFile.listIn(Path.of("src/test/resources/frames/" + it)).stream())
        .sorted(Comparator.comparing(file -> "" + file.getFileName()))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
