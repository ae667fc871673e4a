package gambit.chess.machines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The JSON schemas in docs/protocol/schema. Any thread. */
final class Schemas {
  static final Path FOLDER = Path.of("../docs/protocol/schema");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchemaFactory FACTORY =
      JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private static final Map<String, JsonSchema> LOADED = new ConcurrentHashMap<>();

  private static final List<String> NAMES = list();
  private static final List<String> OF_EVENTS =
      NAMES.stream().filter(name -> Character.isDigit(name.charAt(0))).toList();
  private static final Map<String, Boolean> OF_REFEREE = new ConcurrentHashMap<>();

  private Schemas() {}

  /** The names of all schemas. */
  static List<String> names() {
    return NAMES;
  }

  private static List<String> list() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> "" + file.getFileName())
          .filter(name -> name.endsWith(".json"))
          .map(name -> name.replace(".json", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The schemas of one kind of event each. */
  static List<String> ofEvents() {
    return OF_EVENTS;
  }

  /** Whether a schema is for events that the relay signs. */
  static boolean isOfReferee(String name) {
    return OF_REFEREE.computeIfAbsent(
        name, it -> read(it).toString().contains("common.json#/$defs/relayEvent"));
  }

  /** The text of a schema. */
  static JsonNode read(String name) {
    try {
      return JSON.readTree(FOLDER.resolve(name + ".json").toFile());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The reasons why a value does not conform to a schema; none if it does. */
  static List<String> faults(String name, JsonNode value) {
    return LOADED.computeIfAbsent(name, Schemas::load).validate(value).stream()
        .map(ValidationMessage::toString)
        .toList();
  }

  static boolean conforms(String name, JsonNode value) {
    return faults(name, value).isEmpty();
  }

  private static JsonSchema load(String name) {
    Path file = FOLDER.resolve(name + ".json").toAbsolutePath().normalize();
    return FACTORY.getSchema(SchemaLocation.of(file.toUri().toString()));
  }
}
