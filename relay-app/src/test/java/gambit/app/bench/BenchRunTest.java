package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayLimits;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchRunTest {
  private final List<String> output = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();

  /** A line that fails when it is run, or takes one wrong answer. */
  private Line line(String name, boolean isFailing) {
    return new Line() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Totals run(Amount amount) throws RelayFailure {
        if (isFailing) {
          throw new RelayFailure("The relay has ended.");
        }
        Totals totals = new Totals();
        totals.operation(1_000);
        totals.wrong("one");
        totals.took(1_000_000_000, null);
        return totals;
      }

      @Override
      public void close() {
        closed.add(name);
      }
    };
  }

  private BenchRun run(BenchClients clients) {
    BenchOptions options = new BenchOptions(2, 1, 0, 1, 0, 1, 1, 1, 1, new BoxSize(6, 1, 4, 1, 1));
    DataSet data = new DataSet(1, 0);
    Oracle oracle = new Oracle(data);
    Bench bench = new Bench(options, clients, RelayLimits.USUAL, null, data, oracle, false);
    return new BenchRun(bench, "here", output::add);
  }

  private void assertThatOnlyTheFirstHasFailed(BenchRun run, String line) {
    assertThat(closed).containsExactly("first", "second");
    assertThat(output).contains("first: not measured, The relay has ended.");
    assertThat(run.results()).isNotEmpty().allMatch(result -> result.line().equals(line));
    assertThat(run.problem()).endsWith("Lines that could not be measured: 1.");
  }

  @Test
  void aLineThatFailsDoesNotEndTheOthers() throws Exception {
    try (BenchClients clients = new BenchClients(URI.create("ws://localhost:1"))) {
      BenchRun run = run(clients);
      run.runs(List.of(line("first", true), line("second", false)));
      assertThatOnlyTheFirstHasFailed(run, "second");
      assertThat(run.problem()).startsWith("The relay gave 2 wrong answers.");
    }
  }

  @Test
  void aLineThatFailsInAWindowDoesNotEndTheOthers() throws Exception {
    try (BenchClients clients = new BenchClients(URI.create("ws://localhost:1"))) {
      BenchRun run = run(clients);
      run.windows(List.of(line("first", true), line("second", false)), List.of(1));
      assertThatOnlyTheFirstHasFailed(run, "second@0-1s");
    }
  }
}
