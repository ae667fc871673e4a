package gambit.app.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.app.server.log.LogSettings.LogFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogEncoderTest {
  private static final Instant TIME = Instant.parse("2026-11-22T22:03:16.123Z");

  /** A message that would look like a second line, if its characters were written as they are. */
  private static final String FORGED =
      "hello\n2026-11-22T22:03:16.123Z ERROR [main] Gambit forged\r\u001b[2J\u2028\"}{\"x\":\"\u202e";

  /** Every character there is, in pieces that are not cut. */
  private static final List<String> EVERY_CHARACTER =
      IntStream.range(0, 32)
          .mapToObj(
              i ->
                  IntStream.range(i * 2048, (i + 1) * 2048)
                      .mapToObj(c -> String.valueOf((char) c))
                      .collect(Collectors.joining(" ")))
          .map(text -> text.substring(0, LogEncoder.MAX_MESSAGE_CHARS))
          .toList();

  private final LoggerContext context = new LoggerContext();
  private final LogEncoder encoder = new LogEncoder();

  private String encode(LogFormat format, String message, @Nullable Throwable exception) {
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("gambit.core.net.WebSocketHandler"),
            Level.WARN,
            message,
            exception,
            null);
    event.setInstant(TIME);
    event.setThreadName("event-loop-1");
    encoder.setFormat(format);
    return new String(encoder.encode(event), StandardCharsets.UTF_8);
  }

  private JsonNode json(String message, @Nullable Throwable exception)
      throws JsonProcessingException {
    String line = encode(LogFormat.JSON, message, exception);
    assertThat(line).endsWith("\n");
    assertThat(line.strip().lines()).hasSize(1);
    return new ObjectMapper().readTree(line);
  }

  @Test
  void aLineOfTextHasTimeLevelThreadClassAndMessage() {
    String line = encode(LogFormat.TEXT, "It happened", null);
    assertThat(line)
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) WARN  \\[event-loop-1\\]"
                + " WebSocketHandler It happened\n");
    assertThat(OffsetDateTime.parse(line.split(" ")[0]).toInstant()).isEqualTo(TIME);
  }

  @Test
  void aLineOfJsonHasTimeLevelThreadClassAndMessage() throws JsonProcessingException {
    JsonNode line = json("It happened", null);
    assertThat(OffsetDateTime.parse(line.path("time").asText()).toInstant()).isEqualTo(TIME);
    assertThat(line.path("level").asText()).isEqualTo("WARN");
    assertThat(line.path("thread").asText()).isEqualTo("event-loop-1");
    assertThat(line.path("logger").asText()).isEqualTo("gambit.core.net.WebSocketHandler");
    assertThat(line.path("message").asText()).isEqualTo("It happened");
    assertThat(line).hasSize(5);
  }

  @Test
  void aMessageCannotBeginALineOfItsOwn() throws JsonProcessingException {
    String line = encode(LogFormat.TEXT, FORGED, null);
    assertThat(line)
        .endsWith(
            "hello\\n2026-11-22T22:03:16.123Z ERROR [main] Gambit forged\\r\\u001b[2J\\u2028\"}"
                + "{\"x\":\"\\u202e\n");
    assertThat(json(FORGED, null).path("message").asText()).isEqualTo(FORGED);
  }

  @Test
  void noCharacterEndsALineOrReachesATerminalAsAControlCharacter() throws JsonProcessingException {
    for (String text : EVERY_CHARACTER) {
      String line = encode(LogFormat.TEXT, text, null);
      assertThat(line.lines()).hasSize(1);
      assertThat(line.strip().chars()).noneMatch(Character::isISOControl);
      String read = json(text, null).path("message").asText();
      assertThat(read).isEqualTo(text);
    }
  }

  @Test
  void pairsOfSurrogatesAreWrittenAsTheyAre() {
    assertThat(encode(LogFormat.TEXT, "♞ 🏁", null)).endsWith("♞ 🏁\n");
    assertThat(encode(LogFormat.TEXT, "\ud83c", null)).endsWith("\\ud83c\n");
  }

  @Test
  void anExceptionFollowsInIndentedLinesWhateverItsMessageIs() throws JsonProcessingException {
    Exception exception = new IllegalStateException(FORGED, new RuntimeException(FORGED));
    exception.addSuppressed(new RuntimeException("suppressed"));
    List<String> lines = encode(LogFormat.TEXT, "It failed", exception).lines().toList();
    assertThat(lines.get(1)).startsWith("\tjava.lang.IllegalStateException: hello\\n2026");
    assertThat(lines.subList(1, lines.size())).allMatch(line -> line.startsWith("\t"));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("\tat gambit.app.server.log.LogEncoderTest."))
        .anyMatch(line -> line.startsWith("\tCaused by: java.lang.RuntimeException: hello"))
        .contains("\tSuppressed: java.lang.RuntimeException: suppressed");
    assertThat(json("It failed", exception).path("exception").asText())
        .isEqualTo(String.join("\n", lines.subList(1, lines.size())));
  }

  @Test
  void longMessagesDeepStacksAndLongChainsOfCausesAreCut() {
    Exception exception = new IllegalStateException("innermost");
    for (int i = 0; i < 1_000; i++) {
      exception = new IllegalStateException("x".repeat(100_000), exception);
    }
    StackTraceElement frame = new StackTraceElement("Class", "method", "Class.java", 1);
    exception.setStackTrace(Collections.nCopies(1_024, frame).toArray(new StackTraceElement[0]));
    String line = encode(LogFormat.TEXT, "x".repeat(100_000), exception);
    assertThat(line.length()).isLessThan(2 * LogEncoder.MAX_CAUSES * LogEncoder.MAX_MESSAGE_CHARS);
    assertThat(line).contains("x…\n", "\t… 924 more\n").endsWith("\t…\n");
  }

  @Test
  void anExceptionThatIsItsOwnCauseIsWrittenOnce() {
    Exception first = new IllegalStateException("first");
    first.initCause(new IllegalStateException("second", first));
    assertThat(encode(LogFormat.TEXT, "It failed", first)).contains("first", "second");
  }
}
