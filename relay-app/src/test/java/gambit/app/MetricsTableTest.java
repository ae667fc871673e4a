package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.metrics.OperatorFiles;
import gambit.app.server.metrics.OperatorFiles.MetricRow;
import gambit.app.server.reload.Reload;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of metrics in {@code docs/operations/metrics.tsv} is what a relay exports. */
class MetricsTableTest {
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

  @TempDir Path data;

  private final Map<String, String> helps = new LinkedHashMap<>();
  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, Set<String>> labels = new LinkedHashMap<>();

  @Test
  void theTableNamesEveryMetricWithItsTypeItsLabelsAndItsMeaning() throws Exception {
    try (Gambit program =
        new Gambit(
            new Gambit.Options(
                data,
                false,
                TestSettings.ofRelay("chess.house.enabled=true", "nips.50=true"),
                new Reload(ConfigSources.defaults(), ConfigSources.defaults().load())),
            death -> {})) {
      InetSocketAddress address = program.parts().port().address();
      URI url = URI.create("ws://" + address.getHostString() + ":" + address.getPort());
      Client.httpRequest("GET", url, "application/nostr+json");
      try (Client client = new Client(url)) {
        client.publishAccepted(
            Keys.of("alice").sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "hello"));
        client.queryIds("{}");
      }
      URI metrics = URI.create("http://localhost:" + program.metricsPort() + "/metrics");
      read(Client.httpRequest("GET", metrics, "text/plain").body());
    }
    Map<String, MetricRow> table = OperatorFiles.metrics();
    for (Map.Entry<String, String> metric : types.entrySet()) {
      String name = metric.getKey();
      boolean isAlwaysExported = !table.containsKey(name) || table.get(name).isAlwaysExported();
      MetricRow row =
          new MetricRow(
              name, metric.getValue(), labels.get(name), helps.get(name), isAlwaysExported);
      String line = line(row);
      assertThat(table).as("a row for the metric, such as\n%s", line).containsKey(name);
      assertThat(line(table.get(name))).isEqualTo(line);
    }
    assertThat(table.values().stream().filter(MetricRow::isAlwaysExported).map(MetricRow::name))
        .allMatch(types::containsKey);
  }

  private static String line(MetricRow row) {
    return String.join(
        "\t",
        row.name(),
        row.type(),
        String.join(",", new TreeSet<>(row.labels())),
        row.isAlwaysExported() ? "always" : "sometimes",
        row.help());
  }

  private void read(String scrape) {
    for (String line : scrape.split("\n")) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        helps.put(words[2], words[3]);
      } else if (line.startsWith("# TYPE ")) {
        types.put(words[2], words[3]);
        labels.put(words[2], new TreeSet<>());
      } else {
        String name = line.split("[{ ]", 2)[0];
        String family =
            types.containsKey(name) ? name : name.replaceFirst("_(bucket|sum|count)$", "");
        Matcher label = LABEL.matcher(line);
        while (label.find()) {
          if (!label.group(1).equals("le")) {
            labels.get(family).add(label.group(1));
          }
        }
      }
    }
  }
}
