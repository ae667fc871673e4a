package gambit.app.clients;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.LongOnly;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Generators make types of {@code docs/protocol/schema/types.json} that compile and have short
 * names. The versions of the generators are in {@code src/test/types}.
 */
@ThoroughOnly
class GeneratedTypesIT {
  private static final Path SOURCES = Path.of("src/test/types");
  private static final Path DIRECTORY = Path.of("target/types");
  private static final String SCHEMA =
      Path.of("../docs/protocol/schema/types.json").toAbsolutePath().normalize() + "";

  @BeforeAll
  static void clear() throws Exception {
    Files.createDirectories(DIRECTORY);
  }

  @Test
  void typesOfQuicktypeCompileInTypeScriptAndInGo() throws Exception {
    NodePrograms node = new NodePrograms(SOURCES, DIRECTORY);
    node.missingRequirementOfLibrary().ifPresent(Assumptions::abort);
    node.install();
    for (String language : new String[] {"types.ts", "types.go"}) {
      run(node, "node_modules/.bin/quicktype", "-s", "schema", SCHEMA, "-o", language);
    }
    assertThat(Files.readString(DIRECTORY.resolve("types.ts")))
        .containsPattern("(?s)interface GameState \\{[^}]* tags: +\\[\\[string, string, ")
        .contains("type Termination = ", "interface ChessSettings {", "interface OfferSent {");
    run(node, "node_modules/.bin/tsc", "--strict", "--noEmit", "--skipLibCheck", "types.ts");
    assertThat(Files.readString(DIRECTORY.resolve("types.go")))
        .containsPattern("(?s)type GameState struct \\{[^}]*\\sTags +\\[\\]\\[\\]string")
        .contains("type Termination string", "type ChessSettings struct", "type OfferSent struct");
    Assumptions.assumeTrue(node.run("go", "version").isSuccess(), "there is no Go");
    run(node, "go", "vet", "types.go");
  }

  @LongOnly
  @Test
  void typesOfDatamodelCodegenHaveATypeForEachTagInPython() throws Exception {
    PythonPrograms python = new PythonPrograms(SOURCES, DIRECTORY);
    python.missingRequirement().ifPresent(Assumptions::abort);
    python.install();
    run(
        python,
        "venv/bin/datamodel-codegen",
        "--input=" + SCHEMA,
        "--input-file-type=jsonschema",
        "--output-model-type=pydantic_v2.BaseModel",
        "--use-title-as-name",
        "--output=types_of_chess.py");
    String types = Files.readString(DIRECTORY.resolve("types_of_chess.py"));
    assertThat(types.replaceAll("\\s+", " "))
        .contains("class ClockTag( RootModel[tuple[Literal['clock'], Milliseconds, ")
        .containsPattern(
            "class GameState\\(RelayEvent\\):[^=]* \\| MoveTag \\| SanTag \\| ClockTag")
        .doesNotContain("list[Any]");
    run(python, PythonPrograms.PYTHON, "types_of_chess.py");
  }

  private static void run(CopiedPrograms programs, String... command) throws Exception {
    CopiedPrograms.Result result = programs.run(command);
    assertThat(result.isSuccess()).as(result.output()).isTrue();
  }
}
