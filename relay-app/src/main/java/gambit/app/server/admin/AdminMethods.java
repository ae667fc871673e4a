package gambit.app.server.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.server.admin.SettingChanges.Outcome;
import gambit.app.server.backup.BackupSettings;
import gambit.app.server.backup.Backups;
import gambit.app.server.config.ListedSetting;
import gambit.app.server.log.RecentWarnings;
import gambit.app.server.metrics.MicrometerMetrics;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import gambit.core.feature.ConnectedClient;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Deadlines;
import gambit.core.management.Access;
import gambit.core.management.Call;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Management;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Methods of management about the running program; docs/operations/management.md lists them. It is
 * installed after {@link Management}, on whose lane the methods run: each is quick, and has a bound
 * on its answer.
 */
public final class AdminMethods implements Feature {
  static final int MAX_CONNECTIONS = 1_000;
  private static final int MAX_CHANGES = 100;
  private static final int MAX_AUDIT_CHARS = 500;
  private static final String DISCONNECTED = "disconnected by an admin";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Management management;
  private final Figures figures;
  private final SettingChanges settings;
  private final Backups backups;
  private final RecentWarnings warnings;
  private final StatusReport status;
  private final InstantSource time;

  /**
   * The parts of the program that the methods are about.
   *
   * @param settings those in force
   * @param certificateProblem why there is no newer certificate, in a sentence
   */
  public record Program(
      String version,
      Path data,
      Supplier<Settings> settings,
      Reload reload,
      MicrometerMetrics metrics,
      Backups backups,
      RecentWarnings warnings,
      Supplier<Optional<String>> certificateProblem,
      InstantSource time) {}

  public AdminMethods(Management management, Program program) {
    this.management = management;
    this.figures = new Figures(program.metrics(), program.time());
    this.settings = new SettingChanges(program.reload());
    this.backups = program.backups();
    this.warnings = program.warnings();
    this.status =
        new StatusReport(
            program.version(),
            program.data(),
            program.metrics(),
            program.time(),
            () -> program.settings().get().store().minFreeBytes(),
            program.certificateProblem());
    this.time = program.time();
  }

  @Override
  public void install(RelayBuilder relay) {
    management.addMethod("figures", Access.ROLES, this::figures);
    management.addMethod("listconnections", Access.ROLES, call -> connections(relay));
    management.addMethod("disconnect", Access.ROLES, call -> disconnect(call, relay));
    management.addMethod("listsettings", Access.ADMINS, call -> listSettings());
    management.addMethod(
        "checksettings", Access.ADMINS, call -> json(settings.check(changes(call))));
    management.addMethod("changesettings", Access.ADMINS, this::changeSettings);
    management.addMethod("listbackups", Access.ADMINS, call -> listBackups());
    management.addMethod("startbackup", Access.ADMINS, this::startBackup);
    management.addMethod("listwarnings", Access.ADMINS, this::listWarnings);
    management.addMethod("status", Access.ROLES, call -> status.json());
  }

  /** The relay runs: figures are collected from now on. */
  public void start(Deadlines deadlines) {
    figures.start(deadlines);
  }

  /** The settings of backups in force. */
  public BackupSettings backupSettings() {
    return backups.settings();
  }

  private ObjectNode figures(Call call) throws CallRefused {
    return figures.since(call.params().isEmpty() ? 0 : number(call, 0, Long.MAX_VALUE));
  }

  private static long number(Call call, long min, long max) throws CallRefused {
    JsonNode number = call.params().get(0);
    if (!number.isIntegralNumber() || number.longValue() < min || number.longValue() > max) {
      throw new CallRefused("the first parameter is not a number from " + min + " to " + max);
    }
    return number.longValue();
  }

  private static ArrayNode connections(RelayBuilder relay) {
    ArrayNode list = JSON.arrayNode();
    relay.clients().stream()
        .sorted(Comparator.comparingLong(AdminMethods::noise).reversed())
        .limit(MAX_CONNECTIONS)
        .forEach(
            client -> {
              ArrayNode keys =
                  list.addObject()
                      .put("id", client.id())
                      .put("address", client.address().toString())
                      .put("since", client.since())
                      .put("subscriptions", client.subscriptions())
                      .put("outbox_bytes", client.outboxBytes())
                      .put("messages", client.messages())
                      .put("refused", client.refused())
                      .putArray("keys");
              client.keys().forEach(key -> keys.add(key.hex()));
            });
    return list;
  }

