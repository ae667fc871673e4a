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

  @Test
  void drawsAreAcceptedLateOrWhenLosing() {
    assertThat(BotGame.acceptsDraw(0, 5)).isFalse();
    assertThat(BotGame.acceptsDraw(-200, 5)).isTrue();
    assertThat(BotGame.acceptsDraw(0, 30)).isTrue();
    assertThat(BotGame.acceptsDraw(1, 30)).isFalse();
  }
}
