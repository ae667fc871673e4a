package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Games whose records or events a relay has forged: each is rejected. */
class ForgedGameTest {
  /** The initial position of another game of the same players. */
  private static final String OTHER = "8/8/8/8/8/8/4p3/4K2k w - - 0 1";

  private static final String STRANGER = Keys.of("stranger").pubkey().hex();

  private final SignedGame game = SignedGame.foolsMate();

  private static void assertRejected(List<Event> stored, String id, String... lines) {
    VerifyResult verdict = VerifyResult.on(stored, id);
    assertThat(verdict.errors()).isEmpty();
    assertThat(verdict.output())
        .contains("Wrong:\n")
        .contains(lines)
        .endsWith("Not everything holds.\n");
    assertThat(verdict.status()).isEqualTo(1);
  }

  private static void assertRejected(SignedGame game, String... lines) {
    assertRejected(game.events(), game.id(), lines);
  }

  /** The stored events, with one event replaced by another. */
  private List<Event> with(Event old, Event other) {
    List<Event> events = new ArrayList<>(game.events());
    Collections.replaceAll(events, old, other);
    return events;
  }

  /** The same event, altered without its author's key. */
  private static Event forged(Event event, String content, byte[] sig) {
    return EventEncoder.encode(
        event.id(), event.pubkey(), event.createdAt(), event.kind(), event.tags(), content, sig);
  }

