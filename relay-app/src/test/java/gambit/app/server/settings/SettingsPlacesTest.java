package gambit.app.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.config.SettingsReader;
import gambit.app.tool.sync.SyncSettings;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The place of each section's settings, as the description of the package states. */
class SettingsPlacesTest {
  /** Peers are also known to a command that reads no configuration. */
  private static final List<Class<?>> READ_ELSEWHERE = List.of(SyncSettings.class);

  @Test
  void theRecordOfASectionHasItsNameAndReadsTheSectionByItself() {
    for (RecordComponent section : Settings.class.getRecordComponents()) {
      Class<?> type = section.getType();
      if (type.getName().startsWith("gambit.app.")) {
        String name = section.getName();
        assertThat(type.getSimpleName())
            .isEqualTo(Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Settings");
        assertThat(READ_ELSEWHERE.contains(type) || readsItsSection(type)).as(name).isTrue();
      }
    }
  }

  private static boolean readsItsSection(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(
            method ->
                method.getName().equals("read")
                    && Arrays.equals(
                        method.getParameterTypes(), new Class<?>[] {SettingsReader.class}));
  }
}
