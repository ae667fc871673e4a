package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.FinishedGame;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.play.StoredRatings.ChainRow;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The end of a rated game: adds its record to the chain, and changes both ratings, in the commit of
 * the end. A game that does not count gets an ordinary record. Made on the chess lane, and called
 * on the writer's thread, perhaps more than once: the last call counts.
 */
public final class RatedEnd implements Function<Commit.Rows, Optional<Commit>> {
  /** An upper bound of the size of what is added besides the record. */
  static final int MAX_BYTES = 8_192;

  private final RefereeEvents relay;
  private final GameRef game;
  private final FinishedGame over;
  private final Category category;
  private final RefereeEvents.Draft record;
  private final boolean mayCount;
  private ChainRow chain = ChainRow.START;
  private RatingChain.@Nullable Link link;

  /** Takes {@code mayCount}: whether the chain goes on. */
  public RatedEnd(
      RefereeEvents relay,
      GameRef game,
      FinishedGame over,
      Category category,
      RefereeEvents.Draft record,
      boolean mayCount) {
    this.relay = relay;
    this.game = game;
    this.over = over;
    this.category = category;
    this.record = record;
    this.mayCount = mayCount && over.last().plies() >= 2;
  }

  GameRef game() {
    return game;
  }

  /** What the committed end has changed; null if the game does not count. */
  RatingChain.@Nullable Link link() {
    return link;
  }

  /** The chain with the record, if the game counts. */
  ChainRow chain() {
    return chain;
  }

  @Override
  public Optional<Commit> apply(Commit.Rows rows) {
    ChainRow before = ChainRow.of(rows);
    PubKey white = game.white().player();
    PubKey black = game.black().player();
    Players players = Players.read(rows, white, black);
    long createdAt = over.endedAt() / 1000;
    long day = before.chain().dayOf(createdAt);
    if (!mayCount || !players.mayPlay(day)) {
      link = null;
      return Optional.of(Commit.of(List.of(record.sign(List.of()))));
    }
    RatingChain.Link added =
        before.chain().next(category, white, black, players.in(category), over.result(), createdAt);
    link = added;
    Event signed = record.sign(added.tags());
    List<Event> events = new ArrayList<>(2);
    events.add(signed);
    ChainRow after = before.with(added.with(signed.id()));
    if (after.needsHead(added.time())) {
      events.add(relay.head(after.chain(), over.endedAt()));
      after = after.withHead(added.time());
    }
    chain = after;
    return Optional.of(new Commit(events, List.of(), players.rowsAfter(added, day, after)));
  }

  /** The players of a rated game, with what their rows have. Immutable. */
  record Players(PubKey white, PubKey black, PlayerRatings whites, PlayerRatings blacks) {

    static Players read(Commit.Rows rows, PubKey white, PubKey black) {
      return new Players(
          white, black, PlayerRatings.of(rows, white), PlayerRatings.of(rows, black));
    }

    RatingChain.Pair in(Category category) {
      return new RatingChain.Pair(whites.in(category), blacks.in(category));
    }

    /** The games of a pair are counted in the row of the smaller key. */
    private boolean isCountedByWhite() {
      return white.compareTo(black) < 0;
    }

    boolean mayPlay(long day) {
      int games =
          isCountedByWhite() ? whites.gamesAgainst(black, day) : blacks.gamesAgainst(white, day);
      return games < RatingChain.MAX_GAMES_OF_A_PAIR;
    }

    /** The rows after their game, which is counted on its day, and that of the chain. */
    List<Row> rowsAfter(RatingChain.Link link, long day, ChainRow chain) {
      PlayerRatings whitesAfter = whites.with(link.category(), link.after().white());
      PlayerRatings blacksAfter = blacks.with(link.category(), link.after().black());
      if (isCountedByWhite()) {
        whitesAfter = whitesAfter.withGameAgainst(black, day);
      } else {
        blacksAfter = blacksAfter.withGameAgainst(white, day);
      }
      return List.of(whitesAfter.row(white), blacksAfter.row(black), chain.row());
    }
  }
}
