package gambit.chess.session.rating;

import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.journal.ChainRow;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.Commit;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over rated records of this relay that were imported into its store: those that go on from
 * the chain of the rows are played again. Owned by the chess lane, once, before it handles events.
 */
record RatedImports(SessionContext context, RelayBuilder relay) {
  private static final Logger LOG = LoggerFactory.getLogger(RatedImports.class);

  private static final int PAGE = 100;

  private record Entry(EventId id, EventId prev, long seq) {}

  /**
   * Takes them over, in commits that precede those of later games.
   *
   * @param then receives, when all is committed, whether the chain can go on: not if the store has
   *     rated records and no chain of them, but one before the last is missing
   */
  void takeOver(Consumer<Boolean> then) {
    RatingChain chain = ChainRow.of(relay::row).chain();
    Optional<List<EventId>> missed = following(chain, entriesAfter(chain));
    if (missed.isEmpty()) {
      LOG.error(
          "Stored rated records of this relay do not continue its chain of {}: some are missing",
          chain.length());
    }
    commit(missed.orElse(List.of()), 0, isDone -> then.accept(isDone && mayGoOn(chain, missed)));
  }

  private static boolean mayGoOn(RatingChain chain, Optional<List<EventId>> missed) {
    return missed.isPresent() || chain.length() > 0;
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

  /** The records from the end of the chain to the one with the greatest number, if none misses. */
  private static Optional<List<EventId>> following(RatingChain chain, Map<EventId, Entry> entries) {
    List<EventId> following = new ArrayList<>();
    Entry entry = entries.values().stream().max(Comparator.comparingLong(Entry::seq)).orElse(null);
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
