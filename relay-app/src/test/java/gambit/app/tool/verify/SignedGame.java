package gambit.app.tool.verify;

import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events of a finished game, which tests alter before a relay serves them. */
final class SignedGame {
  static final Signer WHITE = Keys.of("white");
  static final Signer BLACK = Keys.of("black");
  static final Signer RELAY = Keys.of("referee");

  /** When the game began, in seconds. */
  static final long START = 1_800_000_000;

  /** When the players' events and the record are signed, in seconds. */
  long signedAt = START + 60;

  long endedAt = START + 900;

  final Event announcement;
  final List<Event> plies = new ArrayList<>();
  final List<Event> ending = new ArrayList<>();
  final List<String> proofs = new ArrayList<>();
  String result;
  String termination;
  String pgn = "";

  private OngoingGame game;

  /** Creates a game from a set-up position, or from the initial one if it is empty. */
  SignedGame(String fen, String result, String termination, String... moves) {
    this(control("300+3"), fen, null, result, termination, moves);
  }

  private SignedGame(
      TimeControl time,
      String fen,
      @Nullable List<String> lot,
      String result,
      String termination,
      String... moves) {
    this.result = result;
    this.termination = termination;
    Position initial = fen.isEmpty() ? Position.initial() : Position.parseFen(fen).orElseThrow();
    this.game = OngoingGame.start(initial, time, 30_000, 0, START * 1000);
    List<List<String>> tags = players();
    tags.add(List.of("time", time.text()));
    if (!fen.isEmpty()) {
      tags.add(List.of("fen", fen));
    }
    if (lot != null) {
      tags.add(lot);
    }
    announcement = RELAY.sign(START, 5000, new Tags(tags), "gameisfound");
    Arrays.stream(moves).forEach(this::play);
    writePgn();
  }

  /** Creates a game with another time control, from the initial position. */
  static SignedGame timed(String control, String result, String termination, String... moves) {
    return new SignedGame(control(control), "", null, result, termination, moves);
  }

  private static TimeControl control(String text) {
    return TimeControl.parse(text).orElseThrow();
  }

  /** The fool's mate: Black mates in two moves. */
  static SignedGame foolsMate() {
    return new SignedGame("", "0-1", "checkmate", "f2f3", "e7e5", "g2g4", "d8h4");
  }

  /** The same, with colours by that lot. */
  static SignedGame foolsMate(List<String> lot) {
    return new SignedGame(
        control("300+3"), "", lot, "0-1", "checkmate", "f2f3", "e7e5", "g2g4", "d8h4");
  }

  String id() {
    return announcement.id().hex();
  }

  Signer turn() {
    return game.turn() == Side.WHITE ? WHITE : BLACK;
  }

  /** An event of a player that names its game. */
  @SafeVarargs
  final Event said(Signer player, int kind, String content, List<String>... more) {
    List<List<String>> tags = new ArrayList<>(List.of(root()));
    for (List<String> tag : more) {
      tags.add(tag);
    }
    return player.sign(signedAt, kind, new Tags(tags), content);
  }

  /** Adds the next move, whose event names game and ply. */
  void play(String uci) {
    play(uci, said(turn(), 5001, uci, List.of("ply", "" + (plies.size() + 1))));
  }

  /** Adds the next move with another event. */
  void play(String uci, Event event) {
    plies.add(event);
    Move move = Move.parse(uci).orElseThrow();
    Command play = new Command.Play(game.turn(), move, false);
    Game next = ((Step) Referee.decide(game, play, START * 1000)).next();
    game = next instanceof FinishedGame over ? over.last() : (OngoingGame) next;
  }

  /** Adds the next move of a player of the ephemeral dialect, translated by the relay. */
  void relay(String uci, String proof) {
    List<List<String>> tags = players();
    tags.add(0, root());
    tags.add(List.of("ply", "" + (plies.size() + 1)));
    tags.add(List.of("proof", proof));
    play(uci, RELAY.sign(signedAt, 5001, new Tags(tags), uci));
  }

  /** An event of a player of the ephemeral dialect. */
  String ephemeral(Signer player, String content) {
    List<List<String>> tags = List.of(List.of("p", RELAY.pubkey().hex()), List.of("d", id()));
    return player.sign(signedAt, 20303, new Tags(tags), content).toString();
  }

  /** Writes the PGN again from the current moves. */
  SignedGame writePgn() {
    PgnTags tags =
        new PgnTags(
            "Casual game",
            "wss://gambit.example/",
            Nip19.npub(WHITE.pubkey()),
            Nip19.npub(BLACK.pubkey()));
    Result score = of(Result.values(), it -> it.text().equals(result));
    Termination reason = of(Termination.values(), it -> it.word().equals(termination));
    pgn = Pgn.export(tags, new FinishedGame(game, score, reason, game.changedAt()));
    return this;
  }

  private static <T> T of(T[] values, Predicate<T> wanted) {
    return Arrays.stream(values).filter(wanted).findFirst().orElseThrow();
  }

  /** The current record, signed by the relay, including any forgery in it. */
  Event record() {
    List<List<String>> tags = players();
    tags.add(0, root());
    tags.add(List.of("result", result));
    tags.add(List.of("termination", termination));
    tags.add(listed("plies", plies));
    if (!ending.isEmpty()) {
      tags.add(listed("ending", ending));
    }
    proofs.forEach(proof -> tags.add(List.of("proof", proof)));
    return RELAY.sign(endedAt, 64, new Tags(tags), pgn);
  }

  /** All stored events of the game. */
  List<Event> events() {
    return Stream.of(List.of(announcement, record()), plies, ending)
        .flatMap(List::stream)
        .distinct()
        .toList();
  }

  private static List<String> listed(String name, List<Event> events) {
    return Stream.concat(Stream.of(name), events.stream().map(event -> event.id().hex())).toList();
  }

  private List<String> root() {
    return List.of("e", id(), "", "root");
  }

  private static List<List<String>> players() {
    return new ArrayList<>(
        List.of(
            List.of("p", WHITE.pubkey().hex(), "", "white"),
            List.of("p", BLACK.pubkey().hex(), "", "black")));
  }
}
