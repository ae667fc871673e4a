package gambit.chess.game;

import static gambit.chess.game.Games.after;
import static gambit.chess.game.Games.position;
import static gambit.chess.game.Games.randomly;
import static gambit.chess.game.Games.start;
import static gambit.chess.game.Games.timed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PgnReaderTest {

  private static final PgnTags TAGS =
      new PgnTags("A \"casual\" \\game\\", "wss://relay.example/", "npub1white", "npub1black");
  private static final List<String> CONTROLS =
      List.of("-", "300+3", "1/600", "1/86400", "86400+3600");
  private static final List<String> STARTS =
      List.of(
          Rules.initial().fen(),
          "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
          "4k3/4p3/8/8/8/8/PPPPP3/4K3 b - - 3 12");

  @Property(tries = 150)
  void whatIsWrittenIsReadAsTheSameGame(@ForAll long seed) throws PgnException {
    Over game = anyGame(new Random(seed));
    PgnGame read = PgnReader.read(Pgn.export(TAGS, game));
    Playing last = game.last();
    assertThat(read.initial().fen()).isEqualTo(last.initial().fen());
    assertThat(read.moves().toList()).isEqualTo(last.moves().toList());
    assertThat(read.moves().clocks())
        .containsExactly(
            Arrays.stream(last.moves().clocks()).map(it -> it < 0 ? -1 : it / 10 * 10).toArray());
    assertThat(read.result()).isEqualTo(game.result());
    assertThat(read.tags())
        .containsEntry("Event", TAGS.event())
        .containsEntry("Site", TAGS.site())
        .containsEntry("White", TAGS.white())
        .containsEntry("Black", TAGS.black())
        .containsEntry("Result", game.result().text())
        .containsEntry("Termination", game.termination().pgn())
        .containsEntry("TimeControl", last.control().text());
  }

  @Property(tries = 100)
  void whateverIsChangedIsAnotherGameOrNone(@ForAll long seed) throws PgnException {
    Random random = new Random(seed);
    String text = Pgn.export(TAGS, anyGame(random));
    PgnGame game = PgnReader.read(text);
    for (int i = 0; i < 50; i++) {
      String changed = changed(text, random);
      PgnGame other = readOrNull(changed);
      if (other != null && !changed.equals(text)) {
        assertThat(
                other.tags().equals(game.tags())
                    && other.moves().equals(game.moves())
                    && other.result() == game.result())
            .as(changed)
            .isFalse();
      }
    }
  }

  /** What is wrong with the scholar's mate, and what is said about it. */
  record Fault(String old, String replacement, String message) {
    @Override
    public String toString() {
      return replacement.isEmpty() ? "without " + old : replacement;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        new Fault("Qh5", "Qh6", "ply 3 is no legal move in its SAN: \"Qh6\""),
        new Fault("Qh5", "Qd1h5", "ply 3 is no legal move in its SAN: \"Qd1h5\""),
        new Fault("Qh5", "Qh5+", "ply 3 is no legal move in its SAN: \"Qh5+\""),
        new Fault("Qh5", "d1h5", "ply 3 is no legal move in its SAN: \"d1h5\""),
        new Fault("Qxf7#", "Qxf7", "ply 7 is no legal move in its SAN: \"Qxf7\""),
        new Fault("Qxf7#", "Qxf7# Kxf7", "ply 8 comes after the end of the game"),
        new Fault(
            "2. Qh5",
            "3. Qh5",
            "line 13 is \"1. e4 e5 3. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\""
                + " and should be \"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\""),
        new Fault("1. e4 e5", "1. e4 1... e5", "line 13 is"),
        new Fault("2. Qh5", "2.Qh5", "ply 3 is no legal move"),
        new Fault("e4 e5", "e4  e5", "line 13 is"),
        new Fault("e4 e5", "e4\ne5", "line 13 is \"1. e4\" and"),
        new Fault("e5", "e5 {[%clk 0:01:00]}", "ply 3 is no legal move in its SAN: \"{[%clk\""),
        new Fault("e5", "e5 $1", "ply 3 is no legal move"),
        new Fault("e5", "e5 (1... c5)", "ply 3 is no legal move"),
        new Fault(" 1-0\n", "\n", "there is no result at the end"),
        new Fault(" 1-0\n", " 1-0", "line 14 is missing and should be \"\""),
        new Fault(" 1-0\n", " 1-0\n\n", "line 15 is \"\" and should be missing"),
        new Fault(" 1-0\n", " 0-1\n", "line 7 is \"[Result \"1-0\"]\""),
        new Fault("\"]\n\n", "\"]\n", "there is no empty line between tags and moves"),
        new Fault("\"]\n\n", "\"]\n\n\n", "line 13 is \"\""),
        new Fault("[Round \"-\"]\n", "", "line 4 is"),
        new Fault("[Round \"-\"]", "[Round \"1\"]", "line 4 is \"[Round \"1\"]\""),
        new Fault("[Round \"-\"]", "[Round \"-\"", "no tag pair: \"[Round \"-\"\""),
        new Fault("[Round \"-\"]", "[Round \"-\"] ", "no tag pair"),
        new Fault("[Round \"-\"]", "[Round \"-\"]\n[Round \"-\"]", "twice the same tag"),
        new Fault("[Round \"-\"]", "[Annotator \"x\"]\n[Round \"-\"]", "line 4 is"),
        new Fault("[Event \"A \\\"", "[Event \"A \"", "line 1 is"),
        new Fault("White \"npub1white\"", "Whyte \"npub1white\"", "there is no tag White"),
        new Fault("2026.03.01\"]\n[Round", "2026.03.02\"]\n[Round", "line 3 is"),
        new Fault("[UTCDate \"2026.03.01", "[UTCDate \"2026.02.30", "UTCDate and UTCTime are no"),
        new Fault("\"normal\"", "\"adjudication\"", "Termination is none of the known"),
        new Fault("[TimeControl \"-", "[TimeControl \"40/7200", "TimeControl is none"),
        new Fault("[TimeControl \"-", "[TimeControl \"60", "ply 1 has no clock"),
        new Fault(
            "[Termination", "[FEN \"8/8\"]\n[SetUp \"1\"]\n[Termination", "FEN is no position"),
        new Fault("casual", "casu\u00e4l", "not printable ASCII"),
        new Fault("casual", "casu\u0007l", "not printable ASCII"),
        new Fault("e4 e5", "e4\r\ne5", "not printable ASCII"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFaultIsNamed(Fault fault) {
    Game mate = after(start(), "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    String text = Pgn.export(TAGS, (Over) mate);
    assertThat(text).containsOnlyOnce(fault.old());
    String faulty = text.replace(fault.old(), fault.replacement());
    assertThatThrownBy(() -> PgnReader.read(faulty))
        .isInstanceOf(PgnException.class)
        .hasMessageContaining(fault.message());
  }

  static Stream<Fault> faultsOfClocks() {
    return Stream.of(
        new Fault(" {[%clk 0:05:01]}", "", "ply 3 has no clock"),
        new Fault("0:05:01", "0:5:01", "line 13 is"),
        new Fault("0:05:01", "00:05:01", "line 13 is"),
        new Fault("0:05:01", "0:04:61", "line 13 is"),
        new Fault("0:05:01", "5:01", "ply 3 has no clock"),
        new Fault("0:05:01", "0:05:01.5", "ply 3 has no clock"),
        new Fault("0:05:01", "-0:05:01", "ply 3 has no clock"),
        new Fault("0:05:01", "999999:00:00", "ply 3 has no clock"),
        new Fault("0:05:01", "9999999999:00:00", "ply 3 has no clock"),
        new Fault("{[%clk 0:05:01]}", "{[%clk 0:05:01]", "ply 3 has no clock"),
        new Fault("{[%clk 0:05:01]}", "{[%emt 0:05:01]}", "ply 3 has no clock"),
        new Fault("{[%clk 0:05:01]} 1-0", "1-0", "ply 3 has no clock"),
        new Fault("1... ", "", "line 13 is"));
  }

  @ParameterizedTest
  @MethodSource("faultsOfClocks")
  void aFaultOfAClockIsNamed(Fault fault) {
    Game game = timed("300+1");
    for (String uci : List.of("e2e4", "e7e5", "g1f3")) {
      game = Games.next(game, Games.play(((Playing) game).turn(), uci), Games.START);
    }
    String text = Pgn.export(TAGS, resigned((Playing) game));
    assertThat(text).containsOnlyOnce(fault.old());
    String faulty = text.replace(fault.old(), fault.replacement());
    assertThatThrownBy(() -> PgnReader.read(faulty))
        .isInstanceOf(PgnException.class)
        .hasMessageContaining(fault.message());
  }

  @Test
  void aLineOfEightyCharactersIsRefused() throws PgnException {
    Playing game = Games.still(start(), "g1f3 g8f6 b1c3 b8c6 e2e3 e7e6 f1e2 f8e7 e1g1 e8g8");
    game = Games.still(game, "a2a3 a7a6 b2b3 b7b6 c1b2 c8b7 d2d3 d7d6 d1d2 d8d7 h2h3 h7h6");
    String text = Pgn.export(TAGS, resigned(game));
    PgnReader.read(text);
    int end = text.indexOf('\n', text.indexOf("\n\n") + 2);
    String longer = text.substring(0, end) + ' ' + text.substring(end + 1);
    assertThatThrownBy(() -> PgnReader.read(longer)).hasMessageStartingWith("line 13 is");
  }

  @Test
  void anEmptyTextIsNoRecord() {
    assertThatThrownBy(() -> PgnReader.read("")).isInstanceOf(PgnException.class);
    assertThatThrownBy(() -> PgnReader.read("\n\n")).isInstanceOf(PgnException.class);
  }

  @Test
  void aTextThatIsLongerThanAnyGameIsNotLookedAt() {
    assertThatThrownBy(() -> PgnReader.read(" ".repeat((1 << 20) + 1)))
        .isInstanceOf(PgnException.class)
        .hasMessage("it is longer than any game");
  }

  private static Over anyGame(Random random) {
    String fen = STARTS.get(random.nextInt(STARTS.size()));
    String control = CONTROLS.get(random.nextInt(CONTROLS.size()));
    return resigned(randomly(timed(position(fen), control), random));
  }

  private static Over resigned(Playing game) {
    return (Over) Games.next(game, new Command.Resign(Side.BLACK), game.changedAt());
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
