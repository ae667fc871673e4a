package gambit.chess.dialect;

import gambit.chess.dialect.GameRef.Seat;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Pgn;
import gambit.chess.game.PgnTags;
import gambit.chess.game.Proposal;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Lot;
import gambit.chess.rating.RatingChain;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the events that the relay signs as the referee, which are the same in all dialects. Those
 * about a game name both players, and all except the first one name the game. Times are epoch
 * milliseconds. Thread-safe.
 */
public final class RefereeEvents {
  public static final String GAME_IS_FOUND = "gameisfound";

  public static final int FOUND_KIND = 5000;
  private static final int MOVE_KIND = 5001;
  public static final int STATE_KIND = 20302;
  public static final int LOBBY_KIND = 20305;
  public static final int PRESENCE_KIND = 20306;
  public static final int RECORD_KIND = 64;
  public static final int HEAD_KIND = 30064;
  public static final int LOTS_KIND = 30065;
  public static final int LEADERBOARD_KIND = 20307;
  public static final int PLAYER_KIND = 20308;

  /** The endings by an event of a player that is not a move. */
  private static final Set<Termination> EVIDENT =
      Set.of(
          Termination.AGREEMENT,
          Termination.RESIGNATION,
          Termination.THREEFOLD,
          Termination.FIFTYMOVES,
          Termination.ABANDONED);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Signer signer;
  private final String site;

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
  public Event gameIsFound(
      Seat white,
      Seat black,
      TimeControl time,
      Position from,
      @Nullable Lot lot,
      @Nullable RatedStart rated,
      long now) {
    List<List<String>> tags = players(white, black);
    tags.add(List.of("time", time.text()));
    if (!from.fen().equals(Position.initial().fen())) {
      tags.add(List.of("fen", from.fen()));
    }
    if (lot != null) {
      tags.add(lot.tag());
    }
    if (rated != null) {
      tags.addAll(rated.tags());
    }
    byte[] nonce = new byte[8];
    RANDOM.nextBytes(nonce);
    tags.add(List.of("nonce", HexFormat.of().formatHex(nonce)));
    return sign(FOUND_KIND, tags, GAME_IS_FOUND, now);
  }

  /**
   * Publishes a chain of lots.
   *
   * @param end its last value, in hex
   * @param after what binds it to its predecessor ({@link gambit.chess.rating.LotChain#after}), or
   *     null
   */
  public Event lots(int chain, String end, int length, @Nullable String after, long now) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("d", "" + chain));
    tags.add(List.of(Lot.TAG, end));
    tags.add(List.of("length", "" + length));
    if (after != null) {
      tags.add(List.of("after", after));
    }
    tags.add(List.of("alt", "Chain of lots for colours"));
    return sign(LOTS_KIND, tags, "", now);
  }

  public static boolean isFirstOfGame(Event event) {
    return event.kind() == FOUND_KIND
        && event.content().equals(GAME_IS_FOUND)
        && event.tags().root().isEmpty();
  }

  /**
   * Whether an event of the relay is part of a chain that a gap would break: the record of a rated
   * game, a head of the rated games, or a chain of lots.
   */
  public static boolean isOfChain(Event event) {
    return event.kind() == HEAD_KIND
        || event.kind() == LOTS_KIND
        || (event.kind() == RECORD_KIND && event.tags().first("seq").isPresent());
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
  public LazilySignedEvent state(
      GameRef game, Game state, @Nullable Position before, List<List<String>> more) {
    FinishedGame over = state instanceof FinishedGame finished ? finished : null;
    OngoingGame playing = over == null ? (OngoingGame) state : over.last();
    long at = over == null ? playing.changedAt() : over.endedAt();
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
    if (game.rated() != null) {
      tags.addAll(game.rated().tags());
    }
    if (over != null) {
      addEnd(tags, over);
    }
    tags.addAll(more);
    return signer.signLazily(at / 1000, STATE_KIND, new Tags(tags), playing.position().fen());
  }

  /** A current fact that its tags state: the lobby, a presence, a leaderboard. */
  public LazilySignedEvent current(int kind, List<List<String>> tags, long at) {
    return signer.signLazily(at / 1000, kind, new Tags(tags), "");
  }

  private static Position beforeLastMove(OngoingGame playing) {
    List<Move> moves = playing.moves().toList();
    return playing.initial().after(moves.subList(0, moves.size() - 1));
  }

  /** The record of a finished game, to be signed. Immutable. */
  public record Draft(RefereeEvents relay, List<List<String>> tags, String pgn, long endedAt) {
    /** An upper bound of the size of the record without further tags. */
    public long maxBytes() {
      long elements = tags.stream().flatMap(List::stream).mapToLong(it -> it.length() + 3).sum();
      return 2 * (512 + pgn.length() + elements); // a character of JSON in JSON is escaped
    }

    public Event sign(List<List<String>> more) {
      List<List<String>> all = new ArrayList<>(tags);
      all.addAll(more);
      return relay.sign(RECORD_KIND, all, pgn, endedAt);
    }
  }

  /** The record of a finished game: the ids of its moves, and the events that have ended it. */
  public Draft record(
      GameRef game, FinishedGame over, List<String> plies, List<List<String>> evidence) {
    String white = Nip19.npub(game.white().player());
    String black = Nip19.npub(game.black().player());
    List<List<String>> tags = aboutEnd(game, over);
    String ending = over.result().text() + " (" + over.termination().word() + ")";
    tags.add(List.of("alt", "Chess game: " + white + " against " + black + ", " + ending));
    List<String> moves = new ArrayList<>(plies.size() + 1);
    moves.add("plies");
    moves.addAll(plies);
    tags.add(moves);
    tags.addAll(evidence);
    String pgn =
        Pgn.export(
            new PgnTags(
                event(game), site, pgnPlayer(game, Side.WHITE), pgnPlayer(game, Side.BLACK)),
            over);
    return new Draft(this, tags, pgn, over.endedAt());
  }

  /**
   * The proof that players have ended a game by agreement, resignation or claim.
   *
   * @param ending the proof of the event that has ended it, if a player has done so
   */
  public static List<List<String>> evidence(
      Termination termination, @Nullable List<String> proposal, Optional<List<String>> ending) {
    List<List<String>> evidence = new ArrayList<>();
    if (termination == Termination.AGREEMENT && proposal != null) {
      evidence.add(proposal);
    }
    if (EVIDENT.contains(termination)) {
      ending.ifPresent(evidence::add);
    }
    return evidence;
  }

  private static String event(GameRef game) {
    RatedStart rated = game.rated();
    return rated == null ? "Casual game" : "Rated " + rated.category().word() + " game";
  }

  private static PgnTags.Player pgnPlayer(GameRef game, Side side) {
    Seat seat = game.seat(side);
    RatedStart rated = game.rated();
    return new PgnTags.Player(
        Nip19.npub(seat.player()), seat.level(), rated == null ? 0 : rated.of(side).rating());
  }

  /** The head of the chain of rated records, kind 30064. */
  public Event head(RatingChain chain, long at) {
    return sign(
        HEAD_KIND,
        List.of(
            List.of("d", "" + chain.length()),
            List.of("e", chain.last().hex()),
            List.of("ratings", HexFormat.of().formatHex(chain.ratings())),
            List.of("alt", "Head of the chain of rated games")),
        "",
        at);
  }

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
