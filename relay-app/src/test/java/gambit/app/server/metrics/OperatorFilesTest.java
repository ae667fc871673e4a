package gambit.app.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard and the alert rules fit the metrics and each other. */
class OperatorFilesTest {
  private static final Pattern METRIC =
      Pattern.compile("\\b((?:gambit|jvm|process|system)_[a-z_0-9]+)");
  private static final String DATA_SOURCE = "${datasource}";

  @Test
  void thePanelsOfTheDashboardHaveIdsOfTheirOwnAndDoNotOverlap() throws IOException {
    JsonNode dashboard = OperatorFiles.dashboard();
    assertThat(dashboard.path("schemaVersion").asInt()).isBetween(36, 41);
    assertThat(dashboard.path("uid").asText()).isNotEmpty();
    Set<Integer> ids = new HashSet<>();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt(-1))).as("%s", panel).isTrue();
      assertThat(panel.path("title").asText()).isNotEmpty();
      assertThat(panel.path("type").asText()).isIn("row", "stat", "timeseries");
      assertThat(panel.path("targets").findValuesAsText("refId")).doesNotHaveDuplicates();
      JsonNode place = panel.path("gridPos");
      assertThat(place.path("x").asInt() + place.path("w").asInt()).isBetween(1, 24);
      for (int x = 0; x < place.path("w").asInt(); x++) {
        for (int y = 0; y < place.path("h").asInt(); y++) {
          String cell = (place.path("x").asInt() + x) + " " + (place.path("y").asInt() + y);
          assertThat(cells.add(cell)).as("%s at %s", panel.path("title"), cell).isTrue();
        }
      }
    }
  }

  @Test
  void everyQueryOfTheDashboardUsesTheDataSourceThatIsChosen() throws IOException {
    JsonNode dashboard = OperatorFiles.dashboard();
    assertThat(dashboard.at("/templating/list/0/name").asText()).isEqualTo("datasource");
    assertThat(dashboard.at("/templating/list/0/type").asText()).isEqualTo("datasource");
    for (JsonNode source : dashboard.findValues("datasource")) {
      assertThat(source.path("uid").asText()).isEqualTo(DATA_SOURCE);
    }
    int targets = 0;
    for (JsonNode panel : dashboard.path("panels")) {
      if (!panel.path("type").asText().equals("row")) {
        assertThat(panel.path("targets")).as("%s", panel.path("title")).isNotEmpty();
        assertThat(panel.has("datasource")).isTrue();
      }
      for (JsonNode target : panel.path("targets")) {
        assertThat(target.has("datasource")).isTrue();
        targets++;
      }
    }
    assertThat(OperatorFiles.queries()).hasSize(targets);
  }

  @Test
  void everyMetricOfTheDashboardAndOfTheAlertsIsInTheTable() throws IOException {
    List<String> expressions = new ArrayList<>(OperatorFiles.queries().values());
    OperatorFiles.alerts().forEach(alert -> expressions.add(alert.expression()));
    expressions.removeIf(expression -> expression.startsWith("up{")); // Prometheus' own
    Set<String> known = OperatorFiles.metrics().keySet();
    for (String expression : expressions) {
      Matcher metric = METRIC.matcher(expression);
      assertThat(metric.find()).as(expression).isTrue();
      do {
        assertThat(known).contains(metric.group(1).replaceFirst("_(bucket|sum|count)$", ""));
      } while (metric.find());
    }
  }

  @Test
  void everyAlertHasASectionThatSaysWhatToDo() throws IOException {
    List<OperatorFiles.Alert> alerts = OperatorFiles.alerts();
    assertThat(alerts).hasSize(OperatorFiles.read("alerts.yml").split("- alert:").length - 1);
    String page = OperatorFiles.read("metrics.md");
    for (OperatorFiles.Alert alert : alerts) {
      assertThat(page).contains("\n### " + alert.name() + "\n");
      assertThat(alert.runbook())
          .isEqualTo("docs/operations/metrics.md#" + alert.name().toLowerCase(Locale.ROOT));
      assertThat(OperatorFiles.read("alerts-test.yml")).contains("'" + alert.name() + ": ");
    }
  }
}
