package gambit.app.server.search;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an index must agree with to be used: its format, the kinds of its events, and the store,
 * which is recognized by its events. It is kept with each commit of the index.
 */
record IndexVersion(KindSet kinds, EventStore store) {
  private static final Logger LOG = LoggerFactory.getLogger(IndexVersion.class);
  private static final String FORMAT = "format";
  private static final String KINDS = "kinds";
  private static final String OFFSET = "offset";
  private static final String NEWEST = "newest";

  /** A commit of the index with the store's changes up to an offset; 0 if none can be used. */
  record Committed(long offset, NewestEvents newest) {
    static Committed none() {
      return new Committed(0, new NewestEvents());
    }
  }

  Map<String, String> commitData(long upTo, NewestEvents newest) {
    return Map.of(
        FORMAT,
        "" + IndexFields.FORMAT,
        KINDS,
        kinds.toString(),
        OFFSET,
        Long.toString(upTo),
        NEWEST,
        newest.toString());
  }

  Committed committed(Directory files) {
    try {
      if (!DirectoryReader.indexExists(files)) {
        return Committed.none();
      }
      Map<String, String> data = SegmentInfos.readLatestCommit(files).getUserData();
      String fault = fault(data);
      if (fault.isEmpty()) {
        DirectoryReader.open(files).close(); // fails if a file is missing or has a damaged head
        return new Committed(offset(data), newest(data));
      }
      LOG.info("The search index is built anew: {}", fault);
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("The search index is built anew, because it cannot be read", e);
    }
    return Committed.none();
  }

  private static long offset(Map<String, String> data) {
    return Long.parseLong(data.getOrDefault(OFFSET, "0"));
  }

  private static NewestEvents newest(Map<String, String> data) {
    return NewestEvents.read(data.getOrDefault(NEWEST, ""));
  }

  private String fault(Map<String, String> data) {
    if (!("" + IndexFields.FORMAT).equals(data.get(FORMAT))) {
      return "it is of another version";
    } else if (!kinds.toString().equals(data.get(KINDS))) {
      return "search.kinds has changed";
    } else if (offset(data) > store.lastOffset() || !newest(data).isOneIn(store)) {
      return "it is not of this store";
    }
    return "";
  }

  /**
   * The events that were added to an index last, by which the store that it was made of is
   * recognized again: another store does not have them, or has them at other offsets. Owned by the
   * thread that changes the index.
   */
  static final class NewestEvents {
    /** So many that hardly ever all of them have been removed since. */
    private static final int MAX = 16;

    private final Deque<String> events = new ArrayDeque<>(); // id@offset, the oldest first

    void add(StoredEvent stored) {
      if (events.size() == MAX) {
        events.remove();
      }
      events.add(text(stored));
    }

    private static String text(StoredEvent stored) {
      return stored.event().id().hex() + "@" + stored.offset();
    }

    static NewestEvents read(String text) {
      NewestEvents read = new NewestEvents();
      read.events.addAll(text.isEmpty() ? List.of() : List.of(text.split(" ", -1)));
      return read;
    }

    boolean isOneIn(EventStore store) {
      Set<EventId> ids =
          events.stream()
              .map(event -> EventId.ofHex(event.replaceFirst("@.*", "")))
              .collect(Collectors.toSet());
      Query query =
          store.query(new Filter(ids, null, null, Map.of(), null, null, null), store.lastOffset());
      boolean isFound = events.isEmpty();
      boolean isLast = isFound;
      while (!isFound && !isLast) {
        Page page = query.next(MAX, Integer.MAX_VALUE);
        isFound = page.found().stream().anyMatch(it -> events.contains(text(it)));
        isLast = page.isLast();
      }
      return isFound;
    }

    @Override
    public String toString() {
      return String.join(" ", events);
    }
  }
}
