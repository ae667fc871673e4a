package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemoteReportsTest {
  private final RemoteReports reports = new RemoteReports(0);
  private final List<String> received = new ArrayList<>();

  private long expect(long node, String name) {
    return reports.expect(Set.of(node), isSent -> received.add(name + " " + isSent));
  }

  @Test
  void reportIsReceivedOnce() {
    long a = expect(1, "a");
    long b = expect(1, "b");
    assertThat(a).isPositive().isLessThan(b);
    reports.report(1, b, true);
    reports.report(1, b, true);
    reports.report(1, a, false);
    reports.report(1, b + 1, true);
    assertThat(received).containsExactly("b true", "a false");
  }

  @Test
  void outputIsSentWithTheFirstPositiveReportAndNotSentWhenAllAreNegative() {
    long a = reports.expect(Set.of(1L, 2L, 3L), isSent -> received.add("a " + isSent));
    reports.report(2, a, false);
    reports.report(2, a, false);
    reports.nodeGone(3);
    assertThat(received).isEmpty();
    reports.report(1, a, false);
    assertThat(received).containsExactly("a false");
    long b = reports.expect(Set.of(1L, 2L), isSent -> received.add("b " + isSent));
    reports.report(1, b, true);
    reports.report(2, b, true);
    assertThat(received).containsExactly("a false", "b true");
  }

  @Test
  void everyReportOfANodeThatGoesIsNegative() {
    long a = expect(1, "a");
    long b = expect(2, "b");
    expect(1, "c");
    reports.nodeGone(1);
    reports.report(1, a, true);
    assertThat(received).containsExactly("a false", "c false");
    reports.report(1, b, false); // which is not asked for it
    reports.report(2, b, true);
    assertThat(received).contains("b true");
    assertThat(reports.size()).isZero();
  }

  @Test
  void oldestReportIsNegativeWhenThereAreTooMany() {
    long oldest = expect(1, "oldest");
    for (int i = 1; i < RemoteReports.MAX_EXPECTED; i++) {
      expect(1, "other");
    }
    assertThat(received).isEmpty();
    expect(1, "newest");
    assertThat(received).containsExactly("oldest false");
    reports.report(1, oldest, true);
    assertThat(received).hasSize(1);
    assertThat(reports.size()).isEqualTo(RemoteReports.MAX_EXPECTED);
  }
}
