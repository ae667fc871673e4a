package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeControlTest {

  private static final long MONTH = 30 * 24 * 3600;

  @Test
  void formsAreThoseOfPgn() {
    assertThat(TimeControl.parse("-")).contains(TimeControl.UNTIMED);
    assertThat(TimeControl.parse("1/600")).contains(TimeControl.TEN_MINUTES_A_MOVE);
    assertThat(TimeControl.parse("300")).contains(new TimeControl(false, 300_000, 0));
    assertThat(TimeControl.parse("300+3")).contains(new TimeControl(false, 300_000, 3_000));
  }

  @Test
  void suddenDeathIsAnIncrementOfZero() {
    assertThat(TimeControl.parse("300+0")).isEqualTo(TimeControl.parse("300"));
    assertThat(TimeControl.parse("300+0").map(TimeControl::text)).contains("300");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2592000", "1/1", "1/2592000", "1+2592000"})
  void boundsAreOneSecondAndThirtyDays(String text) {
    assertThat(TimeControl.parse(text).map(TimeControl::text)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "0+3",
        "1/0",
        "2592001",
        "1/2592001",
        "60+2592001",
        "99999999999999999999",
        "+3",
        "300+",
        "0300",
        "300+03",
        "1/0600",
        "01/600",
        "-1",
        "+300",
        "300+-3",
        "300+3+3",
        "1/600+5",
        "2/600",
        "40/7200",
        "1/",
        "/600",
        " 300",
        "300 ",
        "5m",
        "300.5",
        "*180",
        "?",
        "--",
        "\u0663\u0660\u0660"
      })
  void otherTextIsRefused(String text) {
    assertThat(TimeControl.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1/3600", "1/86400", "60+3600"})
  void hourOrMorePerMoveIsCorrespondence(String text) {
    assertThat(TimeControl.parse(text).orElseThrow().isCorrespondence()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "1/3599", "2592000", "2592000+3599"})
  void lessThanAnHourPerMoveIsNotCorrespondence(String text) {
    assertThat(TimeControl.parse(text).orElseThrow().isCorrespondence()).isFalse();
  }

  @Property
  void writtenTimeControlIsReadBackUnchanged(
      @ForAll boolean perMove,
      @ForAll @LongRange(min = 1, max = MONTH) long base,
      @ForAll @LongRange(min = 0, max = MONTH) long increment) {
    TimeControl control = new TimeControl(perMove, base * 1000, perMove ? 0 : increment * 1000);
    assertThat(TimeControl.parse(control.text())).contains(control);
  }

  @Property
  void textIsWrittenBackUnchangedExceptAZeroIncrement(
      @ForAll @StringLength(max = 6) @Chars({'-', '+', '/'}) @CharRange(from = '0', to = '9')
          String text) {
    Optional<TimeControl> control = TimeControl.parse(text);
    if (control.isPresent()) {
      assertThat(control.get().text()).isEqualTo(text.replaceFirst("\\+0$", ""));
    }
  }

  @Test
  void valuesThatCannotBeWrittenAreRefused() {
    assertThatThrownBy(() -> new TimeControl(false, 1500, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TimeControl(true, 60_000, 1_000))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TimeControl(true, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TimeControl(false, 0, 1_000))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TimeControl(false, -1_000, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
