package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The AsyncAPI document conforms to the schema that the AsyncAPI project publishes, on npm. */
@ThoroughOnly
class AsyncApiIT {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Path PACKAGES = Path.of("target/asyncapi");
  private static final Path SCHEMA =
      PACKAGES.resolve("node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json");

  @Test
  void documentConformsToTheSchemaOfAsyncApi() throws Exception {
    NodePrograms node = new NodePrograms(Path.of("src/test/asyncapi"), PACKAGES);
    node.missingRequirement().ifPresent(Assumptions::abort);
    node.install();
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V7)
            .getSchema(new ObjectMapper().readTree(SCHEMA.toFile()));
    JsonNode document = YAML.readTree(Path.of("../docs/protocol/asyncapi.yaml").toFile());
    assertThat(schema.validate(document)).isEmpty();
    ObjectNode wrong = document.deepCopy();
    wrong.withObject("/operations/publish").put("action", "publish"); // of AsyncAPI 2
    assertThat(schema.validate(wrong)).isNotEmpty();
  }
}
