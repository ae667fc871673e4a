package gambit.chess.dialect;

import gambit.chess.dialect.GameRef.Seat;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Proposal;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the events that the relay signs as the referee, which are the same in all dialects. Those
 * about a game name both players, and all except the first one name the game. Times are epoch
 * milliseconds. Thread-safe.
 */
public final class RefereeEvents {
  /** The content of a game's first event. */
  public static final String GAME_IS_FOUND = "gameisfound";

  public static final int FOUND_KIND = 5000;
  private static final int MOVE_KIND = 5001;
  public static final int STATE_KIND = 20302;
  public static final int LOBBY_KIND = 20305;
  public static final int PRESENCE_KIND = 20306;
  public static final int RECORD_KIND = 64;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Signer signer;
  private final String site;

  /** Signs as the relay, whose URL is the site in PGN. */
  public RefereeEvents(Signer signer, String site) {
    this.signer = signer;
    this.site = site;
  }

  public PubKey pubkey() {
    return signer.pubkey();
  }

  /**
   * The event whose id is the game's id. A random tag distinguishes two games that the same players
   * begin within one second.
   */
  public Event gameIsFound(Seat white, Seat black, TimeControl time, Position from, long now) {
    List<List<String>> tags = players(white, black);
    tags.add(List.of("time", time.text()));
    if (!from.fen().equals(Position.initial().fen())) {
      tags.add(List.of("fen", from.fen()));
    }
    byte[] nonce = new byte[8];
    RANDOM.nextBytes(nonce);
    tags.add(List.of("nonce", HexFormat.of().formatHex(nonce)));
    return sign(FOUND_KIND, tags, GAME_IS_FOUND, now);
  }

  /** Whether an event is the first one of a game of any relay. */
  public static boolean isFirstOfGame(Event event) {
    return event.kind() == FOUND_KIND
        && event.content().equals(GAME_IS_FOUND)
        && event.tags().root().isEmpty();
  }

  /**
   * The move of a player whose own event is not stored, but contained as proof; plies count from 1.
   */
  public Event move(GameRef game, int ply, Move move, Event played, long now) {
    List<List<String>> tags = about(game);
    tags.add(List.of("ply", "" + ply));
    tags.add(proof(played));
    return sign(MOVE_KIND, tags, move.uci(), now);
  }

  /** A tag that contains a player's event, for events that are not stored. */
  public static List<String> proof(Event event) {
    return List.of("proof", new String(event.json(), StandardCharsets.UTF_8));
  }

  /**
   * The state of a game for spectators (kind 20302). It is a function of the game, so that its id
   * is the same for all receivers, also after a restart. The clocks are those at the time at which
   * it began, which is contained in milliseconds.
   *
   * @param before the position before the last move; null if it is not known, so that the game is
   *     replayed
   */
  public LazilySignedEvent state(GameRef game, OngoingGame playing, @Nullable Position before) {
    return stateEvent(game, playing, before, playing.changedAt(), null);
  }

  /** The last state of a game. */
  public LazilySignedEvent state(GameRef game, FinishedGame over, @Nullable Position before) {
    return stateEvent(game, over.last(), before, over.endedAt(), over);
  }

  private LazilySignedEvent stateEvent(
      GameRef game,
      OngoingGame playing,
      @Nullable Position before,
      long at,
      @Nullable FinishedGame over) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("d", game.id().hex()));
    for (Side side : Side.values()) {
      Seat seat = game.seat(side);
      tags.add(seat.level() == 0 ? List.of("p", seat.player().hex()) : player(seat, side));
    }
    tags.add(List.of("ply", "" + playing.plies()));
    tags.add(List.of("turn", colour(playing.turn())));
    if (playing.plies() > 0) {
      Move last = playing.moves().last();
      tags.add(List.of("move", last.uci()));
      Position moved = before == null ? beforeLastMove(playing) : before;
      tags.add(List.of("san", moved.san(last)));
    }
    if (!playing.control().isUntimed()) {
      String white = "" + playing.clock(Side.WHITE);
      tags.add(List.of("clock", white, "" + playing.clock(Side.BLACK), "" + at));
    }
    Proposal proposal = playing.proposal();
    if (proposal != null && over == null) {
      String kind = proposal.type() == Proposal.Type.DRAW ? "draw" : "takeback";
      tags.add(List.of(kind, colour(proposal.by())));
    }
    if (over != null) {
      addEnd(tags, over);
    }
    return signer.signLazily(at / 1000, STATE_KIND, new Tags(tags), playing.position().fen());
  }

  public LazilySignedEvent lobby(OpenLobby lobby, long at) {
    return signer.signLazily(at / 1000, LOBBY_KIND, new Tags(lobby.tags()), "");
  }

  public LazilySignedEvent presence(GamePresence presence, long at) {
    return signer.signLazily(at / 1000, PRESENCE_KIND, new Tags(presence.tags()), "");
  }

  private static Position beforeLastMove(OngoingGame playing) {
    List<Move> moves = playing.moves().toList();
    Position position = playing.initial();
    for (Move move : moves.subList(0, moves.size() - 1)) {
      position = position.play(move).orElseThrow();
    }
    return position;
  }

  /** The record of a finished game: the ids of its moves, and the events that have ended it. */
  public Event record(
      GameRef game, FinishedGame over, List<String> plies, List<List<String>> evidence) {
    String white = Npub.of(game.white().player());
    String black = Npub.of(game.black().player());
    List<List<String>> tags = aboutEnd(game, over);
    String ending = over.result().text() + " (" + over.termination().word() + ")";
    tags.add(List.of("alt", "Chess game: " + white + " against " + black + ", " + ending));
    List<String> moves = new ArrayList<>(plies.size() + 1);
    moves.add("plies");
    moves.addAll(plies);
    tags.add(moves);
    tags.addAll(evidence);
    PgnTags named =
        new PgnTags("Casual game", site, white, black, game.white().level(), game.black().level());
    String pgn = Pgn.export(named, over);
    return sign(RECORD_KIND, tags, pgn, over.endedAt());
  }

  /** The word for a side in tags. */
  public static String colour(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }

  private static List<List<String>> players(Seat white, Seat black) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(player(white, Side.WHITE));
    tags.add(player(black, Side.BLACK));
    return tags;
  }

  private static List<String> player(Seat seat, Side side) {
    String key = seat.player().hex();
    return seat.level() == 0
        ? List.of("p", key, "", colour(side))
        : List.of("p", key, "", colour(side), "" + seat.level());
  }

  /** The tags of an event about a game, to which more may be added. */
  public static List<List<String>> about(GameRef game) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("e", game.id().hex(), "", "root"));
    tags.addAll(players(game.white(), game.black()));
    return tags;
  }

  public static List<List<String>> aboutEnd(GameRef game, FinishedGame over) {
    List<List<String>> tags = about(game);
    addEnd(tags, over);
    return tags;
  }

  private static void addEnd(List<List<String>> tags, FinishedGame over) {
    tags.add(List.of("result", over.result().text()));
    tags.add(List.of("termination", over.termination().word()));
  }

  public Event sign(int kind, List<List<String>> tags, String content, long now) {
    return signer.sign(now / 1000, kind, new Tags(tags), content);
  }
}