  private static Event withBrokenSignature(Event event) {
    byte[] sig = event.sig();
    sig[63] ^= 1;
    return forged(event, event.content(), sig);
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({
    "1. f3, 1. f4, The PGN has f4 where 1. f3 was signed",
    "1... e5, 1... e6, The PGN has e6 where 1... e5 was signed",
    "' 2...\nQh4# {[%clk 0:05:03]}', '', The PGN has nothing where 2... Qh4# was signed",
    "'\"0-1\"', '\"*\"', 'the tag Result is \"*\", and the moves end with 0-1'",
    "' 0-1\n', ' 1-0\n', 'the tag Result is \"0-1\", and the moves end with 1-0'",
    "' 0-1\n', ' 3. Kf2 0-1\n', ply 5 comes after the end of the game",
    "1. f3, 1. f3#, ply 1 is not a legal move in SAN",
    "2. g4, 3. g4, ply 3 has the wrong number",
    "' 0-1\n', ' 0-1 0-1\n', text after the result",
    "'[Event', '[FEN \"8/8/8/8/8/8/4p3/4K2k w - - 0 1\"][Event', The record's content is not a"
        + " game",
    "'[Event', '[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1\"][Event', The PGN"
        + " begins",
    "300+3, -, The PGN says TimeControl \"-\"",
    "'{[%clk 0:05:00]} 1', '{[%clk 0:09:59]} 1', The PGN's clock shows 599 s after ply 1",
    "'0:05:03]} 0-1', '1:05:03]} 0-1', The PGN's clock shows 3903 s after ply 4",
    "[White \"npub1, [White \"npub2, The PGN says White",
    "'Termination \"normal', 'Termination \"abandoned', The PGN says Termination",
    "300+3, 600+3, The PGN says TimeControl \"600+3\"",
    "2027.01.15, 2027.01.16, The PGN says UTCDate",
    "'[UTCTime \"08', '[UTCTime \"09', The PGN says UTCTime",
    "'[Round \"-\"]\n', '[Round \"-\"]\n[Round \"-\"]\n', duplicate tag",
    "'0:05:03]} 0-1', '0:05:03] 0-1', The record's content is not a game in PGN"
  })
  void anAlteredPgnIsRejected(String from, String to, String line) {
    assertThat(game.pgn).contains(from);
    game.pgn = game.pgn.replace(from, to);
    assertRejected(game, line);
  }

  @Test
  void swappedMovesOfOnePlayerAreRejected() {
    Collections.swap(game.plies, 0, 2);
    assertRejected(
        game, "Move 1. (White): the event " + game.plies.get(0).id() + " is not signed as ply 1");
  }

  @Test
  void swappedMovesWithoutPlyNumbersAreRejected() {
    SignedGame silent = new SignedGame("", "*", "aborted");
    for (String uci : List.of("f2f3", "e7e5", "g2g4", "d8h4")) {
      silent.play(uci, silent.said(silent.turn(), 5001, uci));
    }
    silent.result = "0-1";
    silent.termination = "checkmate";
    silent.writePgn();
    Collections.swap(silent.plies, 0, 2);
    assertRejected(silent, "The PGN has f3 where 1. g4 was signed");
  }

  @Test
  void swappedMovesOfBothPlayersAreRejected() {
    Collections.swap(game.plies, 0, 1);
    assertRejected(
        game,
        "Move 1. (White): the event "
            + game.plies.get(0).id()
            + " is signed by "
            + SignedGame.BLACK.pubkey()
            + ", not by "
            + SignedGame.WHITE.pubkey());
  }

  @Test
  void aMissingMoveIsNoForgeryAndTheRefereesCopyReplacesIt() {
    List<Event> events = new ArrayList<>(game.events());
    Event gone = game.plies.get(2);
    events.remove(gone);
    assertMissing(events, game.id(), "Ply 3: the event " + gone.id() + " is missing");
    List<Event> erased = new ArrayList<>(events);
    erased.add(SignedGame.WHITE.sign(SignedGame.START + 1000, 62, Tags.NONE, ""));
    assertMissing(
        erased,
        game.id(),
        "Ply 3: the event " + gone.id() + " was erased at its author's request (NIP-62)");
    Tags tags = new Tags(List.of(List.of("e", gone.id().hex())));
    events.add(Keys.of("stranger").sign(gone.createdAt(), 16, tags, gone.toString()));
    assertThat(VerifyResult.on(events, game.id()).status()).isEqualTo(3);
    events.add(SignedGame.RELAY.sign(gone.createdAt(), 16, tags, gone.toString()));
    assertThat(VerifyResult.on(events, game.id()).output()).endsWith("Everything holds.\n");
    game.pgn = game.pgn.replace("[Round \"-\"]\n", "[Round \"-\"]\n[Round \"-\"]\n");
    events = new ArrayList<>(game.events());
    events.remove(gone);
    assertRejected(events, game.id(), "duplicate tag");
  }

  private static void assertMissing(List<Event> events, String game, String line) {
    VerifyResult result = VerifyResult.on(events, game);
    assertThat(result.output())
        .contains("Evidence missing:\n  " + line)
        .doesNotContain("Wrong")
        .endsWith("Nothing is wrong, but evidence is missing.\n");
    assertThat(result.status()).isEqualTo(3);
  }

  @Test
  void aMoveUsedTwiceIsRejected() {
    game.plies.add(game.plies.get(0));
    assertRejected(game, "Ply 5: the event " + game.plies.get(0).id() + " is used twice");
  }

  @Test
  void aMoveSignedByAStrangerIsRejected() {
    Event move = game.said(Keys.of("stranger"), 5001, "f2f3");
    game.plies.set(0, move);
    assertRejected(game, "the event " + move.id() + " is signed by " + STRANGER);
  }

  @Test
  void aMoveWithAnInvalidSignatureIsRejected() {
    Event move = game.plies.get(0);
    assertRejected(
        with(move, withBrokenSignature(move)),
        game.id(),
        "the event " + move.id() + " is not signed by the key that it names");
  }

  @Test
  void aMoveAlteredAfterItsSignatureIsRejected() {
    Event move = game.plies.get(0);
    assertRejected(
        with(move, forged(move, "f2f4", move.sig())),
        game.id(),
        "the event " + move.id() + " has an id that is not its hash");
  }

  @Test
  void aRecordOrAnnouncementWithAnInvalidSignatureIsRejected() {
    Event record = game.record();
    assertRejected(
        with(record, withBrokenSignature(record)),
        game.id(),
        "The record: the event " + record.id() + " is not signed by the key that it names");
    Event announcement = game.announcement;
    assertRejected(
        with(announcement, withBrokenSignature(announcement)),
        game.id(),
        "The announcement: the event " + announcement.id() + " is not signed");
  }

  @Test
  void anIllegalMoveIsRejected() {
    Event move = game.said(SignedGame.BLACK, 5001, "d8h5");
    game.plies.set(3, move);
    assertRejected(game, "Move 2... (Black): d8h5 is not legal");
  }

  @Test
  void aMoveAfterTheEndIsRejected() {
    game.plies.add(game.said(SignedGame.WHITE, 5001, "e1f2"));
    assertRejected(game, "Move 3. (White): the game was already over, by checkmate");
  }

  @Test
  void aMalformedMoveIsRejected() {
    Event move = game.said(SignedGame.WHITE, 5001, "castle");
    game.plies.set(0, move);
    assertRejected(game, "the event " + move.id() + " is not a move");
  }

  @ParameterizedTest(name = "{1} by {0}")
  @CsvSource({
    "checkmate, 1-0",
    "checkmate, 1/2-1/2",
    "checkmate, *",
    "illegalmoves, 1-0",
    "illegalmoves, 1/2-1/2",
    "timeout, 1-0",
    "abandoned, 1/2-1/2",
    "agreement, 0-1",
    "resignation, 1/2-1/2",
    "aborted, *"
  })
  void aResultThatContradictsTheTerminationIsRejected(String termination, String result) {
    String[] moves = {"f2f3", "e7e5", "g2g4", "d8h4"};
    boolean mate = termination.equals("checkmate");
    SignedGame lie =
        new SignedGame("", result, termination, mate ? moves : new String[] {"e2e4", "e7e5"});
    assertRejected(lie, "The result " + result + " contradicts the termination " + termination);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stalemate", "resignation", "timeout", "abandoned", "threefold"})
  void aTerminationOtherThanCheckmateAfterAMateIsRejected(String word) {
    game.termination = word;
    assertRejected(game.writePgn(), "The moves end the game by checkmate, not by " + word);
  }

  @ParameterizedTest
  @ValueSource(strings = {"checkmate", "stalemate", "deadposition", "fivefold", "seventyfivemoves"})
  void aTerminationThatTheFinalPositionDoesNotHaveIsRejected(String word) {
    assertRejected(
        new SignedGame("", "1/2-1/2", word, "e2e4"), "The moves do not end the game by " + word);
  }

  @ParameterizedTest
  @CsvSource({"threefold, threefold repetition", "fiftymoves, the fifty-move rule"})
  void aDrawClaimThatTheMovesDoNotAllowIsRejected(String word, String rule) {
    SignedGame lie = new SignedGame("", "1/2-1/2", word, "e2e4");
    lie.ending.add(lie.said(SignedGame.BLACK, 5002, "claim"));
    assertRejected(lie, "The moves do not allow a draw claim by " + rule);
  }

  @Test
  void aDrawClaimOfTheSideNotInTurnIsRejected() {
    SignedGame lie =
        new SignedGame("k6r/8/8/8/8/8/8/K6R w - - 99 90", "1/2-1/2", "fiftymoves", "h1g1");
    lie.ending.add(lie.said(SignedGame.WHITE, 5002, "claim"));
    assertRejected(lie, "No event signed by Black claims the draw");
  }

  @Test
  void aResignationNotSignedByTheLoserIsRejected() {
    SignedGame lie = new SignedGame("", "1-0", "resignation", "e2e4");
    assertRejected(lie, "No event signed by Black resigns");
    lie.ending.add(lie.said(SignedGame.WHITE, 5003, "resign"));
    assertRejected(lie, "No event signed by Black resigns");
  }

  @Test
  void anAgreementWithoutAnOfferOrOfOnePlayerIsRejected() {
    SignedGame lie = new SignedGame("", "1/2-1/2", "agreement", "e2e4", "e7e5");
    lie.ending.add(lie.said(SignedGame.BLACK, 5002, "accept"));
    assertRejected(lie, "No event signed by White agrees to a draw");
    lie.ending.add(lie.said(SignedGame.WHITE, 5002, "accept"));
    assertRejected(lie, "No event signed by a player who had moved offers a draw");
  }

  @Test
  void anOfferWithAnEarlierMoveIsRejected() {
    SignedGame lie = new SignedGame("", "1/2-1/2", "agreement");
    lie.play("e2e4", lie.said(SignedGame.WHITE, 5001, "e2e4", List.of("draw", "offer")));
    lie.play("e7e5");
    lie.ending.add(lie.plies.get(0));
    lie.ending.add(lie.said(SignedGame.BLACK, 5002, "accept"));
    assertRejected(lie.writePgn(), "the event " + lie.plies.get(0).id() + " does not end a game");
  }

  @Test
  void aMissingForeignOrRepeatedEndingIsRejected() {
    SignedGame lie = new SignedGame("", "1-0", "resignation", "e2e4");
    Event resignation = lie.said(SignedGame.BLACK, 5003, "resign");
    lie.ending.add(resignation);
    List<Event> events = new ArrayList<>(lie.events());
    events.remove(resignation);
    assertMissing(events, lie.id(), "The ending: the event " + resignation.id() + " is missing");
    lie.ending.add(resignation);
    assertRejected(lie, "The ending: the event " + resignation.id() + " is used twice");
    lie.ending.set(1, lie.said(Keys.of("stranger"), 5003, "resign"));
    assertRejected(
        lie, "The ending: the event " + lie.ending.get(1).id() + " is signed by " + STRANGER);
  }

  @ParameterizedTest(name = "{1} with {0} after: {2}")
  @CsvSource({
    "300+3, timeout, e2e4",
    "300+3, abandoned, e2e4",
    "300+3, agreement, ''",
    "-, timeout, e2e4 e7e5",
    "-, abandoned, e2e4 e7e5",
    "1/3600, abandoned, e2e4 e7e5",
    "300+3600, abandoned, e2e4 e7e5"
  })
  void aTerminationImpossibleForPliesOrTimeControlIsRejected(
      String time, String word, String moves) {
    String result = word.equals("agreement") ? "1/2-1/2" : "1-0";
    String[] played = moves.isEmpty() ? new String[0] : moves.split(" ");
    assertRejected(
        SignedGame.timed(time, result, word, played),
        "After so few plies, or with this time control, a game cannot end by " + word);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({"abandoned, 1-0", "timeout, 1-0", "illegalmoves, 1-0"})
  void aWinOfASideThatCannotMateIsRejected(String word, String result) {
    SignedGame lie =
        new SignedGame("k6r/8/8/8/8/8/8/K7 w - - 0 1", result, word, "a1a2", "a8a7", "a2a1");
    assertRejected(lie, "The result 1-0 contradicts the termination " + word);
  }

  @Test
  void aTimeoutBeforeTheRemainingTimeHasPassedIsRejected() {
    SignedGame lie = new SignedGame("", "0-1", "timeout", "e2e4", "e7e5");
    lie.endedAt = SignedGame.START + 299;
    assertRejected(lie, "White had 300 s, and the record was signed 299 s after");
    SignedGame slow = SignedGame.timed("1/600", "0-1", "timeout", "e2e4", "e7e5");
    slow.endedAt = SignedGame.START + 599;
    assertRejected(slow, "White had 600 s, and the record was signed 599 s after");
    SignedGame unmoved = SignedGame.timed("1/3600", "0-1", "timeout");
    assertRejected(unmoved, "White had 3600 s, and the record was signed 900 s after");
  }

  @Test
  void anAgreementOnAnOfferBeforeTheFirstMoveIsRejected() {
    SignedGame lie = new SignedGame("", "1/2-1/2", "agreement", "e2e4");
    lie.ending.add(lie.said(SignedGame.BLACK, 5002, "offer"));
    lie.ending.add(lie.said(SignedGame.WHITE, 5002, "accept"));
    assertRejected(lie, "No event signed by a player who had moved offers a draw");
  }

  @Test
  void aLossByIllegalMovesInTheEphemeralDialectIsRejected() {
    SignedGame lie = new SignedGame("", "0-1", "illegalmoves");
    lie.relay("e2e4", lie.ephemeral(SignedGame.WHITE, "e2e4"));
    lie.play("e7e5");
    assertRejected(lie.writePgn(), "In the dialect of White, illegal moves lose no game");
  }

  @Test
  void movesAndEndingsSignedOutsideTheGameAreRejected() {
    for (long at : List.of(SignedGame.START - 61, SignedGame.START + 961, 4_000_000_000L)) {
      String when = at < SignedGame.START ? "before the game began" : "after the game had ended";
      SignedGame lie = new SignedGame("", "1-0", "resignation", "e2e4");
      lie.signedAt = at;
      lie.ending.add(lie.said(SignedGame.BLACK, 5003, "resign"));
      assertRejected(
          lie,
          "The ending: the event " + lie.ending.get(0).id() + " was signed at " + at + ", " + when,
          "No event signed by Black resigns");
      SignedGame moved = new SignedGame("", "1-0", "timeout");
      moved.signedAt = at;
      moved.play("e2e4");
      assertRejected(moved.writePgn(), "Move 1. (White): the event", when);
      SignedGame relayed = new SignedGame("", "1-0", "timeout");
      relayed.signedAt = at;
      String proof = relayed.ephemeral(SignedGame.WHITE, "e2e4");
      relayed.signedAt = SignedGame.START + 60;
      relayed.relay("e2e4", proof);
      assertRejected(relayed.writePgn(), "Move 1. (White): the event", when);
    }
  }

  @Test
  void aRecordSignedBeforeTheGameIsRejected() {
    game.endedAt = SignedGame.START - 61;
    assertRejected(game, "The record: the event", "before the game began");
  }

  @Test
  void movesAndEndingsSignedBeforeThePrecedingMoveAreRejected() {
    SignedGame lie = new SignedGame("", "0-1", "checkmate", "f2f3", "e7e5");
    lie.signedAt += 600;
    lie.play("g2g4");
    lie.signedAt -= 121;
    lie.play("d8h4");
    assertRejected(
        lie.writePgn(), "Move 2... (Black): the event", "before the move that it follows");
    SignedGame claimed = new SignedGame("", "1-0", "resignation", "e2e4");
    claimed.ending.add(claimed.said(SignedGame.BLACK, 5003, "resign"));
    claimed.signedAt += 600;
    claimed.play("e7e5");
    assertRejected(claimed.writePgn(), "The ending: the event", "before the move that it follows");
    SignedGame offered = new SignedGame("", "1/2-1/2", "agreement", "e2e4");
    offered.ending.add(offered.said(SignedGame.WHITE, 5002, "offer"));
    offered.signedAt += 600;
    offered.play("e7e5");
    offered.play("d2d4");
    offered.ending.add(offered.said(SignedGame.BLACK, 5002, "accept"));
    assertRejected(offered.writePgn(), "The ending: the event " + offered.ending.get(0).id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"i", "param", "output", "bid", "relays", "encrypted", "j"})
  void aNip90JobInPlaceOfAMoveIsRejected(String tag) {
    Event move = game.said(SignedGame.WHITE, 5001, "f2f3", List.of(tag, "x"));
    game.plies.set(0, move);
    assertRejected(game, "the event " + move.id() + " has a tag of a NIP-90 job");
    SignedGame lie = new SignedGame("", "1-0", "resignation", "e2e4");
    lie.ending.add(lie.said(SignedGame.BLACK, 5003, "resign", List.of(tag)));
    assertRejected(lie, "has a tag of a NIP-90 job");
  }

  /** The game, with other tags of its record. */
  private void assertRejected(List<List<String>> tags, String line) {
    Event lie = SignedGame.RELAY.sign(game.endedAt, 64, new Tags(tags), game.pgn);
    assertRejected(with(game.record(), lie), game.id(), line);
  }

  @ParameterizedTest
  @CsvSource({"result, 1-0", "termination, resignation", "alt, 1-0", "plies, ''"})
  void aRecordWithARepeatedTagIsRejected(String name, String value) {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.add(List.of(name, value));
    tags.add(List.of(name, value));
    assertRejected(tags, "The record has more than one tag " + name);
  }

  @Test
  void aRecordWithAContradictoryAltIsRejected() {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.add(List.of("alt", "Chess game: White has won"));
    assertRejected(tags, "The record's alt says \"Chess game: White has won\"");
  }

  @Test
  void aRecordThatAlsoNamesAnotherGameIsRejected() {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.add(List.of("e", "0".repeat(64), "", "root"));
    assertRejected(tags, "is about another game");
  }

  @Test
  void aRecordWithALevelThatTheGameDidNotBeginWithIsRejected() {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.set(1, List.of("p", SignedGame.WHITE.pubkey().hex(), "", "white", "3"));
    assertRejected(tags, "is about another game");
  }

  @Test
  void aTranslatedMoveWithAnotherPlyNumberIsRejected() {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list().subList(0, 3));
    tags.add(List.of("ply", "2"));
    tags.add(List.of("proof", game.ephemeral(SignedGame.WHITE, "f2f3")));
    Event move = SignedGame.RELAY.sign(game.signedAt, 5001, new Tags(tags), "f2f3");
    game.plies.set(0, move);
    assertRejected(game, "Move 1. (White): the event " + move.id() + " is not signed as ply 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"p", "e", "time", "fen", "i"})
  void aMalformedAnnouncementIsRejected(String name) {
    List<List<String>> tags = new ArrayList<>(game.announcement.tags().list());
    switch (name) {
      case "p" -> tags.set(1, List.of("p", SignedGame.WHITE.pubkey().hex(), "", "black"));
      case "e" -> tags.add(List.of("e", game.id(), "", "root"));
      default -> {
        tags.add(List.of(name, "1/600"));
        tags.add(List.of(name, "1/60"));
      }
    }
    Event none = SignedGame.RELAY.sign(SignedGame.START, 5000, new Tags(tags), "gameisfound");
    assertRejected(
        List.of(none), none.id().hex(), "The event with that id does not announce a game");
  }

  @Test
  void aProofSignedForAnotherRelayIsRejected() {
    Tags tags =
        new Tags(
            List.of(
                List.of("p", SignedGame.RELAY.pubkey().hex()),
                List.of("relay", "wss://other.example")));
    assertRejected(
        relayed(SignedGame.WHITE.sign(SignedGame.START, 20303, tags, "e2e4").toString()),
        "was signed for another relay");
  }

  @Test
  void aMoveSignedForAnotherGameOrRelayIsRejected() {
    SignedGame other = new SignedGame(OTHER, "*", "aborted");
    Event move = other.said(SignedGame.WHITE, 5001, "f2f3");
    game.plies.set(0, move);
    assertRejected(game, "the event " + move.id() + " was signed for another game");
    Event elsewhere =
        game.said(SignedGame.WHITE, 5001, "f2f3", List.of("relay", "wss://other.example"));
    game.plies.set(0, elsewhere);
    assertRejected(game, "the event " + elsewhere.id() + " was signed for another relay");
  }

  @Test
  void aRecordOfAnotherGameIsRejected() {
    SignedGame other = new SignedGame(OTHER, "*", "aborted");
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.add(0, List.of("e", other.id(), "", "root"));
    Event lie = SignedGame.RELAY.sign(game.endedAt, 64, new Tags(tags), game.pgn);
    assertRejected(
        with(game.record(), lie), game.id(), "the event " + lie.id() + " is about another game");
  }

  @Test
  void aRecordOfOtherPlayersIsRejected() {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.set(1, List.of("p", STRANGER, "", "white"));
    Event lie = SignedGame.RELAY.sign(game.endedAt, 64, new Tags(tags), game.pgn);
    assertRejected(
        with(game.record(), lie), game.id(), "the event " + lie.id() + " is about another game");
  }

  @Test
  void noRecordAndTwoRecordsAreRejected() {
    List<Event> events = new ArrayList<>(game.events());
    Event record = game.record();
    events.remove(record);
    assertRejected(events, game.id(), "The relay has no record of the game");
    events.add(record);
    events.add(SignedGame.RELAY.sign(game.endedAt + 1, 64, record.tags(), record.content()));
    assertRejected(events, game.id(), "The relay has more than one record of the game");
  }

  @ParameterizedTest
  @ValueSource(strings = {"result", "termination"})
  void aRecordWithoutResultOrTerminationIsRejected(String name) {
    List<List<String>> tags = new ArrayList<>(game.record().tags().list());
    tags.removeIf(tag -> tag.get(0).equals(name));
    Event lie = SignedGame.RELAY.sign(game.endedAt, 64, new Tags(tags), game.pgn);
    assertRejected(
        with(game.record(), lie), game.id(), "The record does not say how the game ended");
  }

  @Test
  void anUnknownIdAndAnIdOfAMoveAreRejected() {
    String unknown = "0".repeat(64);
    assertRejected(game.events(), unknown, "The relay has no event with that id");
    String move = game.plies.get(0).id().hex();
    assertRejected(game.events(), move, "The event with that id does not announce a game");
  }

  @Test
  void aTranslatedMoveThatDiffersFromItsProofIsRejected() {
    String other = game.ephemeral(SignedGame.WHITE, "e2e3");
    assertRejected(relayed(other), "Move 1. (White): the relay says e2e4, the player e2e3");
    assertRejected(relayed(""), "Move 1. (White): the proof is not an event of kind 20303");
    assertRejected(
        relayed(game.plies.get(0).toString()),
        "Move 1. (White): the proof is not an event of kind 20303");
  }

  @Test
  void aProofNotSignedByThePlayerForThisRefereeIsRejected() {
    assertRejected(
        relayed(proof(Keys.of("stranger"), SignedGame.RELAY, "e2e4")), "is signed by " + STRANGER);
    assertRejected(
        relayed(proof(SignedGame.WHITE, Keys.of("stranger"), "e2e4")),
        "was signed for another referee");
    assertRejected(
        relayed(proof(SignedGame.WHITE, SignedGame.RELAY, "e2e4").replace("e2e4", "e2e3")),
        "has an id that is not its hash");
    SignedGame other = new SignedGame(OTHER, "*", "aborted");
    assertRejected(
        relayed(other.ephemeral(SignedGame.WHITE, "e2e4")), "was signed for another game");
  }

  @Test
  void aProofUsedForTwoMovesIsRejected() {
    String proof = proof(SignedGame.WHITE, SignedGame.RELAY, "e1e2");
    SignedGame lie = new SignedGame("k7/8/8/8/8/8/8/4K2R w - - 0 1", "0-1", "timeout");
    lie.relay("e1e2", proof);
    lie.play("a8a7");
    lie.play("e2e1");
    lie.play("a7a8");
    lie.relay("e1e2", proof);
    assertRejected(lie.writePgn(), "Move 3. (White): the event", "is used twice");
  }

  private static SignedGame relayed(String proof) {
    SignedGame lie = new SignedGame("", "1-0", "timeout");
    lie.relay("e2e4", proof);
    return lie.writePgn();
  }

  /** An event of kind 20303 that does not name its game. */
  private static String proof(Signer player, Signer referee, String content) {
    Tags tags = new Tags(List.of(List.of("p", referee.pubkey().hex())));
    return player.sign(SignedGame.START + 60, 20303, tags, content).toString();
  }

  @Test
  void textOfOthersIsPrintedWithoutControlCharacters() {
    String red = "\u001b[31m\u009b31m\u202e";
    VerifyResult verdict =
        VerifyResult.on(
            relayed(proof(SignedGame.WHITE, SignedGame.RELAY, red + "x\ny")).events(),
            relayed("").id());
    assertThat(verdict.output()).contains("the player ?[31m?31m?x y").matches("[ -~\n]*");
  }
}
