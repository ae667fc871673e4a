package gambit.chess.session.jester;

import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Start;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.dialect.JesterReferee;
import gambit.chess.dialect.JesterReferee.Accepted;
import gambit.chess.dialect.JesterReferee.Refused;
import gambit.chess.dialect.JesterReferee.Verdict;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges events of kind 30 by a game and by what is stored. Any thread. */
record JesterJudge(StoredEvents stored, PubKey self) {
  /** The most stored events of the players looked at when the one before them has come. */
  private static final int MAX_WAITING = 64;

  /** The same for a start, which all events of its game name. */
  private static final int MAX_WAITING_FOR_START = 500;

  private static final Reason NO_SEAT = Reason.restricted("you do not play this game");
  private static final Reason OTHER_PLAYER =
      Reason.restricted("this challenge is for another player");

  /** The event before is not known here, or was not judged: an ordinary event for now. */
  record Waiting() implements Verdict {}

  /** A verdict, and the game in which the author has a seat. */
  record Judged(Verdict verdict, JesterGame game) {}

  record Written(Event event, Turn turn) {}

  /** The stored moves and ends of a game that name one of its events, oldest first. */
  List<Written> following(JesterGame game, EventId head) {
    return following(game, head, head.equals(game.id()) ? MAX_WAITING_FOR_START : MAX_WAITING);
  }

  /** The newest stored moves and ends of a game, oldest first. */
  List<Written> latest(JesterGame game) {
    return following(game, game.id(), MAX_WAITING);
  }

  private List<Written> following(JesterGame game, EventId head, int max) {
    Set<PubKey> authors = game.hasBegun() ? Set.copyOf(game.players()) : null;
    List<Written> oldestFirst = new ArrayList<>();
    for (Event event : stored.find(naming(head, JesterMessage.KIND, authors), max)) {
      if (JesterMessage.read(event).orElse(null) instanceof Turn turn
          && turn.start().equals(game.id())) {
        oldestFirst.add(new Written(event, turn));
      }
    }
    Collections.reverse(oldestFirst);
    return oldestFirst;
  }

  static Filter naming(EventId id, int kind, @Nullable Set<PubKey> authors) {
    Map<Character, Set<String>> tags = Map.of('e', Set.of(id.hex()));
    return Filter.of(authors, Set.of(kind), tags);
  }

  /** The verdict on an event of a game that is over; nothing if it is not. */
  Optional<Verdict> afterEnd(Event event, Turn turn) {
    return stored.find(naming(turn.start(), RefereeEvents.RECORD_KIND, Set.of(self)), 1).stream()
        .map(record -> afterEnd(record, event, turn))
        .findFirst();
  }

  private Verdict afterEnd(Event record, Event event, Turn turn) {
    List<String> plies = record.tags().named("plies").findFirst().orElse(List.of());
    boolean repeatsLast =
        plies.size() > 1
            && stored
                .find(EventId.ofHex(plies.get(plies.size() - 1)))
                .filter(last -> last.pubkey().equals(event.pubkey()))
                .flatMap(JesterMessage::read)
                .filter(last -> last instanceof Turn played && isSame(played, turn))
                .isPresent();
    String result = record.tags().first("result").orElse("*");
    String how = record.tags().first("termination").orElse("");
    return repeatsLast ? new Waiting() : new Refused(JesterReferee.over(result, how));
  }

  private static boolean isSame(Turn one, Turn other) {
    return other.illegal() == null
        && one.moves().equals(other.moves())
        && Objects.equals(one.claim(), other.claim())
        && statesTruth(other);
  }

  Judged judge(JesterGame game, Event event, Turn turn, long now) {
    int ply = ply(game, turn.head());
    if (ply < 0) {
      return new Judged(new Waiting(), game);
    }
    PubKey author = event.pubkey();
    boolean hasMove = turn.plies() > ply;
    boolean isSeated = game.sideOf(author) != null;
    if (!isSeated && (game.hasBegun() || !(hasMove || game.isChallenge()))) {
      return new Judged(new Refused(NO_SEAT), game);
    } else if (!isSeated && !mayJoin(game, author)) {
      return new Judged(new Refused(OTHER_PLAYER), game);
    }
    JesterGame seated = isSeated ? game : game.joinedBy(author);
    Side side = seated.ref().sideOf(author);
    return new Judged(
        ply == game.game().plies()
            ? new JesterReferee(game.game(), side, turn, now).decide()
            : judgeEarlier(game, side, turn, ply, now),
        seated);
  }

  /**
   * Judges an event that was written before the last move: a fork, a move that its author has
   * signed a second time because no answer came, or an end without a move.
   */
  private static Verdict judgeEarlier(JesterGame game, Side side, Turn turn, int ply, long now) {
    boolean hasMove = turn.plies() > ply;
    Side mover = ply % 2 == 0 ? Side.WHITE : Side.BLACK;
    if (hasMove && mover != side) {
      return new Refused(JesterReferee.NOT_YOUR_TURN);
    } else if (hasMove && !(turn.plies() == ply + 1 && isOf(game, turn) && statesTruth(turn))) {
      return new Refused(
          Reason.blocked(
              "move %d of %s has been played: %s"
                  .formatted(
                      ply / 2 + 1,
                      RefereeEvents.colour(side),
                      game.snapshot().plies().get(ply).hex())));
    }
    if (turn.claim() != null) {
      return JesterReferee.decideEarlier(game.game(), side, turn.claim(), now);
    }
    return hasMove
        ? new Accepted(game.game(), false)
        : new JesterReferee(game.game(), side, turn, now).decide();
  }

  /** Whether the position of an event is that of its history. */
  private static boolean statesTruth(Turn turn) {
    return turn.lastIsMove() && turn.isAt(Position.initial().after(turn.moves()));
  }

  /** Whether the history of an event is that of a game at its present or an earlier ply. */
  private static boolean isOf(JesterGame game, Turn turn) {
    List<Move> played = game.game().moves().toList();
    return turn.illegal() == null
        && turn.plies() <= played.size()
        && turn.moves().equals(played.subList(0, turn.plies()));
  }

  private boolean mayJoin(JesterGame game, PubKey player) {
    return !game.isChallenge()
        || stored
            .find(game.id())
            .flatMap(JesterMessage::read)
            .filter(message -> message instanceof Start start && start.isFor(player))
            .isPresent();
  }

  /**
   * The number of plies after an event of a game; -1 if it is not known here. Beside the accepted
   * moves, clients name what a player has written with the same history: an offer, or a move that
   * was signed a second time.
   */
  private int ply(JesterGame game, EventId head) {
    int index = head.equals(game.id()) ? -1 : game.snapshot().plies().indexOf(head);
    if (index >= 0 || head.equals(game.id())) {
      return index + 1;
    }
    return stored
        .find(head)
        .filter(event -> game.sideOf(event.pubkey()) != null)
        .flatMap(JesterMessage::read)
        .filter(
            message ->
                message instanceof Turn turn && turn.start().equals(game.id()) && isOf(game, turn))
        .map(message -> ((Turn) message).plies())
        .orElse(-1);
  }
}
