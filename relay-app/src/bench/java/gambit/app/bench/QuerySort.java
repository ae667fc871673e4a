package gambit.app.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The sorts of REQs that are measured, each a source of random queries with their answers. */
enum QuerySort {
  /** 1 to 20 ids. */
  IDS("req-ids"),
  /** One author, 50 events. */
  AUTHOR("req-author"),
  /** The newest 500 notes. */
  KINDS("req-kinds"),
  /** What answers an event. */
  EVENT("req-e"),
  /** 100 events that name a person. */
  PERSON("req-p"),
  /** 250 events of a window of time. */
  WINDOW("req-window"),
  /** An author, a person and reactions, 20 events of each. */
  THREE("req-three-filters"),
  /** 200 notes of 300 authors. */
  FEED("req-feed");

  private static final int MAX_IDS = 20;
  private static final int AUTHOR_LIMIT = 50;
  private static final int KINDS_LIMIT = 500;
  private static final int TAG_LIMIT = 100;
  private static final int WINDOW_LIMIT = 250;
  private static final int THREE_LIMIT = 20;
  private static final int FEED_AUTHORS = 300;
  private static final int FEED_LIMIT = 200;
  private static final int QUERIES = 400;

  /** A small data set has fewer queries: one for so many events. */
  private static final int EVENTS_OF_A_QUERY = 4;

  /** Excludes the events that lines publish. */
  private static final String UNTIL = ",\"until\":" + DataSet.END;

  private final String line;

  QuerySort(String line) {
    this.line = line;
  }

  String line() {
    return line;
  }

  /** Queries of this sort; the same seed gives the same ones. */
  List<BenchQuery> queries(Oracle oracle, Authors authors, long seed) {
    Random random = new Random(seed + line.hashCode());
    SyntheticTraffic drawing = new SyntheticTraffic(seed + 1, authors, authors, "");
    List<BenchQuery> queries = new ArrayList<>();
    int count = Math.min(QUERIES, 1 + oracle.size() / EVENTS_OF_A_QUERY);
    for (int i = 0; i < count; i++) {
      queries.add(
          switch (this) {
            case IDS -> ids(oracle, random);
            case AUTHOR -> author(oracle, random, AUTHOR_LIMIT);
            case KINDS -> kinds(oracle, SyntheticTraffic.NOTE, KINDS_LIMIT);
            case EVENT -> event(oracle, random);
            case PERSON -> person(oracle, random, TAG_LIMIT);
            case WINDOW -> window(oracle, random);
            case THREE -> three(oracle, random);
            case FEED -> feed(oracle, authors, drawing);
          });
    }
    return queries;
  }

  /** Queries of all sorts, in random order. */
  static List<BenchQuery> all(Oracle oracle, Authors authors, long seed) {
    List<BenchQuery> all = new ArrayList<>();
    for (QuerySort sort : values()) {
      all.addAll(sort.queries(oracle, authors, seed));
    }
    Collections.shuffle(all, new Random(seed));
    return all;
  }

  private static BenchQuery ids(Oracle oracle, Random random) {
    Map<String, Long> asked = new LinkedHashMap<>();
    for (int i = random.nextInt(MAX_IDS); i >= 0; i--) {
      int rank = random.nextInt(oracle.size());
      asked.put(oracle.id(rank), oracle.from(rank, 1)[0]);
    }
    return new BenchQuery(
        "{\"ids\":" + strings(asked.keySet()) + "}",
        asked.values().stream().mapToLong(Long::longValue).toArray(),
        false);
  }

  private static BenchQuery author(Oracle oracle, Random random, int limit) {
    String author = oracle.author(random.nextInt(oracle.size()));
    return new BenchQuery(
        "{\"authors\":[\"" + author + "\"]" + UNTIL + ",\"limit\":" + limit + "}",
        oracle.ofAuthors(Set.of(author), -1, limit),
        true);
  }

  private static BenchQuery kinds(Oracle oracle, int kind, int limit) {
    return new BenchQuery(
        "{\"kinds\":[" + kind + "]" + UNTIL + ",\"limit\":" + limit + "}",
        oracle.ofKind(kind, limit),
        true);
  }

  /** Asks for answers to an event that has some, or after many attempts to any event. */
  private static BenchQuery event(Oracle oracle, Random random) {
    String id = "";
    for (int i = 0; i < 1_000 && !oracle.isAnswered(id); i++) {
      id = oracle.id(random.nextInt(oracle.size()));
    }
    return new BenchQuery(
        "{\"#e\":[\"" + id + "\"],\"limit\":" + TAG_LIMIT + "}",
        oracle.answering(id, TAG_LIMIT),
        true);
  }

  private static BenchQuery person(Oracle oracle, Random random, int limit) {
    String person = "";
    for (int i = 0; i < 1_000 && !oracle.isNamed(person); i++) {
      person = oracle.author(random.nextInt(oracle.size()));
    }
    return new BenchQuery(
        "{\"#p\":[\"" + person + "\"]" + UNTIL + ",\"limit\":" + limit + "}",
        oracle.naming(person, limit),
        true);
  }

  private static BenchQuery window(Oracle oracle, Random random) {
    int rank = random.nextInt(Math.max(1, oracle.size() - 2 * WINDOW_LIMIT));
    long since = oracle.createdAt(Math.min(oracle.size() - 1, rank + 2 * WINDOW_LIMIT - 1));
    return new BenchQuery(
        "{\"since\":"
            + since
            + ",\"until\":"
            + oracle.createdAt(rank)
            + ",\"limit\":"
            + WINDOW_LIMIT
            + "}",
        oracle.from(rank, WINDOW_LIMIT),
        true);
  }

  private static BenchQuery three(Oracle oracle, Random random) {
    List<BenchQuery> filters =
        List.of(
            author(oracle, random, THREE_LIMIT),
            person(oracle, random, THREE_LIMIT),
            kinds(oracle, SyntheticTraffic.REACTION, THREE_LIMIT));
    return new BenchQuery(
        filters.stream().map(BenchQuery::filters).collect(Collectors.joining(",")),
        filters.stream()
            .flatMapToLong(one -> IntStream.range(0, one.size()).mapToLong(one::expected))
            .distinct()
            .toArray(),
        false);
  }

  private static BenchQuery feed(Oracle oracle, Authors authors, SyntheticTraffic drawing) {
    Set<String> followed = new LinkedHashSet<>();
    while (followed.size() < FEED_AUTHORS) {
      followed.add(authors.hex(drawing.author()));
    }
    return new BenchQuery(
        "{\"authors\":"
            + strings(followed)
            + ",\"kinds\":["
            + SyntheticTraffic.NOTE
            + "]"
            + UNTIL
            + ",\"limit\":"
            + FEED_LIMIT
            + "}",
        oracle.ofAuthors(followed, SyntheticTraffic.NOTE, FEED_LIMIT),
        true);
  }

  private static String strings(Set<String> values) {
    return values.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }
}
