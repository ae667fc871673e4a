package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.bot.BotGame.DrawPolicy;
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

  @Test
  void drawsAreAcceptedLateOrWhenLosing() {
    assertThat(DrawPolicy.accepts(0, 5)).isFalse();
    assertThat(DrawPolicy.accepts(-200, 5)).isTrue();
    assertThat(DrawPolicy.accepts(0, 30)).isTrue();
    assertThat(DrawPolicy.accepts(1, 30)).isFalse();
  }
}
