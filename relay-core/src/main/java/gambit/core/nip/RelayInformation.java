package gambit.core.nip;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.model.PubKey;
import gambit.core.wire.MessageReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;

/**
 * The relay information document (NIP-11). It is derived from the installed features and the
 * enforced limits, so that it always agrees with them. Immutable.
 *
 * @param about the operator's texts by field; empty ones are omitted
 * @param supportedNips the NIPs of all installed features
 * @param enforced values of {@code limitation} by field, from the features
 * @param extra further objects by field, from the features
 */
public record RelayInformation(
    Map<String, String> about,
    PubKey self,
    String version,
    SortedSet<Integer> supportedNips,
    Limits limits,
    Map<String, ?> enforced,
    Map<String, Map<String, ?>> extra) {

  /** The JSON text of the document. */
  public String json() {
    Map<String, Object> document = new LinkedHashMap<>();
    about.forEach(
        (field, text) -> {
          if (!text.isEmpty()) {
            document.put(field, text);
          }
        });
    document.put("self", self.hex());
    document.put("supported_nips", supportedNips);
    document.put("version", version);
    document.put("limitation", limitation());
    document.putAll(extra);
    try {
      return new ObjectMapper().writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of plain values can always be encoded", e);
    }
  }

  private Map<String, Object> limitation() {
    Map<String, Object> limitation = new LinkedHashMap<>();
    limitation.put("max_message_length", limits.get(Limit.MESSAGE_BYTES));
    limitation.put("max_subscriptions", limits.get(Limit.SUBSCRIPTIONS));
    limitation.put("max_filters", limits.get(Limit.FILTERS));
    limitation.put("max_filter_values", limits.get(Limit.FILTER_VALUES));
    limitation.put("max_limit", limits.get(Limit.MAX_LIMIT));
    limitation.put("max_subid_length", MessageReader.MAX_SUBSCRIPTION_ID_LENGTH);
    limitation.put("max_event_tags", limits.get(Limit.EVENT_TAGS));
    limitation.put("max_tag_value_length", limits.get(Limit.TAG_VALUE_LENGTH));
    limitation.put("created_at_upper_limit", limits.get(Limit.SECONDS_AHEAD));
    limitation.put("default_limit", limits.get(Limit.DEFAULT_LIMIT));
    limitation.put("auth_required", false);
    limitation.put("payment_required", false);
    limitation.put("restricted_writes", false);
    limitation.putAll(enforced);
    return limitation;
  }
}
