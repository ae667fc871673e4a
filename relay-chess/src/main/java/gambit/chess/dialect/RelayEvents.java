package gambit.chess.dialect;

import gambit.chess.game.Over;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Playing;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The events that the relay signs as the referee, for players who speak NIP-100, and the kind 64
 * record (NIP-64). Every one names both players, and all but the first name the game. Thread-safe.
 */
public final class RelayEvents {
  private static final int PGN = 64;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Signer signer;
  private final String site;

  /**
   * Signs as the relay.
   *
   * @param site the relay's URL, for the PGN
   */
  public RelayEvents(Signer signer, String site) {
    this.signer = signer;
    this.site = site;
  }

  /**
   * The event whose id is the game's id. A random tag keeps two games of the same players within
   * one second apart.
   */
  public Event gameIsFound(PubKey white, PubKey black, long now) {
    List<List<String>> tags = players(white, black);
    tags.add(List.of("time", Nip100.UNTIMED));
    byte[] nonce = new byte[8];
    RANDOM.nextBytes(nonce);
    tags.add(List.of("nonce", HexFormat.of().formatHex(nonce)));
    return sign(Nip100.LOBBY, tags, "gameisfound", now);
  }

  /** The game as it stands, for a player who comes back to it. */
  public Event resume(GameRef game, Playing playing, long now) {
    List<List<String>> tags = about(game);
    tags.add(List.of("time", Nip100.UNTIMED));
    tags.add(List.of("fen", playing.position().fen()));
    tags.add(List.of("moves", playing.moves().toString()));
    return sign(Nip100.LOBBY, tags, "gameisfound", now);
  }

  /** Tells a player that the opponent offers a draw. */
  public Event offerSent(GameRef game, long now) {
    return sign(Nip100.DRAW, about(game), "offersent", now);
  }

  /** Tells a player, in the draft's words, how the game ended. */
  public Event ending(GameRef game, Over over, String word) {
    return sign(Nip100.LOBBY, aboutEnd(game, over), word, over.endedAt());
  }

  /**
   * The record of a finished game.
   *
   * @param plies the events of the moves, in order
   */
  public Event record(GameRef game, Over over, List<EventId> plies) {
    String white = Npub.of(game.white());
    String black = Npub.of(game.black());
    List<List<String>> tags = aboutEnd(game, over);
    tags.add(
        List.of(
            "alt",
            "Chess game: "
                + white
                + " against "
                + black
                + ", "
                + over.result().text()
                + " ("
                + over.termination().word()
                + ")"));
    List<String> moves = new ArrayList<>(plies.size() + 1);
    moves.add("plies");
    plies.forEach(id -> moves.add(id.hex()));
    tags.add(moves);
    String pgn = Pgn.export(new PgnTags("Casual game", site, white, black), over);
    return sign(PGN, tags, pgn, over.endedAt());
  }

  private static List<List<String>> players(PubKey white, PubKey black) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("p", white.hex(), "", Nip100.colour(Side.WHITE)));
    tags.add(List.of("p", black.hex(), "", Nip100.colour(Side.BLACK)));
    return tags;
  }

  private static List<List<String>> about(GameRef game) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("e", game.id().hex(), "", "root"));
    tags.addAll(players(game.white(), game.black()));
    return tags;
  }

  private static List<List<String>> aboutEnd(GameRef game, Over over) {
    List<List<String>> tags = about(game);
    tags.add(List.of("result", over.result().text()));
    tags.add(List.of("termination", over.termination().word()));
    return tags;
  }

  private Event sign(int kind, List<List<String>> tags, String content, long now) {
    return signer.sign(now / 1000, kind, new Tags(tags), content);
  }
}
