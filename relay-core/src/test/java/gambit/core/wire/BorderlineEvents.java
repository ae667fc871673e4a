package gambit.core.wire;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events that meet all conditions of a filter, and events that fail a single one. */
final class BorderlineEvents {
  private static final EventId SOME_ID = new EventId(new byte[32]);
  private static final PubKey SOMEBODY = new PubKey(new byte[32]);
  private static final long LAST_TIME = 999_999_999_999_999_999L;

  private final List<Event> events = new ArrayList<>();

  private BorderlineEvents() {}

  static List<Event> of(Filter filter) {
    EventId id = firstOr(filter.ids(), SOME_ID);
    PubKey author = firstOr(filter.authors(), SOMEBODY);
    int kind = firstOr(filter.kinds(), 1);
    long since = Math.min(filter.since() == null ? 0 : filter.since(), LAST_TIME);
    long until = Math.min(filter.until() == null ? since : filter.until(), LAST_TIME);
    List<List<String>> tags = new ArrayList<>();
    filter.tags().forEach((letter, values) -> tags.add(tag(letter, values)));

    BorderlineEvents near = new BorderlineEvents();
    for (long time : new long[] {since, until, Math.max(0, since - 1), until + 1}) {
      near.add(id, author, kind, time, tags);
    }
    near.add(SOME_ID, author, kind, since, tags);
    near.add(id, SOMEBODY, kind, since, tags);
    near.add(id, author, kind == Kind.MAX ? 0 : kind + 1, since, tags);
    for (int i = 0; i < tags.size(); i++) {
      String name = tags.get(i).get(0);
      String value = tags.get(i).get(1);
      for (List<String> other :
          List.of(
              List.of(name),
              List.of(name, value, "more"),
              List.of(name, "", value),
              List.of(name, value + " "),
              List.of(name + name, value),
              List.of("", name, value))) {
        List<List<String>> changed = new ArrayList<>(tags);
        changed.set(i, other);
        near.add(id, author, kind, since, changed);
      }
    }
    return near.events;
  }

  private static List<String> tag(char letter, Set<String> values) {
    return List.of(String.valueOf(letter), firstOr(values, "none"));
  }

  private static <T> T firstOr(@Nullable Set<T> values, T other) {
    return values == null || values.isEmpty() ? other : values.iterator().next();
  }

  private void add(EventId id, PubKey author, int kind, long time, List<List<String>> tags) {
    events.add(EventEncoder.encode(id, author, time, kind, new Tags(tags), "", new byte[64]));
  }
}
