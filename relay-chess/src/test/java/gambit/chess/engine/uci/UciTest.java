package gambit.chess.engine.uci;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UciTest {
  private static final String TWO_ROOKS = "7k/8/8/8/8/R7/1R6/K7 w - - 0 1";
  private static final Pattern INFO =
      Pattern.compile(
          "info depth (?<depth>\\d+) multipv (?<line>\\d+) score (?<score>(?:cp|mate) -?\\d+)"
              + " nodes \\d+ nps \\d+ time \\d+ pv (?<pv>.+)");

  private final List<String> sent = new ArrayList<>();
  private long millis;
  private final Uci uci = new Uci(() -> millis++, sent::add);

  private void receive(String... lines) {
    List.of(lines).forEach(uci::receive);
  }

  private void work() {
    while (uci.work()) {}
  }

  /** The last information on a line, in a group of its form. */
  private String last(int line, String group) {
    String found = "";
    for (String each : sent) {
      Matcher info = INFO.matcher(each);
      if (info.matches() && info.group("line").equals("" + line)) {
        found = info.group(group);
      }
    }
    return found;
  }

  @Test
  void itSaysWhatItIsAndThatItIsReady() {
    receive("uci", "isready");
    assertThat(sent)
        .containsExactly(
            "id name Gambit",
            "id author the Gambit project",
            "option name MultiPV type spin default 1 min 1 max 10",
            "uciok",
            "readyok");
  }

  @Test
  void aMateIsFoundWithItsMoves() {
    receive("position fen " + TWO_ROOKS, "go depth 8");
    work();
    assertThat(last(1, "score")).isEqualTo("mate 2");
    Position end = Position.parseFen(TWO_ROOKS).orElseThrow();
    for (String move : last(1, "pv").split(" ")) {
      end = end.play(Move.parse(move).orElseThrow()).orElseThrow();
    }
    assertThat(end.outcome()).contains(Outcome.CHECKMATE);
    assertThat(sent.get(sent.size() - 1)).isEqualTo("bestmove " + last(1, "pv").split(" ")[0]);
  }

  @Test
  void theScoreOfWhoIsMatedIsNegative() {
    receive("position fen " + TWO_ROOKS + " moves b2b7", "go depth 8");
    work();
    assertThat(last(1, "score")).isEqualTo("mate -1");
  }

  @Test
  void severalLinesBeginWithDifferentMovesInTheOrderOfTheirScores() {
    receive("setoption name multipv value 3", "position startpos moves e2e4 e7e5", "go depth 5");
    work();
    List<Integer> scores = new ArrayList<>();
    List<String> moves = new ArrayList<>();
    for (int line = 1; line <= 3; line++) {
      scores.add(Integer.parseInt(last(line, "score").substring(3)));
      moves.add(last(line, "pv").split(" ")[0]);
      assertThat(last(line, "depth")).isEqualTo("5");
      assertThat(last(line, "pv").split(" ")).hasSizeGreaterThan(1);
    }
    assertThat(moves).doesNotHaveDuplicates();
    assertThat(scores).isSortedAccordingTo((a, b) -> b - a);
  }

  @Test
  void thereAreNoMoreLinesThanLegalMoves() {
    receive("setoption name MultiPV value 10", "position fen 7k/8/8/8/8/8/4q3/7K w - - 0 1");
    receive("go depth 3");
    work();
    assertThat(last(1, "score")).isNotEmpty();
    assertThat(last(2, "score")).isEmpty();
  }

  @Test
  void aSearchEndsInTime() {
    receive("position startpos", "go movetime 50");
    work();
    assertThat(sent.get(sent.size() - 1)).startsWith("bestmove ");
    assertThat(millis).isBetween(50L, 80L);
  }

  @Test
  void anEndlessSearchEndsWithStopOnly() {
    receive("position fen " + TWO_ROOKS, "go infinite");
    work();
    assertThat(sent).isNotEmpty().noneMatch(it -> it.startsWith("bestmove"));
    receive("stop", "stop");
    assertThat(sent).filteredOn(it -> it.startsWith("bestmove")).hasSize(1);
    sent.clear();
    work();
    assertThat(sent).isEmpty();
  }

  @Test
  void aSearchThatIsReplacedHasItsAnswerFirst() {
    receive("go infinite");
    uci.work();
    receive("position fen " + TWO_ROOKS, "go depth 4");
    work();
    assertThat(sent).filteredOn(it -> it.startsWith("bestmove")).hasSize(2);
    assertThat(last(1, "score")).isEqualTo("mate 2");
  }

  @ParameterizedTest
  @CsvSource({
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3, mate 0",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1, cp 0"
  })
  void aGameThatIsOverHasNoMove(String fen, String score) {
    receive("position fen " + fen, "go infinite");
    work();
    receive("stop");
    assertThat(sent).containsExactly("info depth 0 score " + score, "bestmove (none)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "position fen nonsense",
        "position",
        "position fen",
        "position startpos moves e2e5",
        "position startpos moves é"
      })
  void aPositionThatThereIsNotHasNoMove(String line) {
    receive(line, "go depth 3");
    work();
    assertThat(sent).containsExactly("info string There is no such position", "bestmove (none)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "hello", "setoption", "setoption name MultiPV value x", "stop", "quit"})
  void otherLinesHaveNoEffect(String line) {
    receive(line);
    receive("x".repeat(200_000));
    work();
    assertThat(sent).isEmpty();
    receive("go depth 2 movetime 99999999999");
    work();
    assertThat(last(1, "depth")).isEqualTo("2");
  }
}
