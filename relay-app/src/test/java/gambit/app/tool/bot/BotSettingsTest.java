package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BotSettingsTest {
  @Test
  void aCommandIsDividedAtBlanksOutsideOfQuotes() {
    assertThat(BotSettings.command("")).isEmpty();
    assertThat(BotSettings.command(" /usr/games/stockfish "))
        .containsExactly("/usr/games/stockfish");
    assertThat(BotSettings.command("nice -n 19 \"/opt/my engine/run\" \"\""))
        .containsExactly("nice", "-n", "19", "/opt/my engine/run", "");
  }
}
