package gambit.app.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration files, the files they include, and lists from files. */
class ConfigFileTest {
  private static final PubKey ALICE = PubKey.ofHex("a".repeat(64));
  private static final PubKey BOB = PubKey.ofHex("b".repeat(64));

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x = 1 | x: no such setting.",
        "limits.filter = 1 | limits.filter: no such setting; did you mean limits.filters?",
        "limits { filterz { a = 1 } } | limits.filterz: no such setting; did you mean"
            + " limits.filters?",
        "relay = 3 | relay = 3: expected a section, relay { … }.",
        "relay.name = null | relay.name = null: expected one value.",
        "relay.port = [1] | relay.port = 1: expected one value.",
        "relay.name { a = 1 } | relay.name = {…}: expected one value.",
        "relay.url = \"ws://x\" | relay.url = ws://x: expected a list, [ … ].",
        "relay.name = ${nothing} | there is no such setting or environment variable: ${nothing}.",
        "relay { name = } | not valid HOCON: Expecting a value but got wrong token: '}'.",
        "admission.kinds = [1-3+7] | not valid HOCON: a text with + must be in double quotes.",
        "include \"none.conf\" | include \"none.conf\": DIR/none.conf does not exist.",
        "include \".\" | include \".\": DIR is not a file.",
        "include \"http://x/y.conf\" | include \"http://x/y.conf\": URLs are not included.",
        "include url(\"http://x/y\") | include \"http://x/y\": URLs are not included.",
        "include classpath(\"x\") | include \"x\": the class path is not included.",
        "include \"a.conf\" | include \"a.conf\": more than 10 files include each other."
      })
  void faultsOfAFileAreReportedWithFileAndLine(String line, String sentence) throws Exception {
    Path file = write("a.conf", "# a comment\n\n" + line + "\n");
    assertThatThrownBy(() -> load(file))
        .isInstanceOf(SettingsProblem.class)
        .hasMessage(file + ", line 3: " + sentence.replace("DIR", directory.toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limits.filters = many | limits.filters | many: expected a whole number.",
        "limits.filters = 1.5 | limits.filters | 1.5: expected a whole number.",
        "limits.filters = 5000000000 | limits.filters | 5000000000: expected a whole number."
      })
  void valuesOfTheWrongTypeAreReportedWithFileAndLine(String line, String key, String rest)
      throws Exception {
    Path file = write("a.conf", "\n" + line);
    assertThatThrownBy(() -> load(file).reader().count(key))
        .hasMessage(file + ", line 2: " + key + " = " + rest);
  }

  @Test
  void aFileThatCannotBeReadIsReportedWithItsFlag() throws Exception {
    assertThatThrownBy(() -> load(directory.resolve("none")))
        .hasMessage("--config: " + directory.resolve("none") + " does not exist.");
    assertThatThrownBy(() -> load(directory))
        .hasMessage("--config: " + directory + " is not a file.");
    Path below = directory.resolve("below");
    Path file = write("below", "");
    assertThatThrownBy(() -> load(below.resolve("a.conf")))
        .hasMessage(
            "--config: %1$s/a.conf cannot be read: %1$s/a.conf: Not a directory.".formatted(file));
    assertThatThrownBy(() -> ConfigSources.defaults().withFileOf(file).load())
        .hasMessage("--data: " + file + " is not a directory.");
    Path large = write("large.conf", "#".repeat((1 << 20) + 1));
    assertThatThrownBy(() -> load(large))
        .hasMessage("--config: " + large + " is larger than 1048576 bytes.");
  }

  @Test
  void aSectionWithoutItsClosingBraceIsReported() throws Exception {
    Path file = write("a.conf", "relay {\n name = One");
    assertThatThrownBy(() -> load(file))
        .hasMessageStartingWith(file + ", line ")
        .hasMessageEndingWith(": not valid HOCON: a closing } is missing.");
  }

  @Test
  void filesAreIncludedRelativeToTheIncludingOne() throws Exception {
    Files.createDirectory(directory.resolve("more"));
    Path file = write("a.conf", "relay.name = One\ninclude \"more/b.conf\"");
    Path second = write("more/b.conf", "limits { include \"c.conf\" }");
    Path third = write("more/c.conf", "# filters\nfilters = 7\nmax_limit = many");
    Configuration configuration = load(file);
    assertThat(configuration.reader().text("relay.name")).isEqualTo("One");
    assertThat(configuration.reader().count("limits.filters")).isEqualTo(7);
    assertThat(configuration.files()).containsExactlyInAnyOrder(file, second, third);
    assertThatThrownBy(() -> configuration.reader().count("limits.max_limit"))
        .hasMessage(third + ", line 3: limits.max_limit = many: expected a whole number.");
  }

  @Test
  void aValueMayReferToAnother() throws Exception {
    Path file = write("a.conf", "relay.description = ${relay.name}\" of mine\"\n");
    assertThat(load(file).reader().text("relay.description")).isEqualTo("Gambit of mine");
  }

  @Test
  void listsAreReadFromFilesRelativeToTheConfigurationFile() throws Exception {
    write(
        "banned.txt",
        "\uFEFF# banned\r\n\r\n" + ALICE.hex() + "  # spam\r\n\t" + Nip19.npub(BOB) + "\n\n#end");
    write("kinds.txt", "1\n30000-39999 # addressable\n");
    Path file =
        write(
            "a.conf",
            "admission { refused_pubkeys = [\"file:banned.txt\"], kinds = [7, \"file: kinds.txt\"] }");
    SettingsReader admission = load(file).reader().section("admission");
    assertThat(admission.pubkeys("refused_pubkeys")).containsExactlyInAnyOrder(ALICE, BOB);
    assertThat(admission.kinds("kinds")).isEqualTo(KindSet.parse("1+7+30000-39999"));
  }

  @Test
  void faultsOfAListFileAreReportedWithFileAndLine() throws Exception {
    Path list = write("banned.txt", "# banned\n" + ALICE.hex() + "\nnpub1x # y\n");
    Path file = write("a.conf", "admission {\n refused_pubkeys = [\n \"file:banned.txt\"]\n}");
    String place = file + ", line 3: admission.refused_pubkeys = file:banned.txt: ";
    assertListFault(
        file,
        list
            + ", line 3: npub1x (in admission.refused_pubkeys): this npub has a typing error, or is"
            + " not complete: its checksum does not match.");
    Files.writeString(list, "nsec1qqqq");
    assertListFault(
        file,
        list
            + ", line 1: nsec1… (not shown) (in admission.refused_pubkeys): expected a public key,"
            + " npub1...; this is a secret key.");
    Files.write(list, new byte[] {(byte) 0xff});
    assertListFault(file, place + list + " is not UTF-8.");
    Files.write(list, new byte[ListFile.MAX_BYTES + 1]);
    assertListFault(file, place + list + " is larger than 16777216 bytes.");
    Files.delete(list);
    assertListFault(file, place + list + " does not exist.");
    Files.createDirectory(list);
    assertListFault(file, place + list + " is not a file.");
  }

  @Test
  void aListHasAtMostHalfAMillionItems() throws Exception {
    write("kinds.txt", "1\n".repeat(250_001));
    Path file = write("a.conf", "admission.kinds = [\"file:kinds.txt\"]");
    assertThat(load(file).reader().kinds("admission.kinds")).isEqualTo(KindSet.of(1));
    write("a.conf", "admission.kinds = [\"file:kinds.txt\", \"file:kinds.txt\"]");
    assertThatThrownBy(() -> load(file).reader().kinds("admission.kinds"))
        .hasMessage(
            file
                + ", line 1: admission.kinds = file:kinds.txt: expected at most 500000 items in"
                + " all.");
  }

  private static void assertListFault(Path file, String sentence) {
    assertThatThrownBy(() -> load(file).reader().pubkeys("admission.refused_pubkeys"))
        .isInstanceOf(SettingsProblem.class)
        .hasMessage(sentence);
  }

  @Test
  void theEffectiveConfigurationIsAFileWithTheSameValues() throws Exception {
    write("banned.txt", ALICE.hex());
    Path file =
        write(
            "a.conf",
            "relay.name = \"A \\\"name\\\" # x\"\n"
                + "nips { 67 = yes }\n"
                + "admission.refused_pubkeys = [\"file:banned.txt\"]\n"
                + "store.retention = [\"7 30d\"]\n");
    Configuration given =
        ConfigSources.defaults()
            .withFile("--config", file)
            .withEnvironment(Map.of("GAMBIT_LIMITS_FILTERS", "7"))
            .withOverrides(Map.of("limits.silence", "2m"))
            .withFlag("--port", "relay.port", "7000")
            .load();
    String text = ConfigText.effective(given);
    assertThat(text.lines())
        .containsSequence("# " + file + ", line 1", "relay.name = \"A \\\"name\\\" # x\"")
        .containsSequence("# GAMBIT_LIMITS_FILTERS", "limits.filters = 7")
        .containsSequence("# --set limits.silence", "limits.silence = \"2m\"")
        .containsSequence("# --port", "relay.port = 7000")
        .contains("limits.max_limit = 5000");
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere")).resolve("b.conf");
    Configuration read = load(Files.writeString(elsewhere, text));
    for (String key : given.names().keys()) {
      if (!key.equals("admission.refused_pubkeys")) { // its file is named absolutely
        assertThat(String.valueOf(read.value(key).unwrapped()))
            .as(key)
            .isEqualTo(String.valueOf(given.value(key).unwrapped()));
      }
    }
    assertThat(read.reader().pubkeys("admission.refused_pubkeys")).containsExactly(ALICE);
  }

  @Test
  void theSampleIsAFileThatChangesNothing() throws Exception {
    Configuration read = load(write("a.conf", ConfigText.sample()));
    Configuration defaults = ConfigSources.defaults().load();
    for (String key : defaults.names().keys()) {
      assertThat(read.value(key)).as(key).isEqualTo(defaults.value(key));
    }
  }

  private static Configuration load(Path file) throws SettingsProblem {
    return ConfigSources.defaults().withFile("--config", file).load();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
