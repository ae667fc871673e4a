package gambit.core.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.management.AuditLog.AuditEntry;
import gambit.core.management.Decisions.ModerationDecision;
import gambit.core.management.Decisions.Verdict;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The format of this package's stored rows; all values are JSON objects. Pure.
 *
 * <p>Table {@value #TABLE}: {@code p} and a public key, {@code e} and an event id, {@code k} and a
 * kind (2 bytes), {@code 4} or {@code 6} and the bits of an address (8 bytes) → a decision; {@code
 * t} and a field of NIP-11 → its text. Table {@value #AUDIT}: a number (8 bytes) and a checksum of
 * the value (4 bytes) → an entry of the audit log. Two nodes of a cluster may give entries the same
 * number at the same time; the checksum keeps both.
 */
final class ManagementRows {
  static final String TABLE = "management";
  static final String AUDIT = "management audit";

  private static final String NUMBER = "number";

  private static final char TEXT = 't';

  /** Created with the first row: its classes are a tenth of those of a start. */
  private static final class Json {
    static final ObjectMapper MAPPER =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();
  }

  private ManagementRows() {}

  /** The row that puts a decision in force, or lifts it if it is null. */
  static Row row(Subject subject, @Nullable ModerationDecision decision) {
    if (decision == null) {
      return new Row(TABLE, key(subject), null);
    }
    ObjectNode value =
        Json.MAPPER
            .createObjectNode()
            .put("verdict", decision.verdict().name().toLowerCase(Locale.ROOT))
            .put("reason", decision.reason())
            .put("at", decision.at())
            .put("by", decision.by());
    return new Row(TABLE, key(subject), bytes(value));
  }

  /** The row that sets a text of NIP-11; an empty one removes it. */
  static Row text(String field, String text) {
    byte[] key = (TEXT + field).getBytes(StandardCharsets.UTF_8);
    return new Row(
        TABLE,
        key,
        text.isEmpty() ? null : bytes(Json.MAPPER.createObjectNode().put("text", text)));
  }

  static Row row(AuditEntry entry) {
    ObjectNode value = Json.MAPPER.valueToTree(entry);
    value.remove(NUMBER); // is in the key
    byte[] bytes = bytes(value);
    return new Row(AUDIT, auditKey(entry.number(), bytes), bytes);
  }

  static List<ModerationDecision> decisions(Map<String, byte[]> rows) {
    return List.copyOf(
        read(
                TABLE,
                rows,
                (key, value) ->
                    key[0] == TEXT
                        ? null
                        : new ModerationDecision(
                            subject(key),
                            Verdict.valueOf(required(value, "verdict").toUpperCase(Locale.ROOT)),
                            required(value, "reason"),
                            value.required("at").longValue(),
                            required(value, "by")))
            .values());
  }

  /** The texts of NIP-11 of a table's rows, by field. */
  static Map<String, String> texts(Map<String, byte[]> rows) {
    Map<String, String> texts = new TreeMap<>();
    read(TABLE, rows, (key, value) -> key[0] == TEXT ? required(value, "text") : null)
        .forEach((key, text) -> texts.put(Objects.requireNonNull(field(key)), text));
    return texts;
  }

  /** The field of NIP-11 whose text the row with that key, in hex, has; null if it has none. */
  static @Nullable String field(String key) {
    byte[] bytes = HexFormat.of().parseHex(key);
    return bytes[0] == TEXT ? new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8) : null;
  }

  /** The subject of the decision whose row has that key, in hex. */
  static Subject subject(String key) {
    return subject(HexFormat.of().parseHex(key));
  }

  /** The entries of the audit log, by the keys of their rows. */
  static Map<String, AuditEntry> auditEntries(Map<String, byte[]> rows) {
    return read(
        AUDIT,
        rows,
        (key, value) ->
            Json.MAPPER.treeToValue(
                ((ObjectNode) value).put(NUMBER, ByteBuffer.wrap(key).getLong()),
                AuditEntry.class));
  }

  /** The value of a row, in JSON. */
  static byte[] json(Object value) {
    return bytes(Json.MAPPER.valueToTree(value));
  }

  /** Reads a row, by its key in hex, whose value is a record. */
  static <T> T read(String table, String key, byte[] value, Class<T> form) {
    return Objects.requireNonNull(
        read(table, Map.of(key, value), (bytes, json) -> Json.MAPPER.treeToValue(json, form))
            .get(key));
  }

  private interface RowReader<T> {
    @Nullable T read(byte[] key, JsonNode value) throws IOException;
  }

  private static <T> Map<String, T> read(
      String table, Map<String, byte[]> rows, RowReader<T> reader) {
    Map<String, T> read = new HashMap<>();
    rows.forEach(
        (key, value) -> {
          try {
            T one = reader.read(HexFormat.of().parseHex(key), Json.MAPPER.readTree(value));
            if (one != null) {
              read.put(key, one);
            }
          } catch (IOException | RuntimeException e) {
            throw new UnreadableRows("The row " + key + " of " + table + " is unreadable", e);
          }
        });
    return read;
  }

  private static String required(JsonNode value, String field) {
    return value.required(field).textValue();
  }

  private static byte[] key(Subject subject) {
    if (subject instanceof Subject.Author author) {
      return key('p', author.key().bytes());
    } else if (subject instanceof Subject.OneEvent event) {
      return key('e', event.id().bytes());
    } else if (subject instanceof Subject.OneKind kind) {
      return key('k', ByteBuffer.allocate(2).putChar((char) kind.kind()).array());
    }
    ClientAddress address = ((Subject.Address) subject).address();
    return key(
        address.isIpv6() ? '6' : '4', ByteBuffer.allocate(8).putLong(address.bits()).array());
  }

  private static byte[] key(char type, byte[] rest) {
    return ByteBuffer.allocate(1 + rest.length).put((byte) type).put(rest).array();
  }

  private static byte[] auditKey(long number, byte[] value) {
    CRC32C checksum = new CRC32C();
    checksum.update(value);
    return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
        .putLong(number)
        .putInt((int) checksum.getValue())
        .array();
  }

  private static Subject subject(byte[] key) {
    byte[] rest = Arrays.copyOfRange(key, 1, key.length);
    return switch (key[0]) {
      case 'p' -> new Subject.Author(new PubKey(rest));
      case 'e' -> new Subject.OneEvent(new EventId(rest));
      case 'k' -> new Subject.OneKind(ByteBuffer.wrap(rest).getChar());
      case '4' -> new Subject.Address(new ClientAddress(false, ByteBuffer.wrap(rest).getLong()));
      case '6' -> new Subject.Address(new ClientAddress(true, ByteBuffer.wrap(rest).getLong()));
      default -> throw new IllegalArgumentException("type " + key[0]);
    };
  }

  private static byte[] bytes(ObjectNode value) {
    try {
      return Json.MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers can always be encoded", e);
    }
  }
}