  /** What a client costs, roughly: a refusal as much as ten messages, a message as much as a kB. */
  private static long noise(ConnectedClient client) {
    return client.messages() + 10L * client.refused() + client.outboxBytes() / 1024;
  }

  private BooleanNode disconnect(Call call, RelayBuilder relay) throws CallRefused {
    String id = call.text(0);
    Optional<ConnectedClient> client =
        relay.clients().stream().filter(it -> it.id().equals(id)).findFirst();
    if (client.isEmpty() || !relay.disconnect(id, DISCONNECTED)) {
      throw new CallRefused("there is no such connection any more");
    }
    management.audit(call, "address " + client.get().address(), "");
    return BooleanNode.TRUE;
  }

  private ArrayNode listSettings() {
    ArrayNode list = JSON.arrayNode();
    for (ListedSetting setting : settings.list()) {
      ObjectNode each = list.addObject().put("key", setting.key());
      boolean isShown = !setting.isSecret() && !SettingChanges.runsProgram(setting.key());
      if (isShown) {
        each.put("value", setting.value());
      }
      each.put("default", setting.defaultValue())
          .put("source", setting.source())
          .put("reloads", !Reload.needsRestart(setting.key()))
          .put("secret", !isShown)
          .put("changeable", settings.objection(setting).isEmpty());
      if (!setting.about().isEmpty()) {
        each.put("about", setting.about());
      }
    }
    return list;
  }

  private static Map<String, Optional<String>> changes(Call call) throws CallRefused {
    JsonNode object = call.params().isEmpty() ? JSON.missingNode() : call.params().get(0);
    if (!object.isObject() || object.size() > MAX_CHANGES) {
      throw new CallRefused(
          "the first parameter is not an object of at most " + MAX_CHANGES + " settings");
    }
    Map<String, Optional<String>> changes = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (!each.getValue().isTextual() && !each.getValue().isNull()) {
        throw new CallRefused("the value of " + each.getKey() + " is not a text or null");
      }
      changes.put(each.getKey(), Optional.ofNullable(each.getValue().textValue()));
    }
    return changes;
  }

  private static ObjectNode json(Outcome outcome) {
    ObjectNode json = JSON.objectNode();
    ArrayNode changes = json.putArray("changes");
    outcome
        .changes()
        .forEach(
            it ->
                changes
                    .addObject()
                    .put("key", it.key())
                    .put("before", it.before())
                    .put("after", it.after()));
    outcome.needRestart().forEach(json.putArray("needs_restart")::add);
    return json.put("fault", outcome.fault());
  }

  private ObjectNode changeSettings(Call call) throws CallRefused {
    Map<String, Optional<String>> changes = changes(call);
    Outcome outcome = settings.change(changes);
    if (outcome.fault() == null) {
      String details =
          outcome.changes().stream().map(String::valueOf).collect(Collectors.joining("; "));
      management.audit(call, cut(String.join(", ", changes.keySet())), cut(details));
    }
    return json(outcome);
  }

  private static String cut(String text) {
    return text.length() <= MAX_AUDIT_CHARS ? text : text.substring(0, MAX_AUDIT_CHARS) + "…";
  }

  private ObjectNode listBackups() {
    ObjectNode answer =
        JSON.objectNode()
            .put("directory", backups.directory().toString())
            .put("running", backups.isRunning());
    backups
        .last()
        .ifPresentOrElse(
            last ->
                answer
                    .putObject("last")
                    .put("at", last.at().getEpochSecond())
                    .put("bytes", last.bytes())
                    .put("seconds", last.seconds().orElse(null))
                    .put("error", last.error().orElse(null)),
            () -> answer.putNull("last"));
    return answer;
  }

  private BooleanNode startBackup(Call call) throws CallRefused {
    if (!backups.start()) {
      throw new CallRefused("a backup is being made already");
    }
    management.audit(call, backups.directory().toString(), "");
    return BooleanNode.TRUE;
  }

  private ArrayNode listWarnings(Call call) throws CallRefused {
    long max =
        call.params().isEmpty()
            ? RecentWarnings.MAX_LINES
            : number(call, 1, RecentWarnings.MAX_LINES);
    ArrayNode list = JSON.arrayNode();
    warnings
        .newest((int) max, time.instant())
        .forEach(
            it ->
                list.addObject()
                    .put("at", it.at())
                    .put("level", it.level())
                    .put("logger", it.logger())
                    .put("message", it.message()));
    return list;
  }
}
