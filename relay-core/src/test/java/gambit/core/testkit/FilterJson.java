package gambit.core.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.model.Filter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Encodes filters as clients send them (NIP-01). */
public final class FilterJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private FilterJson() {}

  /** The filter with another limit. */
  public static String of(Filter filter, int limit) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (filter.ids() != null) {
      fields.put("ids", filter.ids().stream().map(id -> id.hex()).toList());
    }
    if (filter.authors() != null) {
      fields.put("authors", filter.authors().stream().map(author -> author.hex()).toList());
    }
    if (filter.kinds() != null) {
      fields.put("kinds", filter.kinds());
    }
    filter.tags().forEach((letter, values) -> fields.put("#" + letter, values));
    if (filter.since() != null) {
      fields.put("since", filter.since());
    }
    if (filter.until() != null) {
      fields.put("until", filter.until());
    }
    fields.put("limit", limit);
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
