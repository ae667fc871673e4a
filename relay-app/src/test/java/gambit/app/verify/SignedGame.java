package gambit.app.verify;

import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A finished game as a relay stores it, event by event, to be tampered with before it is served.
 */
final class SignedGame {
  static final Signer WHITE = Keys.of("white");
  static final Signer BLACK = Keys.of("black");
  static final Signer RELAY = Keys.of("referee");
  private static final long START = 1_800_000_000;

  final Event announcement;
  final List<Event> plies = new ArrayList<>();
  final List<Event> ending = new ArrayList<>();
  final List<String> proofs = new ArrayList<>();
  String result;
  String termination;
  String pgn = "";

  private final String fen;
  private final List<String> moves = new ArrayList<>();
  private Position position;

  /** A game from a set-up position, or from the usual one if that is empty. */
  SignedGame(String fen, String result, String termination, String... moves) {
    this.fen = fen;
    this.result = result;
    this.termination = termination;
    this.position = fen.isEmpty() ? Rules.initial() : Rules.parseFen(fen).orElseThrow();
    List<List<String>> tags = players();
    tags.add(List.of("time", "300+3"));
    if (!fen.isEmpty()) {
      tags.add(List.of("fen", fen));
    }
    announcement = RELAY.sign(START, 5000, new Tags(tags), "gameisfound");
    Arrays.stream(moves).forEach(this::play);
    writePgn();
  }

  /** White has been mated in two moves. */
  static SignedGame foolsMate() {
    return new SignedGame("", "0-1", "checkmate", "f2f3", "e7e5", "g2g4", "d8h4");
  }

  String id() {
    return announcement.id().hex();
  }

  Signer turn() {
    return position.turn() == Side.WHITE ? WHITE : BLACK;
  }

  /** An event of a player that says for which game it is. */
  @SafeVarargs
  final Event said(Signer player, int kind, String content, List<String>... more) {
    List<List<String>> tags = new ArrayList<>(List.of(root()));
    for (List<String> tag : more) {
      tags.add(tag);
    }
    return player.sign(START + 60, kind, new Tags(tags), content);
  }

  /** The next move, of a player who says which game and which ply it is. */
  void play(String uci) {
    play(uci, said(turn(), 5001, uci, List.of("ply", "" + (plies.size() + 1))));
  }

  /** The next move as another event. */
  void play(String uci, Event event) {
    plies.add(event);
    moves.add(uci);
    position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
  }

  /** The next move as the relay tells it of a player of the other dialect, with a proof. */
  void relay(String uci, String proof) {
    List<List<String>> tags = players();
    tags.add(0, root());
    tags.add(List.of("ply", "" + (plies.size() + 1)));
    tags.add(List.of("proof", proof));
    play(uci, RELAY.sign(START + 60, 5001, new Tags(tags), uci));
  }

  /** An event of a player of the other dialect. */
  String ephemeral(Signer player, String content) {
    List<List<String>> tags = List.of(List.of("p", RELAY.pubkey().hex()), List.of("d", id()));
    return player.sign(START + 60, 20303, new Tags(tags), content).toString();
  }

  /** Writes the text again, from the moves as they are now. */
  SignedGame writePgn() {
    StringBuilder out = new StringBuilder();
    String word =
        Arrays.stream(Termination.values())
            .filter(it -> it.word().equals(termination))
            .map(Termination::pgn)
            .findFirst()
            .orElse("normal");
    Stream.of(
            "[Event \"Casual game\"]",
            "[Site \"wss://gambit.example/\"]",
            "[Date \"2027.01.15\"]",
            "[Round \"-\"]",
            "[White \"" + Npub.of(WHITE.pubkey()) + "\"]",
            "[Black \"" + Npub.of(BLACK.pubkey()) + "\"]",
            "[Result \"" + result + "\"]",
            fen.isEmpty() ? "" : "[FEN \"" + fen + "\"]\n[SetUp \"1\"]",
            "[Termination \"" + word + "\"]",
            "[TimeControl \"300+3\"]")
        .filter(line -> !line.isEmpty())
        .forEach(line -> out.append(line).append('\n'));
    out.append('\n');
    Position at = fen.isEmpty() ? Rules.initial() : Rules.parseFen(fen).orElseThrow();
    for (String uci : moves) {
      Move move = Move.parse(uci).orElseThrow();
      String number = at.fullmoveNumber() + (at.turn() == Side.WHITE ? ". " : "... ");
      out.append(number).append(at.san(move)).append(" {[%clk 0:05:03]}\n");
      at = at.play(move).orElseThrow();
    }
    pgn = out.append(result).append('\n').toString();
    return this;
  }

  /** The record as it stands, signed by the relay: what is wrong in it, the relay says. */
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
    return RELAY.sign(START + 120, 64, new Tags(tags), pgn);
  }

  /** All that the relay stores of it. */
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
