package gambit.chess.session.rating;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.FinishedGame;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.journal.ChainRow;
import gambit.chess.session.journal.PlayerRatings;
import gambit.chess.session.journal.StoredRatings;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The ratings of the players of this relay. They change in the commit of a rated game's end, as
 * rows beside the chain of records that proves them. Owned by the chess lane.
 */
public final class Ratings {
  private static final int KEY_DIGITS = 64;

  private record HeadKey() {}

  private final SessionContext context;
  private final RelayBuilder relay;
  private final Leaderboards leaderboards;

  public Ratings(SessionContext context, RelayBuilder relay) {
    this.context = context;
    this.relay = relay;
    this.leaderboards = new Leaderboards(context);
  }

  /**
   * Takes over rated records that were imported, and restores the leaderboards.
   *
   * @param background runs what no game waits for
   */
  public void recover(Executor background) {
    new RatedImports(context, relay)
        .takeOver(
            isComplete -> {
              context.ratings().setComplete(isComplete);
              scheduleHead(context.ratings().chain());
              background.execute(this::readLeaders);
            });
  }

  /** Reads all rows, which takes some seconds for a million players. Any thread. */
  private void readLeaders() {
    Map<PubKey, PlayerRatings> players = new HashMap<>();
    relay
        .rows(StoredRatings.TABLE)
        .forEach(
            (key, row) -> {
              if (key.length() == KEY_DIGITS) {
                players.put(PubKey.ofHex(key), PlayerRatings.read(key, row));
              }
            });
    context.lane().execute(() -> leaderboards.begin(players));
  }

  /** Adds the record of a rated game, which is signed in the commit of its end. */
  public void end(
      Announcements announcements,
      GameRef game,
      RatedStart rated,
      FinishedGame over,
      RefereeEvents.Draft record) {
    RatedEnd end =
        new RatedEnd(
            context.relay(), game, over, rated.category(), record, context.ratings().areComplete());
    long bytes = RatedEnd.MAX_BYTES + record.maxBytes();
    announcements.addInCommit(new Commit.Addition(end, bytes), () -> ended(end));
  }

  private void ended(RatedEnd end) {
    RatingChain.Link link = end.link();
    if (link != null) {
      Category category = link.category();
      GameRef game = end.game();
      leaderboards.change(
          game.white().player(), category, link.before().white(), link.after().white());
      leaderboards.change(
          game.black().player(), category, link.before().black(), link.after().black());
      leaderboards.publishLater(category);
      scheduleHead(end.chain());
    }
  }

  /** Schedules the head that is due if no further game ends. */
  private void scheduleHead(ChainRow chain) {
    chain
        .secondsToHead(context.now() / 1000)
        .ifPresentOrElse(
            seconds -> context.schedule(new HeadKey(), Duration.ofSeconds(seconds), this::signHead),
            () -> context.cancel(new HeadKey()));
  }

  private void signHead() {
    long now = context.now();
    context.commit(
        new Commit.Addition(rows -> head(rows, now), RatedEnd.MAX_BYTES),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            scheduleHead(context.ratings().chain());
          } else {
            context.schedule(new HeadKey(), Duration.ofMinutes(1), this::signHead);
          }
        });
  }

  private Optional<Commit> head(Commit.Rows rows, long now) {
    ChainRow before = ChainRow.of(rows);
    long time = before.chain().timeOf(now / 1000);
    if (!before.needsHead(time)) {
      return Optional.of(Commit.of(List.of()));
    }
    Event head = context.relay().head(before.chain(), now);
    Row row = before.withHead(time).row();
    return Optional.of(new Commit(List.of(head), List.of(), List.of(row)));
  }
}
