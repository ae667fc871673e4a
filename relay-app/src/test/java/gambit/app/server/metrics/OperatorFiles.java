package gambit.app.server.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files for operators in {@code docs/operations}, as tests read them. */
public final class OperatorFiles {
  public static final Path DIRECTORY = Path.of("../docs/operations").toAbsolutePath().normalize();

  private static final Pattern ALERT =
      Pattern.compile(
          "- alert: (\\w+)\\n +expr: (.+)\\n(?: +for: \\w+\\n)? +labels: .+\\n +annotations:\\n"
              + " +summary: .+\\n +description: .+\\n +runbook: (.+)\\n");

  /** An alert rule. */
  record Alert(String name, String expression, String runbook) {}

  /**
   * A row of the table of metrics, {@code metrics.tsv}.
   *
   * @param help what is counted
   * @param isAlwaysExported whether it is exported by every relay that serves clients
   */
  public record MetricRow(
      String name, String type, Set<String> labels, String help, boolean isAlwaysExported) {}

  private OperatorFiles() {}

  static String read(String name) throws IOException {
    return Files.readString(DIRECTORY.resolve(name));
  }

  static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(read("grafana-dashboard.json"));
  }

  /** The queries of all panels by panel and position; variables are not replaced. */
  static Map<String, String> queries() throws IOException {
    Map<String, String> queries = new LinkedHashMap<>();
    for (JsonNode panel : dashboard().path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String place = panel.path("id").asText() + " " + panel.path("title").asText();
        queries.put(place + ", " + target.path("refId").asText(), target.path("expr").asText());
      }
    }
    return queries;
  }

  static List<Alert> alerts() throws IOException {
    List<Alert> alerts = new ArrayList<>();
    Matcher rule = ALERT.matcher(read("alerts.yml"));
    while (rule.find()) {
      alerts.add(new Alert(rule.group(1), rule.group(2), rule.group(3)));
    }
    return alerts;
  }

  /** The rows of the table of metrics by name. */
  public static Map<String, MetricRow> metrics() throws IOException {
    Map<String, MetricRow> rows = new LinkedHashMap<>();
    read("metrics.tsv")
        .lines()
        .skip(1)
        .forEach(
            line -> {
              String[] cells = line.split("\t", -1);
              Set<String> labels =
                  cells[2].isEmpty() ? Set.of() : new TreeSet<>(List.of(cells[2].split(",")));
              rows.put(
                  cells[0],
                  new MetricRow(cells[0], cells[1], labels, cells[4], cells[3].equals("always")));
            });
    return rows;
  }
}
