package gambit.core.nip;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import gambit.core.feature.RelayBuilder.InformationFields;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.PubKey;
import gambit.core.wire.MessageReader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The relay information document (NIP-11). It is made of the enforced limits and the fields that
 * the sources, the installed features, set each time, so that it always agrees with them.
 */
public record RelayInformation(
    PubKey self, String version, List<Consumer<InformationFields>> sources) {
  /** The JSON text of the document; of the operator's texts by field, empty ones are omitted. */
  public String json(Map<String, String> about, LimitValues limits) {
    Map<String, Object> document = new LinkedHashMap<>(about);
    Map<String, Object> limitation = limitation(limits);
    InformationFields fields =
        new InformationFields(new TreeSet<>(), document, limitation, new LinkedHashMap<>());
    sources.forEach(source -> source.accept(fields));
    document.values().removeIf(""::equals);
    document.put("self", self.hex());
    document.put("supported_nips", fields.nips());
    document.put("version", version);
    document.put("limitation", limitation);
    document.putAll(fields.descriptions());
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      write(json, document);
    } catch (IOException e) {
      throw new UncheckedIOException("maps of plain values can always be encoded", e);
    }
    return text.toString();
  }

  /** Without Jackson's mapper, whose classes are a tenth of those of a start. */
  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> fields) {
      json.writeStartObject();
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        json.writeFieldName((String) field.getKey());
        write(json, field.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        write(json, item);
      }
      json.writeEndArray();
    } else {
      json.writeObject(value); // a text, a number or a truth value
    }
  }

  private static Map<String, Object> limitation(LimitValues limits) {
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
    return limitation;
  }
}
