package gambit.app.server.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.common.Amounts;
import gambit.app.server.admin.SettingChanges.Outcome;
import gambit.app.server.config.ListedSetting;
import gambit.app.server.data.Backups;
import gambit.app.server.data.Backups.BackupSettings;
import gambit.app.server.log.RecentWarnings;
import gambit.app.server.metrics.MicrometerMetrics;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import gambit.core.feature.ConnectedClient;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Deadlines;
import gambit.core.management.Call;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Management;
import gambit.core.management.Management.Access;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Methods of management about the running program; docs/operations/management.md lists them. It is
 * installed after {@link Management}, on whose lane the methods run: each is quick, and has a bound
 * on its answer.
 */
public final class AdminMethods implements Feature {
  static final int MAX_CONNECTIONS = 1_000;
  private static final int MAX_CHANGES = 100;
  private static final int MAX_AUDIT_CHARS = 500;

  /** Room for so many times {@code store.min_free} is little. */
  private static final int LITTLE_ROOM = 4;

  private static final String DISCONNECTED = "disconnected by an admin";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Management management;
  private final Program program;
  private final Figures figures;
  private final SettingChanges settings;

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
    this.program = program;
    this.figures = new Figures(program.metrics(), program.time());
    this.settings = new SettingChanges(program.reload());
  }

  @Override
  public void install(RelayBuilder relay) {
    management.addMethod(
        "figures", Access.ROLES, call -> figures.since(call.number(0, 0, Long.MAX_VALUE, 0)));
    management.addMethod("listconnections", Access.ROLES, call -> connections(relay));
    management.addMethod("disconnect", Access.ROLES, call -> disconnect(call, relay));
    management.addMethod("listsettings", Access.ADMINS, call -> listSettings());
    management.addMethod(
        "checksettings", Access.ADMINS, call -> tree(settings.check(changes(call))));
    management.addMethod("changesettings", Access.ADMINS, this::changeSettings);
    management.addMethod("listbackups", Access.ADMINS, call -> listBackups());
    management.addMethod("startbackup", Access.ADMINS, this::startBackup);
    management.addMethod("listwarnings", Access.ADMINS, this::listWarnings);
    management.addMethod("status", Access.ROLES, call -> status());
  }

  public void start(Deadlines deadlines) {
    figures.start(deadlines);
  }

  public BackupSettings backupSettings() {
    return program.backups().settings();
  }

  /** A record, or a list of records, with its components in their order. */
  private static JsonNode tree(@Nullable Object value) {
    return Call.JSON.valueToTree(value);
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
    JsonNode object = call.param(0);
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

  private JsonNode changeSettings(Call call) throws CallRefused {
    Map<String, Optional<String>> changes = changes(call);
    Outcome outcome = settings.change(changes);
    if (outcome.fault() == null) {
      String details =
          outcome.changes().stream().map(String::valueOf).collect(Collectors.joining("; "));
      management.audit(call, cut(String.join(", ", changes.keySet())), cut(details));
    }
    return tree(outcome);
  }

  private static String cut(String text) {
    return text.length() <= MAX_AUDIT_CHARS ? text : text.substring(0, MAX_AUDIT_CHARS) + "…";
  }

  private ObjectNode listBackups() {
    Backups backups = program.backups();
    return JSON.objectNode()
        .put("directory", backups.directory().toString())
        .put("running", backups.isRunning())
        .set("last", tree(backups.last().orElse(null)));
  }

  private BooleanNode startBackup(Call call) throws CallRefused {
    if (!program.backups().start()) {
      throw new CallRefused("a backup is being made already");
    }
    management.audit(call, program.backups().directory().toString(), "");
    return BooleanNode.TRUE;
  }

  private JsonNode listWarnings(Call call) throws CallRefused {
    int max = (int) call.number(0, 1, RecentWarnings.MAX_LINES, RecentWarnings.MAX_LINES);
    return tree(program.warnings().newest(max, program.time().instant()));
  }

  private ObjectNode status() {
    ObjectNode status = JSON.objectNode();
    MicrometerMetrics metrics = program.metrics();
    File data = program.data().toFile();
    long free = data.getUsableSpace();
    long minFree = program.settings().get().store().minFreeBytes();
    status
        .put("version", program.version())
        .put("java", Runtime.version().toString())
        .put("started", ManagementFactory.getRuntimeMXBean().getStartTime() / 1000)
        .put("events", (long) metrics.gauge("stored_events"))
        .put("store_bytes", (long) metrics.gauge("stored_bytes"))
        .put("disk_free_bytes", free)
        .put("disk_bytes", data.getTotalSpace())
        .put("needs_room", needsRoom(free, minFree).orElse(null));
    double until = metrics.gauge("tls_certificate_expiry_timestamp_seconds");
    if (Double.isNaN(until)) {
      status.putNull("certificate");
    } else {
      Optional<String> expired =
          until < program.time().instant().getEpochSecond()
              ? Optional.of("The certificate has expired: clients refuse it.")
              : Optional.empty();
      status
          .putObject("certificate")
          .put("until", (long) until)
          .put("problem", program.certificateProblem().get().or(() -> expired).orElse(null));
    }
    return status.put("peers", (long) metrics.gauge("mirrors"));
  }

  /** What to do about the disk, in a sentence; nothing while there is room. */
  static Optional<String> needsRoom(long free, long minFree) {
    if (free < minFree) {
      return Optional.of(
          "The store is full: "
              + Amounts.ofBytes(free)
              + " are free, store.min_free is "
              + Amounts.ofBytes(minFree)
              + ". Events of clients are refused until there is room.");
    } else if (free < LITTLE_ROOM * minFree) {
      return Optional.of(
          "Only "
              + Amounts.ofBytes(free)
              + " are free; with less than "
              + Amounts.ofBytes(minFree)
              + " (store.min_free), events of clients are refused.");
    }
    return Optional.empty();
  }
}
