package gambit.app.server.search;

import gambit.app.server.search.IndexVersion.Committed;
import gambit.app.server.search.IndexVersion.NewestEvents;
import gambit.core.files.Directories;
import gambit.core.log.LimitedLog;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The index of words on disk, made with Lucene. Its last Lucene commit contains the changes of the
 * store up to an offset, and survives a crash; later changes are applied again.
 *
 * <p>Threads: one changes the index; {@link #find} may run on another one at the same time. Merging
 * runs on a thread of Lucene.
 */
final class TextIndex implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(TextIndex.class);

  private static final double BUFFER_MEGABYTES = 16;

  /** The best match first; the newest of equal ones. */
  private static final Sort ORDER =
      new Sort(
          SortField.FIELD_SCORE,
          new SortField(IndexFields.CREATED_AT, SortField.Type.LONG, true),
          new SortField(IndexFields.OFFSET, SortField.Type.LONG, true));

  private final Directory files;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private final IndexVersion version;
  private final long offset;
  private final NewestEvents newest;

  private TextIndex(
      Directory files, WordAnalyzer analyzer, IndexVersion version, Committed committed)
      throws IOException {
    this.files = files;
    this.version = version;
    this.offset = committed.offset();
    this.newest = committed.newest();
    TieredMergePolicy merging = new TieredMergePolicy();
    merging.setForceMergeDeletesPctAllowed(0);
    ConcurrentMergeScheduler mergeThreads =
        new ConcurrentMergeScheduler() {
          @Override
          protected void handleMergeException(Throwable e) {
            LOG.warn("The files of the search index could not be merged", e);
          }
        };
    mergeThreads.setMaxMergesAndThreads(2, 1);
    this.writer =
        new IndexWriter(
            files,
            new IndexWriterConfig(analyzer)
                .setOpenMode(offset > 0 ? OpenMode.APPEND : OpenMode.CREATE)
                .setCommitOnClose(false)
                .setRAMBufferSizeMB(BUFFER_MEGABYTES)
                .setMergePolicy(merging)
                .setMergeScheduler(mergeThreads));
    try {
      this.searchers = new SearcherManager(writer, null);
    } catch (Throwable e) {
      writer.close();
      throw e;
    }
  }

  /**
   * Opens the index of a store, or an empty one if there is none that can be used; deletes a
   * damaged one.
   */
  static TextIndex open(
      Path directory, boolean isDamaged, WordAnalyzer analyzer, KindSet kinds, EventStore store)
      throws IOException {
    Directories.createPrivate(directory);
    Directory files = FSDirectory.open(directory);
    try {
      IndexVersion version = new IndexVersion(kinds, store);
      Committed committed = isDamaged ? Committed.none() : version.committed(files);
      if (committed.offset() == 0) {
        for (String name : files.listAll()) {
          files.deleteFile(name);
        }
      }
      return new TextIndex(files, analyzer, version, committed);
    } catch (Throwable e) {
      files.close();
      throw e;
    }
  }

  /** The offset up to which the changes of the store were in the index when it was opened. */
  long offset() {
    return offset;
  }

  int size() {
    return writer.getDocStats().numDocs;
  }

  void apply(Changes changes) throws IOException {
    for (StoredEvent stored : changes.added()) {
      writer.addDocument(IndexFields.document(stored));
      newest.add(stored);
    }
    for (long gone : changes.removed()) {
      remove(gone);
    }
  }

  void remove(long gone) throws IOException {
    writer.deleteDocuments(IndexFields.byOffset(gone));
  }

  void refresh() throws IOException {
    searchers.maybeRefreshBlocking();
  }

  void commit(long upTo) throws IOException {
    writer.setLiveCommitData(version.commitData(upTo, newest).entrySet());
    writer.commit();
  }

  boolean hasRemoved() {
    return writer.hasDeletions();
  }

  /** Whether there are changes or merged files since the last commit, which keeps the old files. */
  boolean isUncommitted() {
    return writer.hasUncommittedChanges();
  }

  /** Rewrites the parts of the index that contain words of removed events, in the background. */
  void eraseRemoved() throws IOException {
    writer.forceMergeDeletes(false);
  }

  /**
   * The offsets of the best matches, in order, of these kinds or of all in the index; null if the
   * search took too long for the deadline, which is of {@link System#nanoTime}.
   */
  long @Nullable [] find(
      SearchText search, Filter filter, @Nullable Set<Integer> kinds, int max, long deadline)
      throws IOException {
    Query query = IndexFields.query(search, filter, kinds);
    IndexSearcher current = searchers.acquire();
    try {
      IndexSearcher searcher = new IndexSearcher(current.getIndexReader());
      searcher.setQueryCache(null);
      searcher.setTimeout(() -> System.nanoTime() - deadline > 0);
      TopDocs found = searcher.search(query, max, ORDER);
      return searcher.timedOut() ? null : offsets(found.scoreDocs);
    } finally {
      searchers.release(current);
    }
  }

  private static long[] offsets(ScoreDoc[] found) {
    long[] offsets = new long[found.length];
    for (int i = 0; i < found.length; i++) {
      Object[] sortedBy = ((FieldDoc) found[i]).fields;
      offsets[i] = (Long) sortedBy[sortedBy.length - 1];
    }
    return offsets;
  }

  @Override
  public void close() throws IOException {
    try (files;
        writer) {
      searchers.close();
    }
  }
}
