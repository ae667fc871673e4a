package gambit.app.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One connection to the operators' port whose client is slow, silent or wrong. */
class OperatorConnectionTest {
  private static final String REQUEST = "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";

  private final OperatorRoutes routes = new OperatorRoutes("x", null);
  private final EmbeddedChannel channel;

  OperatorConnectionTest() {
    routes.add("GET", "/page", request -> OperatorAnswer.text(200, "page"));
    channel = new EmbeddedChannel();
    channel.freezeTime();
    channel
        .pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new OperatorConnection(new OperatorConnection.OpenConnections(), routes));
    channel.pipeline().fireChannelActive();
  }

  @AfterEach
  void close() {
    channel.close();
    routes.close();
  }

  @Test
  void aRequestThatIsNotCompleteAfterTenSecondsIsAnswered408() {
    send("GET /page HTTP/1.1\r\nHo");
    pass(9);
    assertThat(received()).isEmpty();
    send("st: ");
    pass(2);
    assertThat(received()).startsWith("HTTP/1.1 408 ").contains("connection: close");
    pass(3);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aConnectionWithoutARequestIsClosedWithoutAnAnswer() {
    pass(11);
    assertThat(channel.isOpen()).isFalse();
    assertThat(received()).isEmpty();
  }

  @Test
  void aConnectionThatIsIdleAfterAnAnswerIsKeptForTwoMinutesAndClosedWithoutAnAnswer() {
    send(REQUEST);
    assertThat(answer()).startsWith("HTTP/1.1 200 ").endsWith("page");
    pass(120);
    assertThat(channel.isOpen()).isTrue();
    pass(31);
    assertThat(channel.isOpen()).isFalse();
    assertThat(received()).isEmpty();
  }

  @Test
  void aRequestThatBeginsAfterAnAnswerHasTenSeconds() {
    send(REQUEST);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    pass(60);
    send("GET /pa");
    pass(11);
    assertThat(received()).startsWith("HTTP/1.1 408 ");
  }

  @Test
  void aSecondRequestBeforeTheAnswerClosesTheConnectionAfterIt() {
    send(REQUEST + REQUEST);
    assertThat(answer())
        .containsOnlyOnce("HTTP/1.1 200 ")
        .contains("connection: close")
        .endsWith("page");
    pass(3);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void unreadableRequestsAreAnsweredWithTheirStatus() {
    send("nonsense\r\n\r\n");
    assertThat(received()).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void aTargetThatIsTooLongIsAnswered414() {
    send("GET /" + "x".repeat(5000) + " HTTP/1.1\r\n\r\n");
    assertThat(received()).startsWith("HTTP/1.1 414 ");
  }

  @Test
  void headersThatAreTooLongAreAnswered431() {
    send("GET / HTTP/1.1\r\nX: " + "x".repeat(9000) + "\r\n\r\n");
    assertThat(received()).startsWith("HTTP/1.1 431 ");
  }

  @Test
  void aBodyThatIsTooLongIsAnswered413() {
    send("POST /page HTTP/1.1\r\nContent-Length: 9000\r\n\r\n" + "x".repeat(8193));
    assertThat(received()).startsWith("HTTP/1.1 413 ");
  }

  @Test
  void aClientOfHttp10IsDisconnectedAfterItsAnswer() {
    send("GET /page HTTP/1.0\r\n\r\n");
    assertThat(answer()).contains("connection: close").endsWith("page");
  }

  private void send(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, UTF_8));
  }

  private void pass(int seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    channel.runPendingTasks();
  }

  /** Waits for an answer, which another thread makes. */
  private String answer() {
    StringBuilder text = new StringBuilder();
    Awaitility.await()
        .until(
            () -> {
              channel.runPendingTasks();
              return !text.append(received()).isEmpty();
            });
    return text.toString();
  }

  private String received() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
      text.append(bytes.toString(UTF_8));
      bytes.release();
    }
    return text.toString();
  }
}
