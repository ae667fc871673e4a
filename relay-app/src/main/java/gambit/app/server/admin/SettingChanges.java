package gambit.app.server.admin;

import com.fasterxml.jackson.annotation.JsonProperty;
import gambit.app.common.ErrorMessages;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.ConfigText;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.Configuration.Change;
import gambit.app.server.config.ListedSetting;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.reload.Reload;
import gambit.app.server.reload.ReloadResult;
import gambit.app.server.settings.Settings;
import gambit.core.files.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes of settings by admins over HTTP. They are written to {@code admin.conf}, a layer above
 * the configuration file, and put in force by a reload; the whole configuration is checked before
 * anything is written. One thread at a time.
 */
final class SettingChanges {
  static final int MAX_BYTES = 1 << 20;

  /**
   * Settings that an admin must not change: those that run programs, name files of the relay's
   * machine or connect it with other machines, so that an admin would be its operator; and those
   * with which admins could lock each other out.
   */
  private static final Map<String, String> OF_THE_OPERATOR =
      Map.of(
          "plugin.command", "it runs a program on the relay's machine",
          "backup.directory", "it names a directory of the relay's machine",
          "sync.peers", "it sends what is stored here, also private messages, to other relays",
          "transport.proxies", "it decides which addresses of clients are believed",
          "management.admins", "nobody must lock the operator's admins out; use roles",
          "web.enabled", "it switches this page off",
          "rates.by_address.http", "it could refuse the calls that take it back",
          "limits.connections", "it could refuse the calls that take it back",
          "limits.handshake", "it could refuse the calls that take it back");

  private final Reload reload;

  /**
   * The result of a change, or of its check: nothing is changed if there is a fault.
   *
   * @param changes what differs from the settings in force
   * @param needRestart the keys among them that take effect at the next start
   */
  record Outcome(
      List<Change> changes,
      @JsonProperty("needs_restart") List<String> needRestart,
      @Nullable String fault) {}

  SettingChanges(Reload reload) {
    this.reload = reload;
  }

  /** Whether a setting is a command, whose arguments may contain secrets. */
  static boolean runsProgram(String key) {
    return key.equals("plugin.command") || key.equals("chess.house.engine");
  }

  List<ListedSetting> list() {
    return ListedSetting.all(reload.running());
  }

  /** Why a setting cannot be changed here; nothing if it can. */
  Optional<String> objection(ListedSetting setting) {
    String ofOperator = OF_THE_OPERATOR.get(setting.key());
    if (ofOperator != null) {
      return Optional.of(ofOperator);
    } else if (Reload.needsRestart(setting.key())) {
      return Optional.of("it takes effect at the start only");
    } else if (setting.isSecret()) {
      return Optional.of("it is a secret");
    } else if (setting.isFixed()) {
      return Optional.of("it is given by " + setting.source());
    } else if (setting.namesFiles()) {
      return Optional.of("its list is in a file of the relay's machine");
    }
    return setting.isWhole() ? Optional.empty() : Optional.of("it is too long, or has a secret");
  }

  /** What a change would do; a text is one for {@code --set}, an empty one takes a change back. */
  Outcome check(Map<String, Optional<String>> changes) {
    try {
      return outcome(candidate(changes));
    } catch (SettingsProblem e) {
      return refused(e.sentence());
    }
  }

  /** The changed configuration, which is valid. */
  private Configuration candidate(Map<String, Optional<String>> changes) {
    requireChangeable(changes.keySet());
    Configuration next = reload.sources().loadWith(changes);
    Settings.read(next);
    if (ConfigText.ofAdmins(next).getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new SettingsProblem(ConfigSources.ADMIN_FILE_NAME + ": it would be too large.");
    }
    return next;
  }

  /** What differs from the configuration in force. */
  private Outcome outcome(Configuration next) {
    List<Change> differences =
        reload.running().changesTo(next).stream().map(SettingChanges::shown).toList();
    List<String> needRestart =
        differences.stream().map(Change::key).filter(Reload::needsRestart).toList();
    return new Outcome(differences, needRestart, null);
  }

  /** A change of the operator's file, too, may be among them. */
  private static Change shown(Change change) {
    String key = change.key();
    return runsProgram(key)
        ? new Change(key, "(not shown)", "(not shown)")
        : new Change(
            key,
            ListedSetting.withoutCredentials(key, change.before()),
            ListedSetting.withoutCredentials(key, change.after()));
  }

  private void requireChangeable(Set<String> keys) {
    List<ListedSetting> all = list();
    for (String key : keys) {
      ListedSetting setting =
          all.stream()
              .filter(it -> it.key().equals(key))
              .findFirst()
              .orElseThrow(() -> new SettingsProblem(key + ": no such setting."));
      objection(setting)
          .ifPresent(
              reason -> {
                throw new SettingsProblem(key + " cannot be changed here: " + reason + ".");
              });
    }
  }

  /** Makes a change. If the relay refuses it, the file is as before. */
  Outcome change(Map<String, Optional<String>> changes) {
    Optional<Path> file = reload.sources().adminFile();
    if (file.isEmpty()) {
      return refused("This relay has no data directory for changed settings.");
    }
    try {
      String before = ConfigText.ofAdmins(reload.sources().load());
      Configuration next = candidate(changes);
      Outcome outcome = outcome(next);
      write(file.get(), ConfigText.ofAdmins(next));
      if (reload.reload() instanceof ReloadResult.Refused refused) {
        write(file.get(), before);
        return refused(refused.sentence());
      }
      return outcome;
    } catch (SettingsProblem e) {
      return refused(e.sentence());
    } catch (IOException e) {
      return refused(ErrorMessages.of(e) + ".");
    }
  }

  private static Outcome refused(String fault) {
    return new Outcome(List.of(), List.of(), fault);
  }

  private static void write(Path file, String text) throws IOException {
    Directories.replacePrivate(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
