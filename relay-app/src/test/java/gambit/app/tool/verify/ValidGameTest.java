package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.tool.verify.GameFetcher.FetchedGame;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Games that were played as their records say, with every termination: all are accepted. */
class ValidGameTest {
  private static final List<String> KNIGHTS_OUT_AND_BACK = List.of("g1f3", "g8f6", "f3g1", "f6g8");

  private static void holds(VerifyResult verdict, String... lines) {
    assertThat(verdict.errors()).isEmpty();
    assertThat(List.of(lines)).allMatch(verdict.output()::contains);
    assertThat(verdict.output()).doesNotContain("Wrong").endsWith("Everything holds.\n");
    assertThat(verdict.status()).isZero();
  }

  private static void holds(SignedGame game, String... lines) {
    holds(VerifyResult.on(game.events(), game.id()), lines);
  }

  private static String[] moves(List<String> moves, int times) {
    return Collections.nCopies(times, moves).stream().flatMap(List::stream).toArray(String[]::new);
  }

  /** Two players at a relay with a referee; their events name game and ply. */
  private static final class Table implements AutoCloseable {
    final TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT));
    final List<Signer> keys = Arrays.asList(Keys.of("alice"), Keys.of("bob")); // White's first
    final List<Client> sockets = Arrays.asList(relay.connect(), relay.connect());
    final String game;
    private int plies;

    Table() {
      for (int seat = 0; seat < 2; seat++) {
        sockets.get(seat).publish(keys.get(seat), relay.now(), 5000, "connect");
        sockets.get(seat).until("OK");
      }
      List<JsonNode> colour = sockets.get(1).until("OK");
      sockets.get(0).until("OK");
      JsonNode found = colour.get(0).get(2);
      game = found.get("id").asText();
      if (!found.get("tags").get(0).get(1).asText().equals(keys.get(0).pubkey().hex())) {
        Collections.reverse(keys);
        Collections.reverse(sockets);
      }
    }

    /** Returns whether the move was accepted. */
    boolean move(String uci, boolean narrow) {
      int seat = plies % 2;
      List<List<String>> tags = new ArrayList<>(List.of(List.of("nonce", "" + System.nanoTime())));
      if (narrow) {
        tags.add(List.of("e", game, "", "root"));
        tags.add(List.of("ply", "" + (plies + 1)));
        tags.add(List.of("relay", TestRelay.URL));
      }
      Event move = keys.get(seat).sign(relay.now(), 5001, new Tags(tags), uci);
      sockets.get(seat).publish(move);
      List<JsonNode> frames = sockets.get(seat).until("OK");
      boolean taken = frames.get(frames.size() - 1).get(2).asBoolean();
      plies += taken ? 1 : 0;
      return taken;
    }

    @Override
    public void close() {
      sockets.forEach(Client::close);
      relay.close();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "checkmate, e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7",
    "stalemate, e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7"
        + " b8c8 f7g6 c8e6",
    "fivefold, g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
  })
  void aGameEndedByItsFinalPositionIsProved(String word, String moves) {
    try (Table table = new Table()) {
      assertThat(moves.split(" ")).allMatch(uci -> table.move(uci, true));
      holds(
          VerifyResult.of(table.game, table.relay.uri()),
          "The moves end the game by " + word + ".",
          "Each of the " + moves.split(" ").length + " plies is signed by the side in turn");
    }
  }

  @Test
  void gameAndOrderOfMovesWithoutTagsAreAttestedByTheRelay() {
    try (Table table = new Table()) {
      for (String uci : List.of("f2f3", "e7e5", "g2g4", "d8h4")) {
        assertThat(table.move(uci, false)).isTrue();
      }
      holds(
          VerifyResult.of(table.game, table.relay.uri()),
          "That 4 of the players' events were meant for this game",
          "4 of them do not say which ply they are");
    }
  }

  @Test
  void aLossByIllegalMovesIsAttestedByTheRelay() {
    try (Table table = new Table()) {
      assertThat(table.move("e2e4", true)).isTrue();
      assertThat(table.move("e7e4", true)).isFalse();
      assertThat(table.move("e7e4", true)).isFalse();
      VerifyResult verdict = VerifyResult.of(table.game, table.relay.uri());
      holds(verdict, "1-0, illegalmoves, plies: 1");
      assertThat(verdict.section("Attested by the relay alone:"))
          .contains("  That Black played two illegal moves.");
    }
  }

  @Test
  void movesThatNameGameAndPlyAreProved() {
    SignedGame game = SignedGame.foolsMate();
    VerifyResult verdict = VerifyResult.on(game.events(), game.id());
    holds(verdict);
    assertThat(verdict.section("Proved by the players' signatures:"))
        .containsExactly(
            "  Each of the 4 plies is signed by the side in turn, and legal.",
            "  The moves end the game by checkmate.");
    assertThat(verdict.section("Attested by the relay alone:"))
        .containsExactly(
            "  Who was paired with whom, the colours, and the time control 300+3.",
            "  When the players' events arrived, and which of them were refused or taken back.",
            "  The clocks.",
            "  That no other relay forwarded events of White: none of 2 name the relay.",
            "  That no other relay forwarded events of Black: none of 2 name the relay.");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "deadposition, 8/8/8/8/8/8/4p3/4K2k w - - 0 1, e1e2",
    "stalemate, k7/8/K7/8/8/8/8/1Q6 w - - 0 1, b1b6",
    "seventyfivemoves, k6r/8/8/8/8/8/8/K6R w - - 149 90, h1g1"
  })
  void anEndByPositionInAGameFromASetUpPositionIsProved(String word, String fen, String move) {
    holds(new SignedGame(fen, "1/2-1/2", word, move), "1/2-1/2, " + word);
  }

  @Test
  void aResignationSignedByTheLoserIsProved() {
    SignedGame game = new SignedGame("", "1-0", "resignation", "e2e4");
    game.ending.add(game.said(SignedGame.BLACK, 5003, "resign"));
    holds(game, "  Black resigned.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"resign", "quit"})
  void aResignationInTheEphemeralDialectIsProvedByItsEvent(String word) {
    SignedGame game = new SignedGame("", "0-1", "resignation", "e2e4", "e7e5");
    game.proofs.add(game.ephemeral(SignedGame.WHITE, word));
    holds(game, "  White resigned.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"accept", "offer"})
  void anAgreedDrawIsProved(String answer) {
    SignedGame game = new SignedGame("", "1/2-1/2", "agreement", "e2e4", "e7e5");
    game.ending.add(game.said(SignedGame.BLACK, 5002, "offer"));
    game.ending.add(game.said(SignedGame.WHITE, 5002, answer));
    holds(game, "  Both players agreed to a draw.");
  }

  @Test
  void aDrawOfferedWithTheLastMoveAndAcceptedInTheEphemeralDialectIsProved() {
    SignedGame game = new SignedGame("", "1/2-1/2", "agreement", "e2e4");
    game.play("e7e5", game.said(SignedGame.BLACK, 5001, "e7e5", List.of("draw", "offer")));
    game.ending.add(game.plies.get(1));
    game.proofs.add(game.ephemeral(SignedGame.WHITE, "draw"));
    holds(game.writePgn(), "  Both players agreed to a draw.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRepetitionClaimOfTheSideInTurnIsProved(boolean ephemeral) {
    SignedGame game = new SignedGame("", "1/2-1/2", "threefold", moves(KNIGHTS_OUT_AND_BACK, 2));
    if (ephemeral) {
      game.proofs.add(game.ephemeral(SignedGame.WHITE, "draw"));
    } else {
      game.ending.add(game.said(SignedGame.WHITE, 5002, "claim"));
    }
    holds(game, "White claimed a draw by threefold repetition, and the moves allow it.");
  }

  @Test
  void aFiftyMoveClaimOfTheSideInTurnIsProved() {
    SignedGame game =
        new SignedGame("k6r/8/8/8/8/8/8/K6R w - - 99 90", "1/2-1/2", "fiftymoves", "h1g1");
    game.ending.add(game.said(SignedGame.BLACK, 5002, "claim"));
    holds(game, "Black claimed a draw by the fifty-move rule, and the moves allow it.");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "timeout, '', 0-1, That White ran out of time.",
    "illegalmoves, '', 0-1, That White played two illegal moves.",
    "abandoned, '', 1-0, That Black left the game.",
    "timeout, k7/8/8/8/8/8/8/K6R w - - 0 1, 1/2-1/2, That White ran out of time.",
    "abandoned, k7/8/8/8/8/8/8/K6R w - - 0 1, 1/2-1/2, That one of the players left the game."
  })
  void terminationsWithoutASignedEventAreAttestedByTheRelay(
      String word, String fen, String result, String line) {
    String[] moves = fen.isEmpty() ? new String[] {"e2e4", "e7e5"} : new String[] {"h1g1", "a8a7"};
    SignedGame game = new SignedGame(fen, result, word, moves);
    VerifyResult verdict = VerifyResult.on(game.events(), game.id());
    holds(verdict);
    assertThat(verdict.section("Attested by the relay alone:")).contains("  " + line);
    assertThat(verdict.section("Proved by the players' signatures:")).hasSize(1);
  }

  @Test
  void aTimeoutOfTheFirstMoveInCorrespondenceIsAccepted() {
    SignedGame game = SignedGame.timed("1/3600", "1-0", "timeout", "e2e4");
    game.endedAt = SignedGame.START + 3600;
    holds(game, "  That Black ran out of time.");
  }

  @Test
  void clocksWithIncrementsAndRestartCreditsAreAccepted() {
    SignedGame game = SignedGame.foolsMate();
    game.pgn = game.pgn.replace("0:05:03]} 0-1", "0:05:33]} 0-1");
    holds(game);
  }

  @ParameterizedTest
  @ValueSource(longs = {-60, 960})
  void playersClocksWithinTheSkewAreAccepted(long seconds) {
    SignedGame game = new SignedGame("", "1-0", "resignation", "e2e4");
    game.signedAt = SignedGame.START + seconds;
    game.ending.add(game.said(SignedGame.BLACK, 5003, "resign"));
    holds(game, "  Black resigned.");
  }

  @Test
  void aLargerSkewIsAcceptedWhenGivenOnTheCommandLine() {
    SignedGame game = new SignedGame("", "1-0", "resignation", "e2e4");
    game.signedAt = SignedGame.START - 300;
    game.ending.add(game.said(SignedGame.BLACK, 5003, "resign"));
    try (TestRelay relay = VerifyResult.relay(game.events())) {
      String url = relay.uri().toString();
      holds(VerifyResult.of(game.id(), "--relay", url, "--max-clock-skew", "300"));
      assertThat(VerifyResult.of(game.id(), "--relay", url, "--max-clock-skew", "299").status())
          .isEqualTo(1);
      assertThat(VerifyResult.of(game.id(), "--relay", url, "--max-clock-skew", "0").errors())
          .startsWith("--max-clock-skew 0: expected at least 1 second.");
    }
  }

  @Test
  void anOfferAcceptedBeforeTheOpponentsMoveIsAccepted() {
    SignedGame game = new SignedGame("", "1/2-1/2", "agreement", "e2e4");
    game.ending.add(game.said(SignedGame.WHITE, 5002, "offer"));
    game.ending.add(game.said(SignedGame.BLACK, 5002, "accept"));
    holds(game, "  Both players agreed to a draw.");
  }

  @Test
  void anOfferRemainsValidAfterAMoveOfItsAuthor() {
    SignedGame game = new SignedGame("", "1/2-1/2", "agreement", "e2e4", "e7e5");
    game.ending.add(game.said(SignedGame.WHITE, 5002, "offer"));
    game.signedAt += 600;
    game.play("d2d4");
    game.ending.add(game.said(SignedGame.BLACK, 5002, "accept"));
    holds(game.writePgn(), "  Both players agreed to a draw.");
  }

  @Test
  void aPlayerWithMovesInBothDialectsMayLoseByIllegalMoves() {
    SignedGame game = new SignedGame("", "0-1", "illegalmoves", "e2e4", "e7e5");
    game.relay("d2d4", game.ephemeral(SignedGame.WHITE, "d2-d4"));
    game.play("a7a6");
    holds(game.writePgn(), "  That White played two illegal moves.");
  }

  @Test
  void aPgnInAnotherFormatIsAccepted() {
    SignedGame game = SignedGame.foolsMate();
    game.pgn =
        "%% In import format\r\n[Result \"0-1\"][Black \"%s\"]\r\n[White \"%s\"]\r\n"
                .formatted(
                    Nip19.npub(SignedGame.BLACK.pubkey()), Nip19.npub(SignedGame.WHITE.pubkey()))
            + "[Site \"wss://gambit.example\"] [Date \"????.??.??\"] [Round \"?\"]\r\n"
            + "[Opening \"Barnes\"][TimeControl \"300+3\"][Termination \"Normal\"]\r\n"
            + "f3 {[%clk 0:05:00] bad} 1...e5 $1 (1... d5) 2 g4?? ; worse\r\n2... Qh4 0-1";
    holds(game);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ws://localhost:7447", "ws://127.0.0.1:7447/", "ws://[::1]:7447"})
  void theLoopbackNamesAreEquivalent(String url) {
    SignedGame game = SignedGame.foolsMate();
    Event move = game.said(SignedGame.WHITE, 5001, "f2f3", List.of("relay", url));
    game.plies.set(0, move);
    Map<String, Event> plies =
        game.plies.stream().collect(Collectors.toMap(event -> event.id().hex(), event -> event));
    FetchedGame evidence =
        new FetchedGame(
            game.announcement.id(),
            Optional.of(game.announcement),
            List.of(game.record()),
            plies,
            List.of(),
            Optional.empty());
    Findings findings =
        VerifyCommand.Verification.of(
            evidence,
            URI.create("ws://localhost:7447/"),
            Duration.ofSeconds(60),
            new EventVerifier());
    assertThat(findings.status()).isZero();
  }

  @Test
  void movesInTheEphemeralDialectAreProvedByTheirTranslatedEvents() {
    String fen = "r3k3/6P1/8/8/8/8/8/4K2R w Kq - 0 1";
    SignedGame game = new SignedGame(fen, "1-0", "resignation");
    game.relay("e1g1", game.ephemeral(SignedGame.WHITE, "O-O"));
    game.relay("e8c8", game.ephemeral(SignedGame.BLACK, "O-O-O"));
    game.relay("f1d1", game.ephemeral(SignedGame.WHITE, "Rf1-d1"));
    game.relay("c8b7", game.ephemeral(SignedGame.BLACK, "c8b7"));
    game.relay("g7g8q", game.ephemeral(SignedGame.WHITE, "g7-g8=Q"));
    game.play("b7c6");
    game.ending.add(game.said(SignedGame.BLACK, 5003, "resign"));
    holds(game.writePgn(), "Each of the 6 plies is signed by the side in turn, and legal.");
  }

  @Test
  void eventsOfStrangersAboutTheGameAreIgnored() {
    SignedGame game = SignedGame.foolsMate();
    Event record = game.record();
    Event forged = Keys.of("stranger").sign(record.createdAt(), 64, record.tags(), "1-0");
    holds(
        VerifyResult.on(
            Stream.concat(game.events().stream(), Stream.of(forged)).toList(), game.id()));
  }

  @Test
  void aRelayWithALowLimitIsQueriedRepeatedly() {
    SignedGame game = SignedGame.foolsMate();
    try (TestRelay relay = VerifyResult.relay(game.events(), TestLimits.maxLimit(3))) {
      holds(VerifyResult.of(game.id(), relay.uri()));
    }
  }

  @Test
  void aRelayUrlKnownFromThePgnOnlyIsAttestedByTheRelay() {
    SignedGame game = new SignedGame("", "1-0", "resignation", "e2e4");
    List<String> tag = List.of("relay", "wss://gambit.example");
    game.ending.add(game.said(SignedGame.BLACK, 5003, "resign", tag));
    VerifyResult verdict = VerifyResult.on(game.events(), game.id());
    holds(verdict);
    assertThat(verdict.section("Attested by the relay alone:"))
        .contains(
            "  That the relay is the one of the PGN's Site, for which 1 of the players' events"
                + " were signed.");
  }

  @Test
  void itSaysWhetherAllOrSomeEventsOfASideNameTheRelay() {
    List<String> tag = List.of("relay", "wss://gambit.example");
    SignedGame game = new SignedGame("", "1/2-1/2", "agreement");
    game.play("e2e4", game.said(SignedGame.WHITE, 5001, "e2e4", tag));
    Event reply = game.said(SignedGame.BLACK, 5001, "e7e5", List.of("draw", "offer"), tag);
    game.play("e7e5", reply);
    game.ending.add(reply);
    game.ending.add(game.said(SignedGame.WHITE, 5002, "accept"));
    VerifyResult verdict = VerifyResult.on(game.writePgn().events(), game.id());
    holds(verdict);
    assertThat(verdict.section("Attested by the relay alone:"))
        .contains("  That no other relay forwarded events of White: 1 of 2 name the relay.");
    assertThat(verdict.section("Proved by the players' signatures:"))
        .contains("  All events of Black name the relay: 1.");
  }

  @Test
  void aGameIdInUpperCaseIsAccepted() {
    SignedGame game = SignedGame.foolsMate();
    holds(VerifyResult.on(game.events(), game.id().toUpperCase(Locale.ROOT)));
  }
}
