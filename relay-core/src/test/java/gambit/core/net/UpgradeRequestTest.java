package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests for a WebSocket are read without Netty's HTTP codec. */
class UpgradeRequestTest {
  private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
  private static final String FIREFOX =
      "GET / HTTP/1.1\r\nHost: relay.example\r\nUser-Agent: Mozilla/5.0 (X11; rv:140.0)\r\n"
          + "Accept: */*\r\nSec-WebSocket-Version: 13\r\nOrigin: https://client.example\r\n"
          + "Sec-WebSocket-Extensions: permessage-deflate\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nConnection: keep-alive, Upgrade\r\n"
          + "Sec-Fetch-Mode: websocket\r\nUpgrade: websocket\r\n\r\n";

  @Test
  void requestsOfBrowsersAndLibrariesAreRead() {
    assertThat(read(FIREFOX).key()).isEqualTo(KEY);
    assertThat(read(FIREFOX).extensions()).containsExactly("permessage-deflate");
    assertThat(read(RawSocket.UPGRADE).key()).isEqualTo(KEY);
    assertThat(read(RawSocket.UPGRADE).extensions()).isEmpty();

    assertThat(read(RawSocket.UPGRADE.replace("Upgrade: websocket", "UPGRADE:WebSocket  ")))
        .isNotNull();
    assertThat(read(RawSocket.upgradeWith("X-Forwarded-For: 1.2.3.4", "x-forwarded-for: ::1")))
        .extracting(UpgradeRequest::forwardedFor)
        .isEqualTo(List.of("1.2.3.4", "::1"));
  }

  @Test
  void bytesAfterTheRequestAreLeft() {
    ByteBuf bytes = Unpooled.copiedBuffer(FIREFOX + "\r\n\u0081", StandardCharsets.ISO_8859_1);
    assertThat(UpgradeRequest.read(bytes)).isNotNull();
    assertThat(bytes.toString(StandardCharsets.ISO_8859_1)).isEqualTo("\r\n\u0081");
  }

  @Test
  void incompleteRequestsAreLeftToHttp() {
    for (int length = 0; length < FIREFOX.length(); length++) {
      ByteBuf bytes = Unpooled.copiedBuffer(FIREFOX, 0, length, StandardCharsets.US_ASCII);
      assertThat(UpgradeRequest.read(bytes)).as("%d bytes", length).isNull();
      assertThat(bytes.readableBytes()).isEqualTo(length);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: y",
        "Upgrade: websocket",
        "Upgrade: h2c",
        "Connection: Upgrade",
        "Connection: close",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Content-Length: 0",
        "Transfer-Encoding: chunked",
        "Expect: 100-continue",
        "Authorization: Bearer x",
        " folded",
        ": no name",
        "no colon",
        "A space : x",
        "A-Tab: \tx",
        "A-Line: x\ny",
        "A-Return: x\ry",
        "A-Null: \0",
        "Latin: \u00e9",
        "Delete: \u007f"
      })
  void unusualHeadersAreLeftToHttp(String header) {
    assertThat(read(RawSocket.upgradeWith(header))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1>GET / HTTP/1.0",
        "GET / HTTP/1.1>POST / HTTP/1.1",
        "GET / HTTP/1.1>GET /x HTTP/1.1",
        "Host: x\r\n>",
        "Upgrade: websocket\r\n>",
        "Connection: Upgrade\r\n>",
        "Connection: Upgrade>Connection: Upgrade, close",
        "Version: 13>Version: 8",
        "Sec-WebSocket-Version: 13\r\n>",
        "ZQ==>Z===",
        "ZQ==>ZQQ==",
        "ZQ==>Z-==",
        "\r\n\r\n>\n\n"
      })
  void otherRequestsAreLeftToHttp(String change) {
    String[] both = change.split(">", -1);
    assertThat(read(RawSocket.UPGRADE.replace(both[0], both[1]))).isNull();
  }

  @Test
  void bothWaysOfReadingGiveTheSameAnswer() throws Exception {
    try (TestRelay relay = new TestRelay();
        RawSocket direct = new RawSocket(relay.uri());
        RawSocket overHttp = new RawSocket(relay.uri())) {
      direct.write(RawSocket.UPGRADE);
      overHttp.write(RawSocket.upgradeWith("Authorization: none"));
      assertThat(direct.readUpgradeAnswer()).isEqualTo(overHttp.readUpgradeAnswer());
    }
  }

  private static UpgradeRequest read(String request) {
    return UpgradeRequest.read(Unpooled.copiedBuffer(request, StandardCharsets.ISO_8859_1));
  }
}
