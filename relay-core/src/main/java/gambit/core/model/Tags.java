package gambit.core.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tags of an event, in order; each has at least its name. Immutable. */
public record Tags(List<List<String>> list) {
  public static final Tags NONE = new Tags(List.of());

  public Tags {
    list = List.copyOf(list);
  }

  /** The first value of the first tag of that name that has one. */
  public Optional<String> first(String name) {
    for (List<String> tag : list) {
      if (tag.size() > 1 && tag.get(0).equals(name)) {
        return Optional.of(tag.get(1));
      }
    }
    return Optional.empty();
  }

  /** Every tag of that name, whole. */
  public Stream<List<String>> named(String name) {
    return list.stream().filter(tag -> tag.get(0).equals(name));
  }

  public int size() {
    return list.size();
  }
}
