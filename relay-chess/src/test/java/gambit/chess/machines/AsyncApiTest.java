package gambit.chess.machines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The AsyncAPI document refers to what exists, and names every message that has a schema. */
class AsyncApiTest {
  private static final Path DOCUMENT = Path.of("../docs/protocol/asyncapi.yaml");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @Test
  void everyReferenceOfTheDocumentAndOfTheSchemasCanBeResolved() throws IOException {
    List<Path> files = new ArrayList<>(List.of(DOCUMENT));
    Schemas.names().forEach(name -> files.add(Schemas.FOLDER.resolve(name + ".json")));
    for (Path file : files) {
      List<String> references = references(read(file));
      for (String reference : references) {
        assertThat(isResolved(file, reference)).as(file + ": " + reference).isTrue();
      }
    }
    assertThat(references(read(DOCUMENT))).hasSizeGreaterThan(100);
  }

  @Test
  void everySchemaOfAMessageOrAnEventIsUsed() throws IOException {
    Set<Path> used = new HashSet<>();
    addUsed(DOCUMENT.normalize(), used);
    Set<String> unused = new TreeSet<>(Schemas.names());
    unused.removeIf(name -> used.contains(Schemas.FOLDER.resolve(name + ".json").normalize()));
    assertThat(unused)
        .as("only those of the information document, and of all types for generators of code")
        .containsExactly("nip11-chess", "types");
    for (String name : Schemas.ofEvents()) {
      boolean named = references(read(DOCUMENT)).contains("./schema/" + name + ".json");
      boolean login = name.equals("22242-login"); // part of the message that logs in
      assertThat(named || login).as(name).isTrue();
    }
  }

  /** Every alternative of the two message schemas is a message of its own, or made of such. */
  @Test
  void everyFormOfAMessageIsNamed() throws IOException {
    List<String> references = references(read(DOCUMENT));
    for (String schema : List.of("message-of-client", "message-of-relay")) {
      for (JsonNode form : Schemas.read(schema).get("oneOf")) {
        String reference = "./schema/" + schema + ".json" + form.get("$ref").asText();
        boolean requests = reference.endsWith("client.json#/$defs/event"); // one for each request
        boolean ok = reference.endsWith("$defs/ok"); // in a schema of its own
        assertThat(references.contains(reference) || requests || ok).as(reference).isTrue();
      }
    }
    assertThat(references).contains("./schema/ok.json");
  }

  @Test
  void everyMessageIsOnTheChannelAndInAnOperation() throws IOException {
    JsonNode document = read(DOCUMENT);
    assertThat(document.get("asyncapi").asText()).isEqualTo("3.0.0");
    Set<String> messages = fields(document.at("/components/messages"));
    assertThat(fields(document.at("/channels/relay/messages"))).isEqualTo(messages);
    Set<String> inOperations = new TreeSet<>();
    for (String reference : references(document.get("operations"))) {
      inOperations.add(reference.replaceFirst(".*/", ""));
    }
    inOperations.remove("relay"); // the channel
    assertThat(inOperations).isEqualTo(messages);
    for (JsonNode operation : document.get("operations")) {
      assertThat(operation.get("action").asText()).isIn("send", "receive");
    }
  }

  private static JsonNode read(Path file) throws IOException {
    return YAML.readTree(file.toFile()); // JSON is YAML
  }

  private static Set<String> fields(JsonNode object) {
    Set<String> fields = new TreeSet<>();
    object.fieldNames().forEachRemaining(fields::add);
    return fields;
  }

  private static List<String> references(JsonNode node) {
    return node.findValuesAsText("$ref").stream().distinct().toList();
  }

  private static boolean isResolved(Path file, String reference) throws IOException {
    String[] parts = reference.split("#", 2);
    Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]);
    if (!target.toFile().isFile()) {
      return false;
    }
    return parts.length == 1 || !read(target).at(JsonPointer.compile(parts[1])).isMissingNode();
  }

  private static void addUsed(Path file, Set<Path> used) throws IOException {
    if (used.add(file)) {
      for (String reference : references(read(file))) {
        if (!reference.startsWith("#")) {
          addUsed(file.resolveSibling(reference.replaceFirst("#.*", "")).normalize(), used);
        }
      }
    }
  }
}
