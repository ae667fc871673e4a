package gambit.app.verify;

import gambit.app.client.ReceivedEvent;
import gambit.app.verify.Replay.Played;
import gambit.chess.game.PgnGame;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a game ended as its record says: by the position, by what the players signed, or, for
 * time and conduct, by the relay's word. One thread.
 */
final class EndingCheck {

  /** What players say that can end a game. */
  private enum Word {
    RESIGN,
    OFFER,
    ACCEPT,
    CLAIM,
    /** Ephemeral: accepts, else claims, else offers. */
    DRAW
  }

  private record Said(Side side, Word word) {}

  /** How a game ends without anybody's word. */
  private static final Set<Termination> BY_POSITION =
      Arrays.stream(Outcome.values()).map(Termination::of).collect(Collectors.toSet());

  /** For how many seconds one may be gone from a game without clocks. */
  private static final long UNTIMED_GRACE = 24 * 60 * 60;

  private final Evidence evidence;
  private final Announcement announcement;
  private final Authenticity authenticity;
  private final Timeline timeline;
  private final Findings findings;
  private final Set<Said> said = new HashSet<>();

  EndingCheck(
      Evidence evidence,
      Announcement announcement,
      Authenticity authenticity,
      Timeline timeline,
      Findings findings) {
    this.evidence = evidence;
    this.announcement = announcement;
    this.authenticity = authenticity;
    this.timeline = timeline;
    this.findings = findings;
  }

  /** Checks the end of a game whose moves hold. */
  void check(
      Event record, Played played, Optional<PgnGame> pgn, Result result, Termination termination) {
    for (String id : Protocol.listed(record, Protocol.ENDING)) {
      hear(id, played.last());
    }
    record.tags().named(Protocol.PROOF).forEach(tag -> hearProof(tag.size() > 1 ? tag.get(1) : ""));
    Position end = played.end();
    Optional<Termination> byPosition = end.outcome().map(Termination::of);
    if (byPosition.isPresent() && byPosition.get() != termination) {
      findings.wrong(
          "The moves end the game by " + Replay.words(end) + ", not by " + termination.word());
      return;
    } else if (byPosition.isEmpty() && BY_POSITION.contains(termination)) {
      findings.wrong("The moves do not end the game by " + termination.word());
      return;
    } else if (!isPossible(termination, played.moves().size())) {
      findings.wrong("So early, or with this time control, no game ends by " + termination.word());
      return;
    }
    boolean holds =
        switch (termination) {
          case CHECKMATE -> position(end, result, Result.winFor(end.turn().opponent()));
          case STALEMATE, DEADPOSITION, FIVEFOLD, SEVENTYFIVEMOVES ->
              position(end, result, Result.DRAW);
          case THREEFOLD -> claim(end, result, end.threefold(), "threefold repetition");
          case FIFTYMOVES -> claim(end, result, end.fiftyMoves(), "the fifty-move rule");
          case AGREEMENT -> agreement(result, played);
          case RESIGNATION -> resignation(result);
          case TIMEOUT -> timeout(played, pgn, result);
          case ILLEGALMOVES -> illegalMoves(played, result);
          case ABANDONED -> abandonment(end, result);
          case ABORTED -> false;
        };
    if (!holds) {
      findings.wrong("The result " + result.text() + " does not go with " + termination.word());
    }
  }

  private void hear(String id, Optional<Event> last) {
    String what = "The ending";
    Event event = evidence.events().get(id);
    if (event == null) {
      findings.wrong(what + ": the event " + id + " is missing (its author may have deleted it)");
      return;
    }
    Optional<Word> word = word(event, last);
    boolean move = event.kind() == Protocol.MOVE;
    if (word.isEmpty()) {
      findings.wrong(what + ": the event " + event.id() + " ends no game");
    } else if (authenticity.isPlayers(author(event), what, event)
        && (move || authenticity.isUnused(what, event))) {
      say(what, event, word.get());
    }
  }

