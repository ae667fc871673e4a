package gambit.chess.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.wire.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MistypedRequestsTest {
  private static final String EXACTLY = ", in lower case and without blanks";

  @ParameterizedTest
  @CsvSource({
    "5000, CONNECT, connect in kind 5000",
    "5000, CancelSearch, cancelsearch in kind 5000",
    "5000, Accept, accept in kind 5000",
    "5002, Accept, accept in kind 5002",
    "5002, OFFER, offer in kind 5002",
    "5003, Resign, resign in kind 5003"
  })
  void wordInUpperCaseIsCorrectedToLowerCase(int kind, String content, String right) {
    assertThat(hint(kind, content)).isEqualTo("write " + right + EXACTLY);
  }

  @Test
  void whitespaceAroundAWordIsReported() {
    for (String blank : List.of(" ", "\t", "\n", "\r\n", "\u00a0", "\u2003", " ".repeat(40))) {
      assertThat(hint(5000, blank + "invite")).isEqualTo("write invite in kind 5000" + EXACTLY);
      assertThat(hint(5000, "invite" + blank)).isEqualTo("write invite in kind 5000" + EXACTLY);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5002, connect, connect in kind 5000",
    "5003, Rematch, rematch in kind 5000",
    "5000, offer, offer in kind 5002",
    "5000, takeback, takeback in kind 5002",
    "5002, resign, resign in kind 5003",
    "5002, e7e8Q, e7e8q in kind 5001",
    "5003, accept, 'accept in kind 5000 for an invite, in kind 5002 for an offer'",
    "5002, search, connect in kind 5000",
    "5000, Quit, resign in kind 5003 or cancelsearch in kind 5000"
  })
  void wordOfAnotherKindIsReportedWithItsKind(int kind, String content, String right) {
    assertThat(hint(kind, content)).isEqualTo("write " + right);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Nf3", "e4", "exd5", "Nbd7", "R1e2", "Qh4e1", "Bxc6+", "e8=Q", "exd8=N#", "e8Q", "O-O",
        "O-O-O+", "0-0", "o-o", " Nf3\n", "Qxf7#!!"
      })
  void moveInSanIsReportedAsNotUci(String san) {
    assertThat(hint(5001, san))
        .isEqualTo("not a UCI move, write a move like g1f3, e7e8q or e1g1 in kind 5001");
    assertThat(MistypedRequests.hint(5000, san)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"E2E4, e2e4", "e2E4, e2e4", "E7e8Q, e7e8q", "' e2e4', e2e4"})
  void moveInUpperCaseOrWithWhitespaceIsReported(String content, String uci) {
    assertThat(hint(5001, content))
        .isEqualTo("not a UCI move, write " + uci + " in kind 5001" + EXACTLY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "0000", "e7e8k", "e2 e4", "connected", "con nect", "resigned", "Nf9"})
  void otherTextIsNotAMistypedRequest(String content) {
    for (int kind = Nip100.LOBBY; kind <= Nip100.RESIGN; kind++) {
      assertThat(MistypedRequests.hint(kind, content)).isEmpty();
    }
  }

  private static String hint(int kind, String content) {
    Reason reason = MistypedRequests.hint(kind, content).orElseThrow();
    assertThat(reason.prefix()).isEqualTo(Reason.Prefix.INVALID);
    return reason.text();
  }
}
