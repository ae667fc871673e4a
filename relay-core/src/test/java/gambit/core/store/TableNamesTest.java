package gambit.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "chess.games", "\u007f", "\u0080", "partidas ocultas: ñ", "♟ games", "a😀"})
  void nameIsWrittenInUtf8(String name) {
    byte[] expected = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(64).position(3);
    TableNames.put(name, out);
    assertThat(Arrays.copyOfRange(out.array(), 3, out.position())).isEqualTo(expected);
    assertThat(TableNames.bytes(name)).isEqualTo(expected.length);
  }
}
