package gambit.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tags of an event in order; each has at least a name. Immutable. */
public record Tags(List<List<String>> list) {
  public static final Tags NONE = new Tags(List.of());

  public Tags {
    list = List.copyOf(list);
  }

  /** Reads the canonical encoding between two positions of an array. */
  static Tags read(byte[] json, int from, int to) {
    List<List<String>> tags = new ArrayList<>();
    List<String> tag = new ArrayList<>();
    int at = from + 1;
    while (at < to - 1) {
      if (json[at] == '"') {
        int end = at + 1;
        while (json[end] != '"') {
          end += json[end] == '\\' ? 2 : 1;
        }
        tag.add(JsonStrings.decode(json, at, end + 1));
        at = end;
      } else if (json[at] == ']') {
        tags.add(List.copyOf(tag));
        tag.clear();
      }
      at++;
    }
    return new Tags(tags);
  }

  /** The value of the first tag with that name that has a value. */
  public Optional<String> first(String name) {
    for (int i = 0; i < list.size(); i++) {
      List<String> tag = list.get(i);
      if (tag.size() > 1 && tag.get(0).equals(name)) {
        return Optional.of(tag.get(1));
      }
    }
    return Optional.empty();
  }

  /** The id at a thread's root: of the first e tag marked root, else without a mark (NIP-10). */
  public Optional<String> root() {
    Optional<String> unmarked = Optional.empty();
    for (List<String> tag : list) {
      if (tag.size() > 1 && tag.get(0).equals("e")) {
        String mark = tag.size() > 3 ? tag.get(3) : "";
        if (mark.equals("root")) {
          return Optional.of(tag.get(1));
        } else if (mark.isEmpty() && unmarked.isEmpty()) {
          unmarked = Optional.of(tag.get(1));
        }
      }
    }
    return unmarked;
  }

  public boolean has(String name) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).get(0).equals(name)) {
        return true;
      }
    }
    return false;
  }

  public Stream<List<String>> named(String name) {
    return list.stream().filter(tag -> tag.get(0).equals(name));
  }

  /** The value of each tag with that name, {@code ""} if it has none. */
  public Stream<String> values(String name) {
    return named(name).map(tag -> tag.size() > 1 ? tag.get(1) : "");
  }

  public int size() {
    return list.size();
  }
}
