package gambit.app.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestEffort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

class ConfigOptionsTest {
  private static final List<String> WORDS =
      List.of(
          "--domain",
          "--listen",
          "--port",
          "--metrics-port",
          "--url",
          "--set",
          "--config",
          "--data",
          "--port=1",
          "--set=relay.port=2",
          "--url=ws://a",
          "--set",
          "--data=x=y",
          "--listen=",
          "--prt",
          "-V",
          "--help",
          "check",
          "help",
          "relay.port=0",
          "a=",
          "=a",
          "a=b=c",
          "x",
          "0",
          "+7",
          "-1",
          "",
          " ",
          "@file",
          "\"q q\"",
          "a b",
          "99999999999",
          "ws://b",
          "a\0b",
          "${x}",
          "--",
          "nsec1abc");

  @Test
  void argumentsThatAreReadWithoutTheLibraryAreReadAsItReadsThem() {
    Random random = new Random(36);
    int plain = 0;
    for (int i = 0; i < TestEffort.of(10_000, 100_000); i++) {
      List<String> line = new ArrayList<>();
      for (int words = random.nextInt(6); words > 0; words--) {
        line.add(WORDS.get(random.nextInt(WORDS.size())));
      }
      String[] arguments = line.toArray(String[]::new);
      ConfigOptions read = new ConfigOptions();
      if (read.read(List.of("check"), arguments)) {
        plain++;
        ConfigOptions expected = new ConfigOptions();
        try {
          CommandLine library = new CommandLine(expected);
          library.addSubcommand("check", CommandSpec.create()).parseArgs(arguments);
        } catch (ParameterException e) {
          throw new AssertionError(Arrays.toString(arguments), e);
        }
        assertThat(read).as(line.toString()).usingRecursiveComparison().isEqualTo(expected);
      }
    }
    assertThat(plain).isGreaterThan(100);
  }

  @Test
  void theOptionsOfAnOrdinaryStartAreReadWithoutTheLibrary() {
    assertThat(new ConfigOptions().read(List.of())).isTrue();
    assertThat(
            new ConfigOptions()
                .read(
                    List.of(),
                    ("--data d --config=c --domain a.b --listen ::1 --port 0 --metrics-port=1 --url ws://a --url"
                            + " ws://b --set a=b --set c=d=e")
                        .split(" ")))
        .isTrue();
  }
}
