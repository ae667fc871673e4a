package gambit.app.server.search;

import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import java.io.IOException;
import java.util.Map;
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

  /**
   * A commit of the index.
   *
   * @param offset up to which it contains the store's changes; 0 if there is none that can be used
   */
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

  /** The last commit in these files, if it can be used. */
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
}
