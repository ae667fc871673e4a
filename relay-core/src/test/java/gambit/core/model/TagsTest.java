package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TagsTest {
  @Test
  void eachTagHasAValueWhichMayBeEmpty() {
    Tags tags =
        new Tags(
            List.of(List.of("p", "a", "x"), List.of("e", "b"), List.of("p"), List.of("p", "c")));
    assertThat(tags.values("p")).containsExactly("a", "", "c");
  }

  @Test
  void rootIsTheFirstTagMarkedRootElseTheFirstWithoutAMark() {
    List<String> reply = List.of("e", "r", "", "reply");
    List<String> plain = List.of("e", "p");
    List<String> root = List.of("e", "t", "", "root");
    assertThat(new Tags(List.of(reply, plain, root)).root()).contains("t");
    assertThat(new Tags(List.of(reply, plain, List.of("e", "q", ""))).root()).contains("p");
    assertThat(new Tags(List.of(reply, List.of("e"), List.of("p", "x"))).root()).isEmpty();
  }
}