  private void hearProof(String json) {
    String what = "The ending";
    Optional<PubKey> author = ReceivedEvent.read(json).map(this::author);
    Optional<Event> proof = authenticity.proof(author.orElse(announcement.white()), what, json);
    proof.ifPresent(
        event -> {
          switch (event.content()) {
            case "resign", "quit" -> say(what, event, Word.RESIGN);
            case "draw" -> say(what, event, Word.DRAW);
            default -> findings.wrong(what + ": the event " + event.id() + " ends no game");
          }
        });
  }

  /**
   * Takes a player's word, if it can have been given after the moves. An offer stands also when its
   * author has moved after it, until the opponent moves.
   */
  private void say(String what, Event event, Word word) {
    Side side = announcement.sideOf(event.pubkey());
    boolean mayPrecedeOwnMove = word == Word.OFFER || word == Word.DRAW;
    if (authenticity.follows(side.opponent(), what, event)
        && (mayPrecedeOwnMove || authenticity.follows(side, what, event))) {
      said.add(new Said(side, word));
    }
  }

  /** The player who has to have signed it: its author, or if that is neither of them, White. */
  private PubKey author(Event event) {
    PubKey black = announcement.black();
    return event.pubkey().equals(black) ? black : announcement.white();
  }

  private static Optional<Word> word(Event event, Optional<Event> last) {
    String content = event.content();
    if (event.kind() == Protocol.RESIGN && content.equals("resign")) {
      return Optional.of(Word.RESIGN);
    } else if (event.kind() == Protocol.DRAW) {
      return switch (content) {
        case "offer" -> Optional.of(Word.OFFER);
        case "accept" -> Optional.of(Word.ACCEPT);
        case "claim" -> Optional.of(Word.CLAIM);
        default -> Optional.empty();
      };
    }
    boolean offersWithTheLastMove =
        last.equals(Optional.of(event)) && event.tags().first("draw").equals(Optional.of("offer"));
    return offersWithTheLastMove ? Optional.of(Word.OFFER) : Optional.empty();
  }

  private boolean position(Position end, Result result, Result right) {
    findings.proved("The moves end the game by " + Replay.words(end) + ".");
    return result == right;
  }

  private boolean claim(Position end, Result result, boolean claimable, String rule) {
    String side = Protocol.name(end.turn());
    if (!claimable) {
      findings.wrong("The moves allow no claim of a draw by " + rule);
    } else if (!says(end.turn(), Word.CLAIM, Word.DRAW)) {
      findings.wrong("Nothing that " + side + " signed claims the draw");
    } else {
      findings.proved(side + " claimed a draw by " + rule + ", and the moves allow it.");
    }
    return result == Result.DRAW;
  }

  /** Whoever has moved may offer a draw; the opponent may accept it before a move. */
  private boolean agreement(Result result, Played played) {
    boolean asked =
        Arrays.stream(Side.values())
            .anyMatch(side -> hasMoved(side, played) && says(side, Word.OFFER, Word.DRAW));
    boolean agreed = true;
    for (Side side : Side.values()) {
      if (!says(side, Word.OFFER, Word.ACCEPT, Word.DRAW)) {
        findings.wrong("Nothing that " + Protocol.name(side) + " signed agrees to a draw");
        agreed = false;
      }
    }
    if (agreed && asked) {
      findings.proved("Both players agreed to a draw.");
    } else if (agreed) {
      findings.wrong("Nothing that a player signed who had moved offers a draw");
    }
    return result == Result.DRAW;
  }

  private boolean hasMoved(Side side, Played played) {
    return played.moves().size() > (side == announcement.initial().turn() ? 0 : 1);
  }

  private boolean resignation(Result result) {
    Optional<Side> winner = winner(result);
    winner.ifPresent(
        side -> {
          String loser = Protocol.name(side.opponent());
          if (says(side.opponent(), Word.RESIGN)) {
            findings.proved(loser + " resigned.");
          } else {
            findings.wrong("Nothing that " + loser + " signed resigns");
          }
        });
    return winner.isPresent();
  }

