package gambit.app.bench;

import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The data set as a relay must serve it: without events that a newer one has replaced, newest
 * first. It keeps some hundred bytes for each event, not the events. An event's rank is the number
 * of newer events. Immutable.
 */
final class Oracle {
  private static final int PORTION = 10_000;

  private final List<Fact> facts;
  private final Map<String, Ranks> byAuthor = new HashMap<>();
  private final Map<Integer, Ranks> byKind = new HashMap<>();
  private final Map<String, Ranks> byEvent = new HashMap<>();
  private final Map<String, Ranks> byPerson = new HashMap<>();
  private final Set<Long> superseded = new HashSet<>();

  /** What is remembered of an event. */
  private record Fact(EventId id, long createdAt, int kind, String author) {
    long key() {
      return id.prefix();
    }
  }

  /** A growing list of ranks, in ascending order. */
  private static final class Ranks {
    private int[] ranks = new int[2];
    private int size;

    void add(int rank) {
      if (size > 0 && ranks[size - 1] == rank) {
        return; // an event may name somebody twice
      }
      if (size == ranks.length) {
        ranks = Arrays.copyOf(ranks, size * 2);
      }
      ranks[size++] = rank;
    }

    IntStream stream() {
      return Arrays.stream(ranks, 0, size);
    }
  }

  Oracle(DataSet data) {
    List<Fact> all = new ArrayList<>(data.size());
    List<List<String>> tags = new ArrayList<>(data.size());
    Map<String, Integer> newest = new HashMap<>();
    DataSet.Drafts drafts = data.drafts();
    for (List<Draft> next = drafts.next(PORTION); !next.isEmpty(); next = drafts.next(PORTION)) {
      for (Draft draft : next) {
        int number = all.size();
        all.add(
            new Fact(draft.id(), draft.createdAt(), draft.kind(), draft.signer().pubkey().hex()));
        tags.add(indexedTags(draft));
        if (SyntheticTraffic.isReplaceable(draft.kind())) {
          replace(all, newest, number, draft);
        }
      }
    }
    int[] order =
        IntStream.range(0, all.size())
            .filter(i -> !superseded.contains(all.get(i).key()))
            .boxed()
            .sorted(Comparator.comparingLong(i -> -all.get(i).createdAt()))
            .mapToInt(Integer::intValue)
            .toArray();
    this.facts = new ArrayList<>(order.length);
    for (int number : order) {
      add(all.get(number), tags.get(number));
    }
  }

  /** The values of the tags by which is asked, each after its letter. */
  private static List<String> indexedTags(Draft draft) {
    return draft.tags().list().stream()
        .filter(tag -> tag.get(0).equals("e") || tag.get(0).equals("p"))
        .map(tag -> tag.get(0) + tag.get(1))
        .toList();
  }

  private void replace(List<Fact> all, Map<String, Integer> newest, int number, Draft draft) {
    String address = draft.kind() + ":" + draft.author() + ":" + draft.tags().first("d").orElse("");
    Integer other = newest.get(address);
    if (other == null || all.get(other).createdAt() < draft.createdAt()) {
      newest.put(address, number);
      if (other != null) {
        superseded.add(all.get(other).key());
      }
    } else {
      superseded.add(all.get(number).key());
    }
  }

  private void add(Fact fact, List<String> tags) {
    int rank = facts.size();
    facts.add(fact);
    byAuthor.computeIfAbsent(fact.author(), key -> new Ranks()).add(rank);
    byKind.computeIfAbsent(fact.kind(), key -> new Ranks()).add(rank);
    for (String tag : tags) {
      (tag.charAt(0) == 'e' ? byEvent : byPerson)
          .computeIfAbsent(tag.substring(1), key -> new Ranks())
          .add(rank);
    }
  }

  /** The number of stored events. */
  int size() {
    return facts.size();
  }

  /** Whether a newer event of the data set replaces this one, which a relay may refuse. */
  boolean isSuperseded(long key) {
    return superseded.contains(key);
  }

  /** The id in hexadecimal digits. */
  String id(int rank) {
    return facts.get(rank).id().hex();
  }

  String author(int rank) {
    return facts.get(rank).author();
  }

  long createdAt(int rank) {
    return facts.get(rank).createdAt();
  }

  /** Whether an event with this id is found by a tag {@code e}. */
  boolean isAnswered(String id) {
    return byEvent.containsKey(id);
  }

  boolean isNamed(String author) {
    return byPerson.containsKey(author);
  }

  /** Keys of the newest events, of these ranks on. */
  long[] from(int rank, int limit) {
    return keys(IntStream.range(rank, Math.min(facts.size(), rank + limit)));
  }

  long[] ofKind(int kind, int limit) {
    return keys(ranks(byKind, kind).limit(limit));
  }

  /** The newest events of these authors; of this kind only, unless it is negative. */
  long[] ofAuthors(Collection<String> authors, int kind, int limit) {
    IntPredicate isAsked = rank -> kind < 0 || facts.get(rank).kind() == kind;
    return keys(
        authors.stream()
            .flatMapToInt(author -> ranks(byAuthor, author).filter(isAsked).limit(limit))
            .sorted()
            .limit(limit));
  }

  long[] answering(String id, int limit) {
    return keys(ranks(byEvent, id).limit(limit));
  }

  long[] naming(String author, int limit) {
    return keys(ranks(byPerson, author).limit(limit));
  }

  private static <K> IntStream ranks(Map<K, Ranks> index, K key) {
    Ranks found = index.get(key);
    return found == null ? IntStream.empty() : found.stream();
  }

  private long[] keys(IntStream ranks) {
    return ranks.mapToLong(rank -> facts.get(rank).key()).toArray();
  }
}
