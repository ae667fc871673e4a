package gambit.app.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.settings.Settings;
import gambit.core.limit.Limit;
import gambit.core.testkit.TestMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {
  private static final String ALICE = "a".repeat(64);
  private static final String BOB = "b".repeat(64);

  @TempDir Path data;

  private final List<Settings> inForce = new ArrayList<>();
  private final TestMetrics metrics = new TestMetrics();

  private void write(String text) throws IOException {
    Files.writeString(data.resolve("gambit.conf"), text);
  }

  private ConfigSources sources() {
    return ConfigSources.defaults()
        .withFileOf(data)
        .withOverrides(Map.of("limits.max_limit", "900", "limits.default_limit", "50"));
  }

  private Reload running() throws SettingsProblem {
    ConfigSources sources = sources();
    Reload reload = new Reload(sources, sources.load());
    reload.register(metrics);
    reload.begin(this::change);
    return reload;
  }

  private List<Configuration.Change> change(Settings settings) {
    inForce.add(settings);
    return List.of();
  }

  private Settings last() {
    return inForce.get(inForce.size() - 1);
  }

  @Test
  void fileThatAppearsIsReadAndFlagsOfTheStartStillWin() throws Exception {
    Reload reload = running();
    write("relay.name = Other\nlimits { subscriptions = 7, max_limit = 800 }");
    assertThat(reload.reload().text())
        .isEqualTo("Changed:\n  limits.subscriptions: 200 -> 7\n  relay.name: Gambit -> Other\n");
    assertThat(last().limits().get(Limit.SUBSCRIPTIONS)).isEqualTo(7);
    assertThat(last().limits().get(Limit.MAX_LIMIT)).isEqualTo(900);
    assertThat(reload.reload().text()).isEqualTo("Settings reloaded: none changed.\n");
    write("");
    assertThat(reload.reload().logLine())
        .isEqualTo(
            "Settings reloaded: limits.subscriptions: 7 -> 200, relay.name: Other -> Gambit");
    Files.delete(data.resolve("gambit.conf"));
    assertThat(reload.reload().text()).contains("gambit.conf").contains("does not exist");
  }

  @Test
  void badFileChangesNothingAndItsFaultIsNamedWithFileAndLine() throws Exception {
    write("relay.name = First");
    Reload reload = running();
    write("relay.name = Second\nlimits.subscriptions = many");
    ReloadResult result = reload.reload();
    assertThat(result.status()).isEqualTo(422);
    assertThat(result.text())
        .startsWith(data.resolve("gambit.conf") + ", line 2: limits.subscriptions = many: ");
    assertThat(result.text().lines()).hasSize(1);
    assertThat(inForce).isEmpty();
    assertThat(metrics.read("last_reload_successful")).isZero();
    assertThat(metrics.read("reloads{result=refused}")).isEqualTo(1);
    for (String fault : List.of("relay { name = ", "relay.nam = x", "limits.subscriptions = 0")) {
      write(fault);
      assertThat(reload.reload()).isInstanceOf(ReloadResult.Refused.class);
    }
    assertThat(inForce).isEmpty();
    write("relay.name = Third");
    assertThat(reload.reload().text()).isEqualTo("Changed:\n  relay.name: First -> Third\n");
    assertThat(metrics.read("last_reload_successful")).isEqualTo(1);
    assertThat(metrics.read("reloads{result=applied}")).isEqualTo(1);
  }

  @Test
  void settingsThatNeedARestartAreNamedAtEachReloadAndKeepTheirValues() throws Exception {
    Reload reload = running();
    write("relay { port = 1234, name = Other }\nnips.45 = false");
    assertThat(reload.reload().text())
        .isEqualTo(
            "Changed:\n  relay.name: Gambit -> Other\nNeeds a restart:\n"
                + "  nips.45: true -> false\n  relay.port: 7447 -> 1234\n");
    assertThat(last().relay().port()).isEqualTo(7447);
    assertThat(last().nips().off()).doesNotContain(45);
    assertThat(reload.reload().logLine())
        .isEqualTo(
            "Settings reloaded: none changed; needs a restart: nips.45: true -> false,"
                + " relay.port: 7447 -> 1234");
    write("relay.name = Other");
    assertThat(reload.reload().text()).isEqualTo("Settings reloaded: none changed.\n");
  }

  @Test
  void itemsOfAListsFileAreReadAgain() throws Exception {
    Path banned = data.resolve("banned.txt");
    Files.writeString(banned, ALICE + "\n");
    write("admission.refused_pubkeys = [\"file:banned.txt\"]");
    Reload reload = running();
    assertThat(reload.reload().text()).isEqualTo("Settings reloaded: none changed.\n");
    Files.writeString(banned, ALICE + "\n" + BOB + " # spam\n");
    assertThat(reload.reload().text())
        .isEqualTo(
            "Changed:\n  admission.refused_pubkeys: file:banned.txt (1 item) -> file:banned.txt"
                + " (2 items)\n");
    Files.writeString(banned, "nobody\n");
    assertThat(reload.reload().text()).startsWith(banned + ", line 1: nobody");
    Files.delete(banned);
    assertThat(reload.reload().text()).contains("banned.txt does not exist");
  }

  @Test
  void changeThatTheProgramRefusesLeavesTheOldSettingsRunning() throws Exception {
    ConfigSources sources = sources();
    Reload reload = new Reload(sources, sources.load());
    reload.begin(
        settings -> {
          throw new SettingsProblem("tls.certificate, tls.key: expired.");
        });
    write("relay.name = Other");
    assertThat(reload.reload().text()).isEqualTo("tls.certificate, tls.key: expired.\n");
    reload.begin(this::change);
    assertThat(reload.reload().text()).isEqualTo("Changed:\n  relay.name: Gambit -> Other\n");
  }

  @Test
  void reloadThatFailsByABugIsAnsweredAndTheNextOneWorks() throws Exception {
    Reload reload = running();
    reload.begin(
        settings -> {
          throw new IllegalStateException("a bug");
        });
    write("relay.name = Other");
    assertThat(reload.reload())
        .isEqualTo(
            new ReloadResult.Refused("the reload failed; the relay's log has the error.", false));
    assertThat(metrics.read("last_reload_successful")).isZero();
    reload.begin(this::change);
    assertThat(reload.reload().text()).isEqualTo("Changed:\n  relay.name: Gambit -> Other\n");
  }

  @Test
  void secretsAreNeverShown() throws Exception {
    Reload reload = running();
    write("metrics.token = 0123456789abcdef0123456789abcdef");
    ReloadResult result = reload.reload();
    assertThat(result.text()).contains("metrics.token").doesNotContain("0123456789abcdef");
    assertThat(result.logLine()).contains("metrics.token").doesNotContain("0123456789abcdef");
  }

  @Test
  void reloadWhileTheRelayStartsOrEndsIsRefusedWithoutReadingTheFile() throws Exception {
    ConfigSources sources = sources();
    Reload reload = new Reload(sources, sources.load());
    write("not valid = = =");
    assertThat(reload.reload())
        .isEqualTo(
            new ReloadResult.Refused(
                "the relay is starting or ending; reload again when it is ready.", true));
    reload.begin(this::change);
    reload.end();
    assertThat(reload.reload().text())
        .isEqualTo("the relay is starting or ending; reload again when it is ready.\n");
    assertThat(reload.reload().status()).isEqualTo(503);
  }

  @Test
  void reloadsAtTheSameTimeFollowEachOther() throws Exception {
    ConfigSources sources = sources();
    Reload reload = new Reload(sources, sources.load());
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch proceed = new CountDownLatch(1);
    reload.begin(
        settings -> {
          most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
          begun.countDown();
          try {
            proceed.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          atOnce.decrementAndGet();
          return List.of();
        });
    CompletableFuture<ReloadResult> first = CompletableFuture.supplyAsync(reload::reload);
    begun.await();
    write("relay.name = Other");
    CompletableFuture<ReloadResult> second = CompletableFuture.supplyAsync(reload::reload);
    proceed.countDown();
    assertThat(first.join().text()).isEqualTo("Settings reloaded: none changed.\n");
    assertThat(second.join().text()).isEqualTo("Changed:\n  relay.name: Gambit -> Other\n");
    assertThat(most).hasValue(1);
  }
}
