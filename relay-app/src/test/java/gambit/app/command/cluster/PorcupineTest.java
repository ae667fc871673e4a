package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.command.cluster.RegisterHistory.Operation;
import gambit.app.command.cluster.RegisterHistory.Type;
import gambit.app.command.cluster.RegisterHistory.Version;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of histories finds what is wrong, and nothing else. */
class PorcupineTest {
  private static final Version OLD = new Version(1, "bb");
  private static final Version NEW = new Version(2, "cc");
  private static final Version NEW_WITH_LOWER_ID = new Version(2, "aa");

  @TempDir static Path temp;
  private static Porcupine porcupine;
  private final RegisterHistory history = new RegisterHistory();

  @BeforeAll
  static void build() throws Exception {
    porcupine = Porcupine.build(temp);
  }

  private void write(int node, long call, long end, Version version, String outcome) {
    history.add(new Operation(node, node, Type.WRITE, 1, call, end, version, outcome));
  }

  private void read(int node, long call, long end, Version version) {
    history.add(new Operation(node, node, Type.READ, 1, call, end, version, null));
  }

  private boolean isLinearizable() throws Exception {
    return porcupine.check(history.ofAllNodes(Type.READ)).isLinearizable();
  }

  @Test
  void readsOfWhatIsStoredAreLinearizable() throws Exception {
    read(1, 1, 2, Version.NONE);
    write(0, 3, 4, OLD, "stored");
    read(1, 5, 6, OLD);
    write(0, 7, 8, NEW, "stored");
    read(1, 9, 10, NEW);
    write(2, 11, 12, OLD, "superseded");
    write(2, 13, 14, NEW_WITH_LOWER_ID, "stored");
    read(1, 15, 16, NEW_WITH_LOWER_ID);
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void aReadDuringAWriteMayFindEitherVersion() throws Exception {
    write(0, 1, 2, OLD, "stored");
    write(0, 3, 10, NEW, "stored");
    read(1, 4, 5, OLD);
    read(1, 6, 7, NEW);
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void aReadOfAnOlderVersionAfterANewerOneIsNotLinearizable() throws Exception {
    write(0, 1, 2, OLD, "stored");
    write(0, 3, 10, NEW, "stored");
    read(1, 4, 5, NEW);
    read(2, 6, 7, OLD);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aLostWriteIsNotLinearizable() throws Exception {
    write(0, 1, 2, OLD, "stored");
    read(1, 3, 4, Version.NONE);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void anOlderVersionThatReplacesANewerOneIsNotLinearizable() throws Exception {
    write(0, 1, 2, NEW, "stored");
    write(0, 3, 4, OLD, "stored");
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void aVersionThatNobodyHasWrittenIsNotLinearizable() throws Exception {
    read(1, 1, 2, OLD);
    assertThat(isLinearizable()).isFalse();
  }

  @Test
  void anUnansweredWriteMayTakeEffectLateOrNever() throws Exception {
    write(0, 1, RegisterHistory.OPEN, NEW, "unknown");
    write(0, 2, 3, OLD, "stored");
    read(1, 4, 5, OLD);
    assertThat(isLinearizable()).isTrue();
    read(1, 6, 7, NEW);
    assertThat(isLinearizable()).isTrue();
  }

  @Test
  void aNodeMayBeBehindTheWritesOfOthersButNotBehindItsOwn() throws Exception {
    write(0, 1, 2, OLD, "stored");
    read(1, 3, 4, Version.NONE);
    assertThat(porcupine.check(history.ofNode(1)).isLinearizable()).isTrue();
    assertThat(isLinearizable()).isFalse();
    write(1, 5, 6, NEW, "stored");
    read(1, 7, 8, OLD);
    assertThat(porcupine.check(history.ofNode(1)).isLinearizable()).isFalse();
  }
}
