package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.FinishedGame;
import gambit.chess.rating.Category;
import gambit.chess.rating.Glicko2;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.play.StoredRatings.ChainRow;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  /** Takes over rated records that were imported, and restores the leaderboards. */
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
            () -> context.deadlines().cancel(new HeadKey()));
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

  /**
   * Takes over rated records of this relay that were imported into its store: those that go on from
   * the chain of the rows are played again. Owned by the chess lane, once, before it handles
   * events.
   */
  record RatedImports(SessionContext context, RelayBuilder relay) {
    private static final Logger LOG = LoggerFactory.getLogger(RatedImports.class);

    private static final int PAGE = 100;

    private record Entry(EventId id, EventId prev, long seq) {}

    /**
     * Takes them over, in commits that precede those of later games.
     *
     * @param then receives, when all is committed, whether the chain can go on: not if the store
     *     has rated records and no chain of them, but one before the last is missing
     */
    void takeOver(Consumer<Boolean> then) {
      RatingChain chain = ChainRow.of(relay::row).chain();
      Optional<List<EventId>> missed = following(chain, entriesAfter(chain));
      if (missed.isEmpty()) {
        LOG.error(
            "Stored rated records of this relay do not continue its chain of {}: some are missing",
            chain.length());
      }
      commit(
          missed.orElse(List.of()),
          0,
          isDone -> then.accept(isDone && (missed.isPresent() || chain.length() > 0)));
    }

    /** The records with greater numbers than the chain has; the newest records are looked at. */
    private Map<EventId, Entry> entriesAfter(RatingChain chain) {
      Map<EventId, Entry> entries = new HashMap<>();
      Long until = null;
      int max = PAGE;
      boolean isLast = false;
      while (!isLast) {
        List<Event> page = relay.storedEvents().find(records(until), max);
        int before = entries.size();
        boolean hasLater = false;
        for (Event event : page) {
          RatedRecord record = RatedRecord.isRated(event) ? RatedRecord.of(event) : null;
          if (record != null && record.seq() > chain.length()) {
            entries.put(record.id(), new Entry(record.id(), record.prev(), record.seq()));
            hasLater = true;
          }
        }
        isLast = page.size() < max || !hasLater;
        until = page.isEmpty() ? null : page.get(page.size() - 1).createdAt();
        max = entries.size() == before ? 2 * max : max; // one second has more than a page
      }
      return entries;
    }

    private Filter records(@Nullable Long until) {
      Set<String> topics =
          Stream.of(Category.values()).map(Category::topic).collect(Collectors.toSet());
      return new Filter(
          null,
          Set.of(context.relay().pubkey()),
          Set.of(RefereeEvents.RECORD_KIND),
          Map.of('t', topics),
          null,
          until,
          null);
    }

    /**
     * The records from the end of the chain to the one with the greatest number, if none misses.
     */
    private static Optional<List<EventId>> following(
        RatingChain chain, Map<EventId, Entry> entries) {
      List<EventId> following = new ArrayList<>();
      Entry entry =
          entries.values().stream().max(Comparator.comparingLong(Entry::seq)).orElse(null);
      boolean isFound = entry == null;
      while (entry != null) {
        following.add(entry.id());
        isFound = entry.prev().equals(chain.last());
        entry = isFound ? null : entries.get(entry.prev());
      }
      Collections.reverse(following);
      return isFound ? Optional.of(following) : Optional.empty();
    }

    private void commit(List<EventId> ids, int from, Consumer<Boolean> then) {
      if (from >= ids.size()) {
        then.accept(true);
        return;
      }
      int to = Math.min(ids.size(), from + PAGE);
      List<RatedRecord> portion = read(ids.subList(from, to));
      context.commit(
          new Commit.Addition(rows -> replay(rows, portion), portion.size() * 1024L),
          outcome -> {
            if (outcome == WriteOutcome.STORED) {
              LOG.info("{} of {} imported rated games are taken over", to, ids.size());
              commit(ids, to, then);
            } else {
              LOG.error("Imported rated games could not be taken over: {}", outcome);
              then.accept(false);
            }
          });
    }

    private List<RatedRecord> read(List<EventId> ids) {
      Filter filter = new Filter(Set.copyOf(ids), null, null, Map.of(), null, null, null);
      Map<EventId, Event> found =
          relay.storedEvents().find(filter, ids.size()).stream()
              .collect(Collectors.toMap(Event::id, event -> event));
      return ids.stream().map(found::get).filter(Objects::nonNull).map(RatedRecord::of).toList();
    }

    /** The rows after some records; empty if one of them is not what follows from those before. */
    private static Optional<Commit> replay(Commit.Rows stored, List<RatedRecord> records) {
      Map<ByteBuffer, Row> changed = new LinkedHashMap<>();
      Commit.Rows rows =
          (table, key) -> {
            Row row = changed.get(ByteBuffer.wrap(key));
            return row == null ? stored.row(table, key) : Optional.ofNullable(row.value());
          };
      for (RatedRecord record : records) {
        ChainRow before = ChainRow.of(rows);
        RatedEnd.Players players = RatedEnd.Players.read(rows, record.white(), record.black());
        RatingChain.Link link =
            before
                .chain()
                .next(
                    record.category(),
                    record.white(),
                    record.black(),
                    players.in(record.category()),
                    record.result(),
                    record.createdAt());
        if (!link.isStatedBy(record)) {
          LOG.error("Rated record {} ({}) does not follow", record.seq(), record.id().hex());
          return Optional.empty();
        }
        long day = before.chain().dayOf(record.createdAt());
        players
            .rowsAfter(link, day, before.with(link.with(record.id())))
            .forEach(row -> changed.put(ByteBuffer.wrap(row.key()), row));
      }
      return Optional.of(new Commit(List.of(), List.of(), List.copyOf(changed.values())));
    }
  }

  /**
   * The best players of each category whose deviation is at most {@link
   * Rating#MAX_LEADER_DEVIATION}, published as current states of kind 20307. A change costs the
   * logarithm of the number of such players, each of whom occupies some 150 bytes. Owned by the
   * chess lane.
   */
  private static final class Leaderboards {
    static final int MAX_PLAYERS = 100;

    private static final long REST_MILLIS = 10_000;

    /** A player whose deviation was small enough after the last game. */
    private record Leader(PubKey player, Rating rating) implements Comparable<Leader> {
      private static final Comparator<Leader> BEST_FIRST =
          Comparator.<Leader>comparingInt(it -> it.rating.rating())
              .reversed()
              .thenComparing(Leader::player);

      @Override
      public int compareTo(Leader other) {
        return BEST_FIRST.compare(this, other);
      }

      List<String> tag(int deviation) {
        RatedStart.Strength strength = RatedStart.Strength.of(rating.rating(), deviation);
        return List.of(
            "rating",
            player.hex(),
            "" + strength.rating(),
            "" + strength.deviation(),
            "" + rating.games());
      }
    }

    private record PublicationKey(Category category) {}

    private record Changed(PubKey player, Category category) {}

    private final SessionContext context;
    private final Map<Category, NavigableSet<Leader>> leaders = new EnumMap<>(Category.class);
    private final Set<Changed> changed = new HashSet<>(); // before it has begun
    private boolean hasBegun;

    Leaderboards(SessionContext context) {
      this.context = context;
      for (Category category : Category.values()) {
        leaders.put(category, new TreeSet<>());
      }
    }

    private NavigableSet<Leader> of(Category category) {
      return Objects.requireNonNull(leaders.get(category));
    }

    /**
     * Takes the stored ratings, and publishes all leaderboards. Those that have changed since are
     * newer.
     */
    void begin(Map<PubKey, PlayerRatings> stored) {
      stored.forEach(
          (player, ratings) ->
              ratings
                  .ratings()
                  .forEach(
                      (category, rating) -> {
                        if (!changed.contains(new Changed(player, category))) {
                          add(player, category, rating);
                        }
                      }));
      changed.clear();
      hasBegun = true;
      for (Category category : Category.values()) {
        publish(category);
      }
    }

    private void add(PubKey player, Category category, Rating rating) {
      if (rating.deviation() <= Rating.MAX_LEADER_DEVIATION) {
        of(category).add(new Leader(player, rating));
      }
    }

    void change(PubKey player, Category category, Rating before, Rating after) {
      if (!hasBegun) {
        changed.add(new Changed(player, category));
      }
      of(category).remove(new Leader(player, before));
      add(player, category, after);
    }

    /** Publishes a category soon; a category is published at most once in ten seconds. */
    void publishLater(Category category) {
      if (hasBegun) {
        context.publishAtWholeSecond(
            new PublicationKey(category), REST_MILLIS, () -> publish(category));
      }
    }

    private void publish(Category category) {
      List<List<String>> tags = tags(category, context.now() / 1000);
      context.send(
          context.current(RefereeEvents.LEADERBOARD_KIND, category.word(), Set.of(), tags, false));
    }

    /** The best players, without those whose deviation has grown too much since their last game. */
    private List<List<String>> tags(Category category, long now) {
      List<List<String>> tags = new ArrayList<>();
      tags.add(List.of("d", category.word()));
      Iterator<Leader> best = of(category).iterator();
      while (best.hasNext() && tags.size() <= MAX_PLAYERS) {
        Leader leader = best.next();
        int deviation = Glicko2.deviationAt(leader.rating(), now);
        if (deviation > Rating.MAX_LEADER_DEVIATION) {
          best.remove();
        } else {
          tags.add(leader.tag(deviation));
        }
      }
      return tags;
    }
  }
}
