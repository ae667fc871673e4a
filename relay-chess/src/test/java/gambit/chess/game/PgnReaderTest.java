package gambit.chess.game;

import static gambit.chess.game.SampleGames.after;
import static gambit.chess.game.SampleGames.position;
import static gambit.chess.game.SampleGames.randomly;
import static gambit.chess.game.SampleGames.start;
import static gambit.chess.game.SampleGames.timed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PgnReaderTest {

  private static final PgnTags TAGS =
      new PgnTags("A \"casual\" \\game\\", "wss://relay.example/", "npub1white", "npub1black");
  private static final List<String> CONTROLS =
      List.of("-", "300+3", "1/600", "1/86400", "86400+3600");
  private static final List<String> STARTS =
      List.of(
          Position.initial().fen(),
          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "4k3/4p3/8/8/8/8/PPPPP3/4K3 b - - 3 12");

  private static final Game SCHOLARS_MATE = after(start(), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");

  @Property(tries = 150)
  void writtenGameIsReadBackUnchanged(@ForAll long seed) throws PgnException {
    FinishedGame game = anyGame(new Random(seed));
    PgnGame read = PgnReader.read(Pgn.export(TAGS, game));
    OngoingGame last = game.last();
    assertThat(read.initial().fen()).isEqualTo(last.initial().fen());
    assertThat(read.moves().toList()).isEqualTo(last.moves().toList());
    assertThat(read.moves().clocks())
        .containsExactly(
            Arrays.stream(last.moves().clocks()).map(it -> it < 0 ? -1 : it / 10 * 10).toArray());
    assertThat(read.result()).isEqualTo(game.result());
    assertThat(read.tags())
        .containsEntry("Event", TAGS.event())
        .containsEntry("Site", TAGS.site())
        .containsEntry("White", TAGS.white().name())
        .containsEntry("Black", TAGS.black().name())
        .containsEntry("Result", game.result().text())
        .containsEntry("Termination", game.termination().pgn())
        .containsEntry("TimeControl", last.control().text());
  }

  @Property(tries = 50)
  void gameIsReadFromAnyEquivalentText(@ForAll long seed) throws PgnException {
    Random random = new Random(seed);
    PgnGame game = PgnReader.read(Pgn.export(TAGS, anyGame(random)));
    String other = otherText(game, random);
    PgnGame read = PgnReader.read(other);
    assertThat(read.moves()).as(other).isEqualTo(game.moves());
    assertThat(read.initial().fen()).isEqualTo(game.initial().fen());
    assertThat(read.result()).isEqualTo(game.result());
    assertThat(read.tags()).containsAllEntriesOf(game.tags());
  }

  @Property(tries = 20)
  void changedTextIsRefusedOrReadConsistently(@ForAll long seed) throws PgnException {
    Random random = new Random(seed);
    String text = Pgn.export(TAGS, anyGame(random));
    for (int i = 0; i < 20; i++) {
      PgnGame read = readOrNull(changed(text, random));
      if (read != null) {
        PgnGame again = PgnReader.read(Pgn.text(read));
        assertThat(again.moves().toList()).isEqualTo(read.moves().toList());
        assertThat(again.initial().fen()).isEqualTo(read.initial().fen());
        assertThat(again.result()).isEqualTo(read.result());
      }
    }
  }

  /** The scholar's mate, with something of its text written in another way. */
  record Rewording(String old, String replacement) {}

  static Stream<Rewording> rewordings() {
    return Stream.of(
        new Rewording("2. Qh5", "2.Qh5"),
        new Rewording("2. Qh5", "Qh5"),
        new Rewording("2. Qh5", "2 Qh5"),
        new Rewording("2. Qh5", "2... Qh5"),
        new Rewording("e4 e5", "e4 1... e5"),
        new Rewording("e4 e5", "e4 1...e5"),
        new Rewording("e4 e5", "e4 1. ... e5"),
        new Rewording("e4 e5", "e4\n \t\r\n\f e5"),
        new Rewording("e4 e5", "e4 {an opening} {} e5"),
        new Rewording("e4 e5", "e4{an\nopening}e5"),
        new Rewording("e4 e5", "e4 ;an opening (\ne5"),
        new Rewording("e4 e5", "e4\n% escaped [ { \ne5"),
        new Rewording("e4 e5", "e4 $1 e5 $139"),
        new Rewording("e4 e5", "e4! e5?!"),
        new Rewording("e4 e5", "e4 !? e5"),
        new Rewording("e4 e5", "e4 (1. d4 d5 {(} (1... Nf6) 2. c4) e5"),
        new Rewording("e4 e5", "Pe4 e5"),
        new Rewording("Qh5", "Qd1h5"),
        new Rewording("Qxf7#", "Qxf7"),
        new Rewording("Qxf7#", "Qxf7+"),
        new Rewording("Qxf7#", "Qf7"),
        new Rewording("Qxf7#", "Qh5xf7#"),
        new Rewording(" 1-0\n", " 1-0"),
        new Rewording(" 1-0\n", "\n1-0 {Black was mated.}\n\n"),
        new Rewording("[Round \"-\"]\n", ""),
        new Rewording("[Round \"-\"]\n", "[Annotator \"Zo\u00eb\"] [Round\n\"-\" ]"),
        new Rewording("\"]\n\n", "\"]"),
        new Rewording("casual", "casu\u00e4l"),
        new Rewording("[Event", "\ufeff[Event"));
  }

  @ParameterizedTest
  @MethodSource("rewordings")
  void textInImportFormatIsTheSameGame(Rewording rewording) throws PgnException {
    String text = Pgn.export(TAGS, (FinishedGame) SCHOLARS_MATE);
    assertThat(text).containsOnlyOnce(rewording.old());
    PgnGame read = PgnReader.read(text.replace(rewording.old(), rewording.replacement()));
    assertThat(read.moves()).isEqualTo(((FinishedGame) SCHOLARS_MATE).last().moves());
    assertThat(read.result()).isEqualTo(Result.WHITE_WINS);
  }

  @Test
  void ambiguousMoveIsRefused() {
    assertThatThrownBy(() -> PgnReader.read("1. Nf3 a6 2. Nd4 a5 3. Nc3 a4 4. Nb5 *"))
        .hasMessage("ply 7 is not a legal move in SAN: \"Nb5\"");
  }

  @Test
  void tagsAreReadInAnyOrderAndUnknownOnesAreKept() throws PgnException {
    PgnGame read =
        PgnReader.read("[Result \"0-1\"][Opening \"A \\\"long\\\" one\"]\n1. f3 e5 2. g4 Qh4 0-1");
    assertThat(read.tags())
        .containsOnly(Map.entry("Result", "0-1"), Map.entry("Opening", "A \"long\" one"));
    assertThat(read.moves().toString()).isEqualTo("f2f3 e7e5 g2g4 d8h4");
    assertThat(read.moves().clocks()).containsOnly(-1);
  }

  @Test
  void castlingPromotionsAndEnPassantAreRead() throws PgnException {
    String fen = "[SetUp \"1\"] [FEN \"r3k2r/6P1/8/3pP3/8/8/8/R3K2R w KQkq d6 0 30\"]";
    PgnGame read = PgnReader.read(fen + "30. exd6 0-0-0 31. O-O Rxd6 32. gxh8Q+ Kd7 *");
    assertThat(read.moves().toString()).isEqualTo("e5d6 e8c8 e1g1 d8d6 g7h8q c8d7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{[%clk 0:04:57]}|2970",
        "{A good move. [%eval 0.3] [%clk 0:04:57] }|2970",
        "{[%clk 1:02:03.4567]}|37234",
        "{[%clk 0:4:7]}|2470",
        "{[%clk 999999:00:00]}|2147483647",
        "{no clock}|-1",
        "|-1"
      })
  void clockOfAMoveIsReadFromItsComment(@Nullable String comment, int tenths) throws PgnException {
    String text = "1. e4 " + (comment == null ? "" : comment) + " e5 {later} *";
    assertThat(PgnReader.read(text).moves().clocks()).containsExactly(tenths, -1);
  }

  /** Faulty variants of the scholar's mate, and their error messages. */
  record Fault(String old, String replacement, String message) {
    @Override
    public String toString() {
      return replacement.isEmpty() ? "without " + old : replacement;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("Qh5", "Qh6", "ply 3 is not a legal move in SAN: \"Qh6\""),
        new Fault("Qh5", "Qe1h5", "ply 3 is not a legal move in SAN: \"Qe1h5\""),
        new Fault("Qh5", "Qh5+", "ply 3 is not a legal move in SAN: \"Qh5+\""),
        new Fault("Qh5", "Qxh5", "ply 3 is not a legal move in SAN: \"Qxh5\""),
        new Fault("Qh5", "Qh5=Q", "ply 3 is not a legal move in SAN: \"Qh5=Q\""),
        new Fault("Qh5", "d1h5", "ply 3 is not a legal move in SAN: \"d1h5\""),
        new Fault("Qh5", "O-O", "ply 3 is not a legal move in SAN: \"O-O\""),
        new Fault("Qh5", "--", "ply 3 is not a legal move in SAN: \"--\""),
        new Fault("Nf6", "Nf6#", "ply 6 is not a legal move in SAN: \"Nf6#\""),
        new Fault("Qxf7#", "Qxf7# Kxf7", "ply 8 comes after the end of the game"),
        new Fault("2. Qh5", "3. Qh5", "ply 3 has the wrong number: \"3.\""),
        new Fault("e4 e5", "e4 2...e5", "ply 2 has the wrong number: \"2...e5\""),
        new Fault("e4 e5", "e4 {an opening e5", "unterminated comment"),
        new Fault("e4 e5", "e4 } e5", "not a move: \"} e5"),
        new Fault("e4 e5", "e4 (1. d4 {)} e5", "unterminated variation"),
        new Fault("e4 e5", "e4 ) e5", "not a move: \") e5"),
        new Fault("e4 e5", "e4 $ e5", "not a NAG"),
        new Fault("e4 e5", "e4 [Round \"1\"] e5", "not a move: \"[Round"),
        new Fault(" 1-0\n", "\n", "missing result at the end"),
        new Fault(" 1-0\n", " 1-0 1-0", "text after the result: \"1-0\""),
        new Fault(" 1-0\n", " 1-0\n[Event \"?\"]\n*", "not a move: \"[Event"),
        new Fault(" 1-0\n", " 0-1\n", "the tag Result is \"1-0\", and the moves end with 0-1"),
        new Fault("[Round \"-\"]", "[Round \"-\"", "not a tag pair: \"[Round \"-\"\""),
        new Fault("[Round \"-\"]", "[Round \"-]", "not a tag pair: \"[Round \"-]\""),
        new Fault("[Round \"-\"]", "[\"-\"]", "not a tag pair"),
        new Fault("[Round \"-\"]", "[Round]", "not a tag pair"),
        new Fault("[Round \"-\"]", "[Round \"-\"]\n[Round \"-\"]", "duplicate tag: \"Round\""),
        new Fault(
            "[Termination", "[FEN \"8/8\"]\n[SetUp \"1\"]\n[Termination", "FEN is not a position"),
        new Fault("casual", "casu\u0007l", "control characters are not allowed"),
        new Fault("casual", "casu\u009bl", "control characters are not allowed"),
        new Fault("e4 e5", "e4 {[%clk 5:01]} e5", "ply 1 has no readable clock"),
        new Fault("e4 e5", "e4 {[%clk 0:04:61]} e5", "ply 1 has no readable clock"),
        new Fault("e4 e5", "e4 {[%clk -0:05:01]} e5", "ply 1 has no readable clock"),
        new Fault("e4 e5", "e4 {[%clk 9999999999:00:00]} e5", "ply 1 has no readable clock"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void errorIsNamed(Fault fault) {
    String text = Pgn.export(TAGS, (FinishedGame) SCHOLARS_MATE);
    assertThat(text).containsOnlyOnce(fault.old());
    String faulty = text.replace(fault.old(), fault.replacement());
    assertThatThrownBy(() -> PgnReader.read(faulty))
        .isInstanceOf(PgnException.class)
        .hasMessageContaining(fault.message());
  }

  @Test
  void deeplyNestedOrLongTextIsReadWithoutRecursion() {
    for (String part : List.of("(", "{", "[", "\\", "$", "1", "1.", "e", "[a \"", "{[%clk ", ";")) {
      String text = part.repeat(1 << 17);
      for (String start : List.of("", "[Event \"", "1. e4 ")) {
        assertThatThrownBy(() -> PgnReader.read(start + text)).isInstanceOf(PgnException.class);
      }
    }
  }

  @Test
  void emptyTextIsRefused() {
    assertThatThrownBy(() -> PgnReader.read("")).isInstanceOf(PgnException.class);
    assertThatThrownBy(() -> PgnReader.read("\n\n")).isInstanceOf(PgnException.class);
  }

  @Test
  void textLongerThanAnyGameIsRefused() {
    assertThatThrownBy(() -> PgnReader.read(" ".repeat((1 << 20) + 1)))
        .isInstanceOf(PgnException.class)
        .hasMessage("it is longer than any game");
  }

  /** The same game in import format, drawn by lot. */
  private static String otherText(PgnGame game, Random random) {
    StringBuilder text = new StringBuilder();
    List<Map.Entry<String, String>> tags = new ArrayList<>(game.tags().entrySet());
    tags.add(Map.entry("Annotator", "Anybody"));
    Collections.shuffle(tags, random);
    for (Map.Entry<String, String> tag : tags) {
      String value = tag.getValue().replace("\\", "\\\\").replace("\"", "\\\"");
      text.append('[').append(tag.getKey()).append(" \"").append(value).append("\"]");
      text.append(space(random));
    }
    Position position = game.initial();
    int ply = 0;
    for (Move move : game.moves().toList()) {
      int number = position.fullmoveNumber();
      text.append(one(random, "", number + ".", number + ". ", number + "... ", number + " "));
      String san = position.san(move);
      text.append(one(random, san, san, san.replaceFirst("[+#]$", "")));
      text.append(one(random, "", "", "!", " $3", " {good}", "(1. e4 e5)"));
      int tenths = game.moves().clocks()[ply++];
      if (tenths >= 0) {
        int clock = tenths / 10;
        text.append(
            "{ [%%clk %d:%02d:%02d] }".formatted(clock / 3600, clock / 60 % 60, clock % 60));
      }
      text.append(space(random));
      position = position.play(move).orElseThrow();
    }
    return text.append(game.result().text())
        .append(one(random, "", "\n", " {The end.}"))
        .toString();
  }

  private static String space(Random random) {
    return one(random, " ", "\n", "  ", "\r\n", "\t", " ; a comment\n", "\n%escaped\n");
  }

  private static String one(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static FinishedGame anyGame(Random random) {
    String fen = STARTS.get(random.nextInt(STARTS.size()));
    String control = CONTROLS.get(random.nextInt(CONTROLS.size()));
    return resigned(randomly(timed(position(fen), control), random));
  }

  private static FinishedGame resigned(OngoingGame game) {
    return (FinishedGame)
        SampleGames.next(
            game, new Command.Plain(Command.Type.RESIGN, Side.BLACK), game.changedAt());
  }

  /** One character taken out, put in, or replaced. */
  private static String changed(String text, Random random) {
    int at = random.nextInt(text.length());
    String alphabet = "0123456789abcdefghNBRQKOx+#-=./:*{}[]%\" \n\\?";
    String other = "" + alphabet.charAt(random.nextInt(alphabet.length()));
    return switch (random.nextInt(3)) {
      case 0 -> text.substring(0, at) + text.substring(at + 1);
      case 1 -> text.substring(0, at) + other + text.substring(at);
      default -> text.substring(0, at) + other + text.substring(at + 1);
    };
  }

  private static @Nullable PgnGame readOrNull(String text) {
    try {
      return PgnReader.read(text);
    } catch (PgnException e) {
      return null;
    }
  }
}
