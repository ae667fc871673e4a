package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The secrets that the program never reveals in answers, logs or thread dumps. */
class SecretsIT {
  private static final Signer ALICE = Keys.of("alice");

  /** A text that clients send in every possible place. */
  private static final String MARKER = "marker0f00d";

  private static final String TOKEN = "5ca1ab1e-token-of-the-metrics";

  private static final String TRACE_CONFIGURATION =
      """
      <configuration>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <target>System.err</target>
          <encoder><pattern>%level %logger %msg%n%ex</pattern></encoder>
        </appender>
        <root level="TRACE"><appender-ref ref="OUT"/></root>
      </configuration>
      """;

  @TempDir Path temp;

  @ThoroughOnly
  @Test
  void theRelaysKeyTheTokenAndLoginsAreInNoAnswerAndNoLogAtAnyLevel() throws Exception {
    Path logging = Files.writeString(temp.resolve("logback.xml"), TRACE_CONFIGURATION);
    List<String> served = new ArrayList<>();
    List<String> ofLogin;
    try (GambitProcess relay =
        start("-Dlogback.configurationFile=" + logging, "--set", "metrics.token=" + TOKEN)) {
      served.addAll(sendEverything(relay));
      served.add(scrape(relay));
      ofLogin = logIn(relay);
      relay.dumpThreads();
      await()
          .until(
              () -> relay.outputSoFar().contains("JNI global refs")); // printed after all threads
      assertThat(relay.terminate().exitStatus()).isZero();
      served.addAll(relay.banner());
      served.add(relay.output());
      served.add(relay.errors());
      assertThat(relay.errors()).as("the log").doesNotContain(ofLogin);
    }
    String all = String.join("\n", served).toLowerCase(Locale.ROOT);
    String key = Files.readString(temp.resolve("data").resolve("relay.key")).strip();
    assertThat(key).hasSize(64);
    assertThat(all).contains("debug", "event-loop").doesNotContain(key.substring(0, 16), TOKEN);
  }

  @Test
  void theLogContainsNothingThatClientsSend() throws Exception {
    try (GambitProcess relay = start("-Xshare:auto")) {
      sendEverything(relay);
      assertThat(relay.terminate().exitStatus()).isZero();
      assertThat(relay.output() + relay.errors())
          .doesNotContainIgnoringCase(MARKER)
          .doesNotContain("\tat ");
    }
  }

  private GambitProcess start(String javaOption, String... more) throws IOException {
    return GambitProcess.relayWith(GambitProcess.quick(javaOption), temp.resolve("data"), more);
  }

  private static String scrape(GambitProcess relay) throws IOException {
    try (RawSocket raw = new RawSocket(relay.metricsUrl())) {
      raw.write(
          "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + TOKEN
              + "\r\n\r\n");
      String head = raw.readHead();
      assertThat(head).startsWith("HTTP/1.1 200 ");
      return head + new String(raw.readBody(head), StandardCharsets.UTF_8);
    }
  }

  /** Logs in; returns the challenge and the signature, with which nobody else must be able to. */
  private static List<String> logIn(GambitProcess relay) {
    try (Client client = new Client(relay.url())) {
      String challenge = client.nextChallenge();
      long now = System.currentTimeMillis() / 1000;
      Event login = Client.loginEvent(ALICE, now, relay.url().toString(), challenge);
      assertThat(client.answerTo("AUTH", login)).isEmpty();
      return List.of(challenge, Client.parse(login.toString()).get("sig").asText());
    }
  }

  /** Sends many valid and invalid messages and requests; returns all answers. */
  private static List<String> sendEverything(GambitProcess relay) throws IOException {
    List<String> served = new ArrayList<>();
    long now = System.currentTimeMillis() / 1000;
    Tags tags = new Tags(List.of(List.of("t", MARKER), List.of("challenge", MARKER)));
    try (Client client = new Client(relay.url())) {
      String challenge = client.nextChallenge();
      client.publish(ALICE.sign(now, 1, tags, MARKER));
      client.publish(ALICE.sign(now, 5000, tags, MARKER));
      client.publish(ALICE.sign(now, 5000, Tags.NONE, "connect"));
      client.publish(ALICE.sign(now, 5001, tags, MARKER));
      client.publish(ALICE.sign(now - 1_000_000, 5, tags, MARKER));
      client.send("[\"AUTH\"," + ALICE.sign(now, 22_242, tags, MARKER) + "]");
      client.send("[\"AUTH\"," + Client.loginEvent(ALICE, now, MARKER, challenge) + "]");
      client.send("[\"EVENT\",{\"id\":\"" + MARKER + "\"}]");
      client.send("[\"REQ\",\"" + MARKER + "\",{\"#t\":[\"" + MARKER + "\"]}]");
      client.send("[\"REQ\",\"b\",{\"ids\":[\"" + MARKER + "\"]}]");
      client.send("[\"COUNT\",\"c\",{\"search\":\"" + MARKER + "\"}]");
      client.send("[\"" + MARKER + "\"]").send(MARKER).send("[\"CLOSE\",\"" + MARKER + "\"]");
      client.send("[\"COUNT\",\"last\",{}]");
      client.until("COUNT").forEach(frame -> served.add(frame.toString()));
    }
    try (RawSocket raw = RawSocket.upgraded(relay.url())) {
      raw.sendFrame(0xf1, MARKER.getBytes(StandardCharsets.UTF_8));
      served.add(raw.read().text());
    }
    for (String request :
        List.of("GET /" + MARKER + " HTTP/1.1", MARKER + " / " + MARKER, "GET / " + MARKER)) {
      try (RawSocket raw = new RawSocket(relay.url())) {
        raw.write(request + "\r\nCookie: " + MARKER + "\r\n\r\n");
        served.add(raw.readHead());
      }
    }
    served.add(Client.httpRequest("GET", relay.url(), "application/nostr+json").body());
    for (String path : List.of("/metrics", "/health/live", "/health/ready", "/relay.key")) {
      served.add(Client.httpRequest("GET", relay.metricsUrl().resolve(path), "*/*").body());
    }
    return served;
  }
}
