package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.play.Screen.FullScreen;
import org.junit.jupiter.api.Test;

class FullScreenTest {

  @Test
  void messagesAreBrokenBetweenWords() {
    assertThat(FullScreen.wrapped("one two three four", 9))
        .containsExactly("one two", "three", "four");
    assertThat(FullScreen.wrapped("one two", 9)).containsExactly("one two");
    assertThat(FullScreen.wrapped("", 9)).containsExactly("");
  }

  @Test
  void longWordsAreBrokenAnywhere() {
    assertThat(FullScreen.wrapped("abcdefghijkl mn", 5)).containsExactly("abcde", "fghij", "kl mn");
    assertThat(FullScreen.wrapped("你好你好", 3)).containsExactly("你", "好", "你", "好");
    assertThat(FullScreen.wrapped("你好", 1)).containsExactly("你", "好");
  }
}
