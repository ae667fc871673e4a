package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Sends any bytes on a new connection through the channels of the port. The first byte says how
 * they are split.
 */
class HttpFuzzTest {
  private static final Pattern HEAD =
      Pattern.compile("HTTP/1\\.[01] ([0-9]{3}) [ -~]+\r\n(?:[A-Za-z-]+: [ -~]+\r\n)*\r\n");
  private static final Pattern LENGTH =
      Pattern.compile("(?i).*\r\ncontent-length: ([0-9]+)\r\n.*", Pattern.DOTALL);
  private static final Set<String> ANSWERS =
      Set.of("100", "101", "200", "204", "400", "404", "405", "413", "414", "417", "426", "431");

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void requestsAreAnsweredAndOtherBytesRefusedHoweverTheyAreSplit(byte[] input) {
    if (input.length == 0) {
      return;
    }
    String answers;
    try (EmbeddedClient client = new EmbeddedClient()) {
      client.send(input, 1, input.length - 1);
      answers = new String(client.received(), StandardCharsets.ISO_8859_1);
      areAnswers(answers, client.isOver());
    }
    try (EmbeddedClient client = new EmbeddedClient()) {
      client.send(input, 1, new Random(input[0]));
      String inPieces = new String(client.received(), StandardCharsets.ISO_8859_1);
      areAnswers(inPieces, client.isOver());
      if (!isTooLong(answers) && !isTooLong(inPieces)) { // Netty counts the end of a line or not
        assertThat(withoutDates(inPieces)).as("cut into pieces").isEqualTo(withoutDates(answers));
      }
    }
  }

  /** The second may have passed between two answers. */
  private static String withoutDates(String answers) {
    return answers.replaceAll("(?i)\r\ndate: [^\r]*", "");
  }

  private static boolean isTooLong(String answers) {
    return answers.contains(" 414 ") || answers.contains(" 431 ");
  }

  /** Consecutive answers; the last one closes the connection or upgrades it to a WebSocket. */
  private static void areAnswers(String text, boolean over) {
    Matcher head = HEAD.matcher(text);
    boolean last = false;
    for (int at = 0; at < text.length(); ) {
      assertThat(!last && head.find(at) && head.start() == at).as(text).isTrue();
      assertThat(head.group(1)).isIn(ANSWERS);
      if (head.group(1).equals("101")) {
        return;
      }
      last = head.group().toLowerCase(Locale.ROOT).contains("\r\nconnection: close\r\n");
      at = head.end();
      Matcher length = LENGTH.matcher(head.group());
      boolean none = at == text.length() || text.startsWith("HTTP/1.", at); // it was a HEAD
      at += length.matches() && !none ? Integer.parseInt(length.group(1)) : 0;
      assertThat(at).isLessThanOrEqualTo(text.length());
    }
    assertThat(over).as("closed behind: %s", text).isEqualTo(last);
  }

  @Test
  void mutatedRequestsAreAnsweredOrRefused() {
    MutatedInputs.feed(
        getClass(), 1_000, this::requestsAreAnsweredAndOtherBytesRefusedHoweverTheyAreSplit);
  }
}
