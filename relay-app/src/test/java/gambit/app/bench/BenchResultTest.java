package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results in files, and their comparison. */
class BenchResultTest {
  @TempDir private Path directory;

  private static List<BenchResult> results(String label, double... cpu) {
    List<BenchResult> results = new ArrayList<>();
    for (int i = 0; i < cpu.length; i++) {
      results.add(new BenchResult(label, 100, "req-ids", "", i + 1, Measure.CPU_US, cpu[i]));
    }
    results.add(new BenchResult(label, 100, "moves", "512", 1, Measure.P999_MS, 2.5));
    return results;
  }

  @Test
  void whatWasAppendedIsReadAgain() throws IOException {
    Path file = directory.resolve("results.csv");
    BenchResult.append(file, results("a", 1, 2.25));
    BenchResult.append(file, results("b", 3));
    assertThat(Files.readAllLines(file))
        .startsWith(
            "label,events,line,parameter,run,measure,value", "a,100,req-ids,,1,cpu_us,1.0000")
        .hasSize(6);
    assertThat(BenchResult.read(file))
        .isEqualTo(
            List.of(
                results("a", 1, 2.25).get(0),
                results("a", 1, 2.25).get(1),
                results("a", 1, 2.25).get(2),
                results("b", 3).get(0),
                results("b", 3).get(1)));
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("other.csv"), "a,b\n");
    assertThatThrownBy(() -> BenchResult.read(file)).hasMessageContaining("its first line is not");
    Path broken = directory.resolve("broken.csv");
    BenchResult.append(broken, List.of());
    Files.writeString(broken, Files.readString(broken) + "a,1,x,,1,fast,2\n");
    assertThatThrownBy(() -> BenchResult.read(broken)).hasMessageContaining("cannot be read");
  }

  @Test
  void comparePrintsBothMediansAndTheirRatio() throws IOException {
    Path before = directory.resolve("before.csv");
    Path after = directory.resolve("after.csv");
    BenchResult.append(before, results("old", 90, 100, 700));
    BenchResult.append(after, results("new", 50, 20, 30, 60));
    CommandResult result =
        CommandResult.of("bench", "--compare", before.toString(), after.toString());
    assertThat(result.status()).isZero();
    assertThat(result.output().lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "line measure old new B / A",
            "req-ids cpu_us 100 40.00 0.40",
            "moves 512 p999_ms 2.50 2.50 1.00");
    CommandResult missing =
        CommandResult.of("bench", "--compare", before.toString(), directory + "/none.csv");
    assertThat(missing.errors()).contains("none.csv cannot be read");
    assertThat(missing.status()).isEqualTo(1);
  }
}
