package gambit.app.server.search;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Sha256;
import gambit.core.store.StoredEvent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an event in the index, and the queries on them. Of an event only its offset and
 * time can be read back. The conditions of filters are indexed, too, so that a search finds the
 * best matches among the events that meet them. Stateless.
 */
final class IndexFields {
  /** The number of this format, to be raised with every change of fields, words or commit data. */
  static final int FORMAT = 3;

  static final String OFFSET = "offset";
  static final String CREATED_AT = "created_at";
  private static final String TEXT = "text";
  private static final String TITLE = "title";
  private static final String KIND = "kind";
  private static final String AUTHOR = "author";
  private static final String ID = "id";
  private static final String TAG = "tag";
  private static final String SENSITIVE = "sensitive";

  private static final float TITLE_BOOST = 2;

  /** Maximum length of a tag's value that is a term itself; Lucene refuses very long terms. */
  private static final int MAX_TAG_TERM_LENGTH = 100;

  private IndexFields() {}

  static Document document(StoredEvent stored) {
    Event event = stored.event();
    EventText text = EventText.of(event);
    Document document = new Document();
    document.add(new TextField(TEXT, text.all(), Store.NO));
    document.add(new TextField(TITLE, text.title(), Store.NO));
    addTerm(document, KIND, number(event.kind()));
    addTerm(document, AUTHOR, new BytesRef(event.pubkey().bytes()));
    addTerm(document, ID, idPrefix(event.id()));
    for (List<String> tag : event.tags().list()) {
      if (tag.size() > 1 && tag.get(0).length() == 1) {
        addTerm(document, TAG, tag(tag.get(0).charAt(0), tag.get(1)));
      }
    }
    if (EventText.isSensitive(event)) {
      addTerm(document, SENSITIVE, number(1));
    }
    addTerm(document, OFFSET, number(stored.offset()));
    document.add(new NumericDocValuesField(OFFSET, stored.offset()));
    document.add(new LongPoint(CREATED_AT, event.createdAt()));
    document.add(new NumericDocValuesField(CREATED_AT, event.createdAt()));
    return document;
  }

  private static void addTerm(Document document, String field, BytesRef value) {
    document.add(new StringField(field, value, Store.NO));
  }

  static Term byOffset(long offset) {
    return new Term(OFFSET, number(offset));
  }

  /**
   * The query of a search among the events that meet a filter, of these kinds or of all if null.
   */
  static Query query(SearchText search, Filter filter, @Nullable Set<Integer> kinds) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (SearchText.Phrase phrase : search.phrases()) {
      query.add(phrase(TEXT, phrase.words()), Occur.MUST);
      query.add(new BoostQuery(phrase(TITLE, phrase.words()), TITLE_BOOST), Occur.SHOULD);
    }
    if (search.excludesSensitive()) {
      query.add(new TermQuery(new Term(SENSITIVE, number(1))), Occur.MUST_NOT);
    }
    addCondition(query, KIND, kinds, kind -> number(kind));
    addCondition(query, AUTHOR, filter.authors(), author -> new BytesRef(author.bytes()));
    addCondition(query, ID, filter.ids(), IndexFields::idPrefix);
    for (Map.Entry<Character, Set<String>> tag : filter.tags().entrySet()) {
      addCondition(query, TAG, tag.getValue(), value -> tag(tag.getKey(), value));
    }
    if (filter.since() != null || filter.until() != null) {
      long since = filter.since() == null ? 0 : filter.since();
      long until = filter.until() == null ? Long.MAX_VALUE : filter.until();
      query.add(LongPoint.newRangeQuery(CREATED_AT, since, until), Occur.FILTER);
    }
    return query.build();
  }

  private static Query phrase(String field, List<String> words) {
    return words.size() == 1
        ? new TermQuery(new Term(field, words.get(0)))
        : new PhraseQuery(field, words.toArray(String[]::new));
  }

  private static <T> void addCondition(
      BooleanQuery.Builder query,
      String field,
      @Nullable Set<T> values,
      Function<T, BytesRef> term) {
    if (values != null) {
      query.add(new TermInSetQuery(field, values.stream().map(term).toList()), Occur.FILTER);
    }
  }

  private static BytesRef number(long number) {
    return new BytesRef(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  /** The first eight bytes; the whole id is compared when the event has been read. */
  private static BytesRef idPrefix(EventId id) {
    return number(id.prefix());
  }

  private static BytesRef tag(char letter, String value) {
    String text = letter + value;
    return value.length() <= MAX_TAG_TERM_LENGTH
        ? new BytesRef(text)
        : new BytesRef(Sha256.of(text));
  }
}
