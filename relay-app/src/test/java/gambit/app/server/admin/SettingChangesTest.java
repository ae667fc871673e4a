package gambit.app.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration.Change;
import gambit.app.server.config.ListedSetting;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import gambit.core.files.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Changes of settings against a map of what was changed. */
class SettingChangesTest {
  private static final Map<String, List<String>> VALUES =
      Map.of(
          "relay.name", List.of("A \"club\"", "${HOME}", "two\nlines", "# no comment", "…"),
          "relay.description", List.of("", "include \"x\"", "{ a = 1 }"),
          "limits.filters", List.of("7", "8"),
          "admission.require_auth", List.of("true", "false"),
          "admission.kinds", List.of("1", "1,5000-5003", ""),
          "store.retention", List.of("7+1000-1999 30d", ""),
          "chess.first_move_limit", List.of("40s", "1m"),
          "log.levels", List.of("gambit.core=debug,org.x=warn", "a=info"),
          "store.min_free", List.of("1G", "0"));

  private Path data = Path.of("");

  record Step(String key, Optional<String> value) {}

  @BeforeProperty
  void begin() throws IOException {
    data = Files.createTempDirectory("settings");
  }

  @AfterProperty
  void end() throws IOException {
    Directories.delete(data);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.of(VALUES.keySet())
        .flatMap(
            key ->
                Combinators.combine(
                        Arbitraries.just(key), Arbitraries.of(VALUES.get(key)).optional(0.7))
                    .as(Step::new))
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  private ConfigSources sources() {
    return ConfigSources.defaults().withFileOf(data).withAdminFileOf(data);
  }

  private Reload running(Function<Settings, List<Change>> program) {
    ConfigSources sources = sources();
    Reload reload = new Reload(sources, sources.load());
    reload.begin(program);
    return reload;
  }

  private static Map<String, String> values(List<ListedSetting> settings) {
    return settings.stream().collect(Collectors.toMap(ListedSetting::key, ListedSetting::value));
  }

  @Property(tries = 10)
  void whatIsInForceIsWhatWasChangedAndTakenBackInAnyOrderItIsAsBefore(
      @ForAll("steps") List<Step> steps, @ForAll Random random) throws IOException {
    Files.deleteIfExists(data.resolve("admin.conf"));
    Files.writeString(data.resolve("gambit.conf"), "limits.filters = 9\nrelay.name = File\n");
    SettingChanges changes = new SettingChanges(running(settings -> List.of()));
    Map<String, String> before = values(changes.list());
    Map<String, String> model = new TreeMap<>();
    for (Step step : steps) {
      SettingChanges.Outcome checked = changes.check(Map.of(step.key(), step.value()));
      assertThat(changes.change(Map.of(step.key(), step.value()))).isEqualTo(checked);
      assertThat(checked.fault()).isNull();
      step.value().ifPresentOrElse(it -> model.put(step.key(), it), () -> model.remove(step.key()));
      Map<String, String> expected = new TreeMap<>(before);
      expected.putAll(model);
      assertThat(values(changes.list())).isEqualTo(expected);
      assertThat(values(ListedSetting.all(sources().load()))).isEqualTo(expected);
      assertThat(Settings.read(sources().load())).isNotNull();
    }
    List<String> keys = new ArrayList<>(model.keySet());
    Collections.shuffle(keys, random);
    for (String key : keys) {
      assertThat(changes.change(Map.of(key, Optional.empty())).fault()).isNull();
    }
    assertThat(values(changes.list())).isEqualTo(before);
    assertThat(Files.readAllLines(data.resolve("admin.conf")).stream().skip(1)).isEmpty();
  }

  @Property(tries = 1)
  void aChangeThatTheRelayRefusesLeavesTheFileAsItWas() throws IOException {
    Reload reload =
        running(
            settings -> {
              if (settings.relay().about().get("name").equals("No")) {
                throw new SettingsProblem("relay.name: not this one.");
              }
              return List.of();
            });
    SettingChanges changes = new SettingChanges(reload);
    changes.change(Map.of("relay.description", Optional.of("kept")));
    String file = Files.readString(data.resolve("admin.conf"));
    assertThat(changes.change(Map.of("relay.name", Optional.of("No"))).fault())
        .isEqualTo("relay.name: not this one.");
    assertThat(data.resolve("admin.conf")).hasContent(file.strip());
    Files.writeString(data.resolve("admin.conf.tmp"), "left by a crash");
    assertThat(changes.change(Map.of("relay.name", Optional.of("Yes"))).fault()).isNull();
    assertThat(data.resolve("admin.conf.tmp")).doesNotExist();
    Files.writeString(data.resolve("gambit.conf"), "limits.filters = many");
    assertThat(changes.change(Map.of("relay.name", Optional.of("Other"))).fault())
        .contains("gambit.conf, line 1: limits.filters = many");
    assertThat(Files.readString(data.resolve("admin.conf"))).contains("\"Yes\"");
  }

  @Property(tries = 1)
  void credentialsInUrlsAndCommandsAreNotListed() throws IOException {
    Files.writeString(
        data.resolve("gambit.conf"),
        "cluster.servers = [\"nats://me:s3same@10.0.0.1:4222\"]\n"
            + "sync.peers = [\"wss://relay.example/?key=s3same down\"]\n"
            + "admission.pubkeys = [\"file:friends.txt\"]\n");
    SettingChanges changes = new SettingChanges(running(settings -> List.of()));
    assertThat(changes.list().toString()).doesNotContain("s3same");
    ListedSetting peers =
        changes.list().stream()
            .filter(it -> it.key().equals("sync.peers"))
            .findFirst()
            .orElseThrow();
    assertThat(peers.value()).isEqualTo("wss://relay.example/… down");
    assertThat(changes.check(Map.of("admission.pubkeys", Optional.of(""))).fault())
        .contains("its list is in a file");
  }
}
