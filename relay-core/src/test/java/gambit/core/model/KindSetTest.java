package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KindSetTest {
  @Test
  void numbersAndRangesJoinedByPlusAreContained() {
    KindSet kinds = KindSet.parse("7+1000-1999+65535");
    assertThat(kinds.contains(7)).isTrue();
    assertThat(kinds.contains(999)).isFalse();
    assertThat(kinds.contains(1000)).isTrue();
    assertThat(kinds.contains(1999)).isTrue();
    assertThat(kinds.contains(2000)).isFalse();
    assertThat(kinds.contains(65_535)).isTrue();
    assertThat(kinds.contains(65_536)).isFalse();
    assertThat(kinds.contains(-1)).isFalse();
  }

  @Test
  void aUnionHasTheKindsOfItsSets() {
    assertThat(KindSet.union(List.of(KindSet.parse("1+ 20000-29999 "), KindSet.parse("3+4"))))
        .isEqualTo(KindSet.parse("1+3-4+20000-29999"));
    assertThat(KindSet.union(List.of())).isEqualTo(KindSet.NONE);
    assertThat(KindSet.NONE.isEmpty()).isTrue();
  }

  @Test
  void anAsteriskIsEveryKind() {
    assertThat(KindSet.parse("*").isAll()).isTrue();
    assertThat(KindSet.parse("0-65535").isAll()).isTrue();
    assertThat(KindSet.parse("1-65535").isAll()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "7", "7+1000-1999", "0+2+4-5", "65535", "0-65534"})
  void theTextOfASetIsReadAsTheSameSet(String text) {
    assertThat(KindSet.parse(text).toString()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "1-",
        "-",
        "5-4",
        "65536",
        "1-65536",
        "1++2",
        "1+",
        "1.0",
        "1-2-3",
        "100000",
        "999999999999",
        "**",
        "٣"
      })
  void anythingElseIsRefusedWithTheFormExpected(String text) {
    assertThatThrownBy(() -> KindSet.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a kind (0 to 65535), or a range as in 1000-1999");
  }

  @Test
  void aVeryLongTextIsRefused() {
    assertThatThrownBy(() -> KindSet.parse("1+".repeat(10_000) + "1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void setsAreComparedWithEachOther() {
    KindSet some = KindSet.parse("1+20000-29999");
    assertThat(some.intersects(KindSet.of(20_302))).isTrue();
    assertThat(some.intersects(KindSet.of(2, 3))).isFalse();
    assertThat(some.containsAll(KindSet.of(1, 25_000))).isTrue();
    assertThat(some.containsAll(KindSet.of(1, 2))).isFalse();
    assertThat(some.stream().count()).isEqualTo(10_001);
  }

  @Test
  void aNumberThatIsNoKindIsRefused() {
    assertThatThrownBy(() -> KindSet.of(65_536)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KindSet.of(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
