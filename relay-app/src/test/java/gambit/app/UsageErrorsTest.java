package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A wrong command line is answered by a sentence, and by where the options are listed. */
class UsageErrorsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--port abc | Invalid value for option '--port': 'abc' is not a whole number.",
        "--metrics-port 99999999999 | Invalid value for option '--metrics-port': '99999999999' is"
            + " not a whole number.",
        "--port | Missing required parameter for option '--port' (PORT).",
        "--prot 1 | Unknown option: --prot; did you mean --port?",
        "--prot=1 | Unknown option: --prot; did you mean --port?",
        "--nothing-like-it | Unknown option: --nothing-like-it.",
        "--set x | --set x: expected KEY=VALUE.",
        "--set | Missing required parameter for option '--set' (KEY=VALUE).",
        "verfy | Unknown command: verfy; did you mean verify?",
        "@none.args | @none.args: there is no argument file none.args.",
        "check extra | gambit check: unexpected argument: extra.",
        "admin | gambit admin: expected one of the commands link.",
        "config | gambit config: expected one of the commands show, check.",
        "key | gambit key: expected one of the commands show, import, export.",
        "service | gambit service: expected one of the commands install, upgrade, uninstall.",
        "key import nsec1abc | gambit key import: a secret key is never an argument, because other"
            + " users of the machine can read it.",
        "config shw | Unknown command: shw; did you mean show?",
        "config show --port 1 | --port has no effect without --effective.",
        "--data x verify | Missing required parameter: 'GAME-ID'.",
        "--data x check | --data has no effect before check: options follow the name of their"
            + " command.",
        "demo :: | Invalid value for positional parameter at index 0 (URL): '::' is not a URL.",
        "demo http://x | URL http://x: expected a ws:// or wss:// URL.",
        "verify abc | GAME-ID abc: expected 64 hex digits.",
        "verify --timeout x | Invalid value for option '--timeout': 'x' is not a whole number.",
        "bot --name | Missing required parameter for option '--name' (NAME).",
        "play http://x | URL http://x: expected a ws:// or wss:// URL.",
        "play --bot a | --bot a: expected the number of a level.",
        "play --color red | --color red: expected white, black or random.",
        "play --invite nsec1abc | --invite nsec1...: expected a player's npub.",
        "play --accept a | --accept a: expected an id of 64 hex digits, or a link of the page.",
        "play --watch a | --watch a: expected an id of 64 hex digits.",
        "play --bot --watch a | --bot, --watch=GAME are mutually exclusive (specify only one)."
      })
  void aWrongCommandLineIsAnsweredByASentence(String arguments, String sentence) {
    CommandResult result = CommandResult.of(arguments.split(" "));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors().lines().toList()).hasSize(2).first().isEqualTo(sentence);
    assertThat(result.errors()).endsWith("--help' lists the options.");
    assertThat(result.output()).isEmpty();
  }

  @Test
  void aNameThatNoFileCanHaveIsReported() {
    CommandResult result = CommandResult.of("--data", "a\0b");
    assertThat(result.errors())
        .startsWith("Invalid value for option '--data': 'a\0b' is not the name of a file.");
  }

  @Test
  void anUnreadableArgumentFileIsReported() {
    CommandResult result = CommandResult.of("@" + directory);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors()).isEqualTo("@" + directory + ": this argument file cannot be read.");
  }

  @Test
  void anUnreadableFileThatAnArgumentFileNamesIsReported() throws Exception {
    Path file = Files.writeString(directory.resolve("x.args"), "config check\n@" + directory);
    CommandResult result = CommandResult.of("@" + file);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.errors()).isEqualTo("@" + directory + ": this argument file cannot be read.");
  }

  @Test
  void anArgumentWithBlanksIsQuotedAsAWholeInAnArgumentFile() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("x.args"),
            "config show --effective\n--set \"relay.name=My relay\" # a comment\n--data none");
    assertThat(CommandResult.of("@" + file).output()).contains("relay.name = \"My relay\"");
  }

  @Test
  void anArgumentFileStandsForItsArguments() throws Exception {
    Path file =
        Files.writeString(directory.resolve("x.args"), "# options\nconfig\ncheck --port 7448");
    assertThat(CommandResult.of("@" + file).errors())
        .isEqualTo(
            "--port 7448: relay.port (--port) and metrics.port (--metrics-port) must differ.");
  }

  @Test
  void helpOfEveryCommandHasExitStatusesAndAnExample() {
    for (List<String> command : commands(GambitCommand.commandLine(), List.of())) {
      List<String> arguments = new ArrayList<>(command);
      arguments.add("--help");
      CommandResult result = CommandResult.of(arguments.toArray(String[]::new));
      assertThat(result.status()).isZero();
      assertThat(result.output())
          .startsWith("Usage: gambit")
          .contains("Example")
          .doesNotContain("\u001b[", "java.", "null");
      boolean isGroup = command.equals(List.of("config")) || command.equals(List.of("cluster"));
      if (!isGroup) { // only its commands do something
        assertThat(result.output()).contains("Exit status:");
      }
      arguments.set(arguments.size() - 1, "--version");
      assertThat(CommandResult.of(arguments.toArray(String[]::new)).output())
          .isEqualTo("gambit dev");
    }
    assertThat(CommandResult.of("help").output()).isEqualTo(CommandResult.of("--help").output());
    assertThat(CommandResult.of("help", "verify").output())
        .isEqualTo(CommandResult.of("verify", "--help").output());
  }

  @Test
  void aCommandIsDescribedInTheSameWayWithoutTheOthers() {
    CommandLine whole = GambitCommand.commandLine();
    assertThat(whole.getSubcommands().keySet()).containsExactlyElementsOf(GambitCommand.COMMANDS);
    for (String name : whole.getSubcommands().keySet()) {
      CommandLine alone = GambitCommand.commandLine(name).getSubcommands().get(name);
      assertThat(alone.getUsageMessage())
          .isEqualTo(whole.getSubcommands().get(name).getUsageMessage());
    }
    assertThat(GambitCommand.commandLine("export").getSubcommands()).containsOnlyKeys("export");
  }

  /** All commands but help, which describes itself. */
  private static List<List<String>> commands(CommandLine command, List<String> name) {
    List<List<String>> all = new ArrayList<>(List.of(name));
    command
        .getSubcommands()
        .forEach(
            (word, each) -> {
              if (!word.equals("help")) {
                List<String> longer = new ArrayList<>(name);
                longer.add(word);
                all.addAll(commands(each, longer));
              }
            });
    return all;
  }
}