  /** The side in turn loses, unless the other one has nothing to mate with (FIDE 6.9, 7.5.5). */
  private boolean forfeit(Position end, Result result, String how) {
    Side loser = end.turn();
    Side other = loser.opponent();
    findings.attested("That " + Protocol.name(loser) + " " + how + ".");
    return result == (end.canMate(other) ? Result.winFor(other) : Result.DRAW);
  }

  /** Nobody's time is up before it has passed since the opponent's last move. */
  private boolean timeout(Played played, Optional<PgnGame> pgn, Result result) {
    Side loser = played.end().turn();
    long earliest = timeline.earliest(loser.opponent());
    Optional<Long> left = secondsLeft(played, pgn).filter(it -> timeline.end() < earliest + it);
    left.ifPresent(
        seconds ->
            findings.wrong(
                "%s had %d s, and the record was signed %d s after the other's last move"
                    .formatted(Protocol.name(loser), seconds, timeline.end() - earliest)));
    return forfeit(played.end(), result, "ran out of time");
  }

  /** What the side in turn had for its move, as far as the record says. */
  private Optional<Long> secondsLeft(Played played, Optional<PgnGame> pgn) {
    TimeControl time = announcement.time();
    int ply = played.moves().size() - 2;
    if (time.isPerMove() || ply < 0) {
      return Optional.of(time.baseMillis() / 1000);
    }
    return pgn.map(text -> text.moves().clocks())
        .filter(clocks -> ply < clocks.length && clocks[ply] >= 0)
        .map(clocks -> clocks[ply] / 10L);
  }

  /** Only players of NIP-100 lose by illegal moves. */
  private boolean illegalMoves(Played played, Result result) {
    Side loser = played.end().turn();
    if (played.ephemeral().contains(loser)) {
      findings.wrong(
          "In the dialect of " + Protocol.name(loser) + ", illegal moves lose no game (NIP-100)");
    }
    return forfeit(played.end(), result, "played two illegal moves");
  }

  /**
   * Whether a game can end so after that many plies. Clocks run when both have moved, in
   * correspondence from the start, where one may always be gone; who is gone before both have moved
   * has the game aborted.
   */
  private boolean isPossible(Termination termination, int plies) {
    TimeControl time = announcement.time();
    return switch (termination) {
      case TIMEOUT -> !time.isUntimed() && (time.isCorrespondence() || plies >= 2);
      case ABANDONED -> !time.isCorrespondence() && plies >= 2;
      case AGREEMENT -> plies >= 1;
      default -> true;
    };
  }

  private boolean abandonment(Position end, Result result) {
    Optional<Side> winner = winner(result);
    long here =
        Arrays.stream(Side.values())
            .filter(side -> !winner.equals(Optional.of(side)))
            .mapToLong(timeline::earliest)
            .min()
            .orElseThrow();
    if (announcement.time().isUntimed() && timeline.end() < here + UNTIMED_GRACE) {
      findings.wrong("In a game without clocks, nobody loses before having been gone for a day");
    }
    findings.attested(
        "That "
            + winner.map(side -> Protocol.name(side.opponent())).orElse("one of the players")
            + " left the game.");
    return winner.isPresent()
        ? end.canMate(winner.get())
        : result == Result.DRAW && !(end.canMate(Side.WHITE) && end.canMate(Side.BLACK));
  }

  private boolean says(Side side, Word... words) {
    return Arrays.stream(words).anyMatch(word -> said.contains(new Said(side, word)));
  }

  private static Optional<Side> winner(Result result) {
    return switch (result) {
      case WHITE_WINS -> Optional.of(Side.WHITE);
      case BLACK_WINS -> Optional.of(Side.BLACK);
      case DRAW, NONE -> Optional.empty();
    };
  }
}
