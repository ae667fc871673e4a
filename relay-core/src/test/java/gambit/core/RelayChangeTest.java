package gambit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.ingest.Retention;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.net.WebPage;
import gambit.core.net.WebPage.ContentPolicy;
import gambit.core.net.WebPage.WebFile;
import gambit.core.nip.StandardNips;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Settings other than limits that change while clients are connected. */
class RelayChangeTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String LIMITED = "rate-limited: slow down";

  private static Event note(TestRelay relay, String content) {
    return ALICE.sign(relay.now(), 1, Tags.NONE, content);
  }

  @Test
  void textsOfTheInformationDocumentChange() {
    try (TestRelay relay = new TestRelay()) {
      assertThat(relay.information().path("name").asText()).isEqualTo("Test");
      relay.change(
          settings -> ChangedSettings.with(settings, Map.of("name", "Other", "contact", "")));
      assertThat(relay.information().path("name").asText()).isEqualTo("Other");
      assertThat(relay.information().has("contact")).isFalse();
      assertThat(relay.information().path("self").asText())
          .isEqualTo(relay.signer().pubkey().hex());
    }
  }

  @Test
  void fieldsOfAFeatureAreAskedForWheneverSettingsHaveChanged() {
    AtomicInteger value = new AtomicInteger(1);
    Feature feature =
        builder ->
            builder.information(
                document -> {
                  document.limitation("max_widgets", value.get());
                  document.describe("widgets", Map.of("size", value.get()));
                });
    try (TestRelay relay = new TestRelay(feature)) {
      assertThat(relay.information().at("/limitation/max_widgets").asInt()).isEqualTo(1);
      value.set(2);
      relay.change(settings -> settings);
      assertThat(relay.information().at("/limitation/max_widgets").asInt()).isEqualTo(2);
      assertThat(relay.information().at("/widgets/size").asInt()).isEqualTo(2);
    }
  }

  @Test
  void changedRatesApplyToConnectedClientsAndUnchangedOnesKeepTheirCounts() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      Map<Verb, Rate> once = Map.of(Verb.EVENT, Rate.parse("1/h"), Verb.REQ, Rate.parse("1/h"));
      relay.change(settings -> ChangedSettings.with(settings, new RateLimits(once, Map.of())));
      client.publishAccepted(note(relay, "1"));
      assertThat(client.answerTo(note(relay, "2"))).startsWith(LIMITED);
      assertThat(client.send("[\"REQ\",\"a\",{\"kinds\":[7],\"limit\":0}]").next())
          .contains("EOSE");
      Map<Verb, Rate> more = Map.of(Verb.EVENT, Rate.parse("2/h"), Verb.REQ, Rate.parse("1/h"));
      relay.change(settings -> ChangedSettings.with(settings, new RateLimits(more, Map.of())));
      client.publishAccepted(note(relay, "3"));
      client.publishAccepted(note(relay, "4"));
      assertThat(client.answerTo(note(relay, "5"))).startsWith(LIMITED);
      assertThat(client.send("[\"REQ\",\"b\",{\"kinds\":[7],\"limit\":0}]").next())
          .contains(LIMITED);
      Map<Verb, Rate> byAuthor = Map.of(Verb.EVENT, Rate.parse("1/h"));
      relay.change(settings -> ChangedSettings.with(settings, new RateLimits(Map.of(), byAuthor)));
      client.publishAccepted(note(relay, "6"));
      assertThat(client.answerTo(note(relay, "7"))).startsWith(LIMITED);
      relay.change(settings -> ChangedSettings.with(settings, RateLimits.NONE));
      client.publishAccepted(note(relay, "8"));
    }
  }

  @Test
  void changedRetentionRemovesEventsInTheNextSweep() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      client.publishAccepted(ALICE.sign(relay.now() - 3 * 24 * 3600, 1, Tags.NONE, "old"));
      Event kept = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "new"));
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(relay.store().size()).isEqualTo(2);
      Retention twoDays = new Retention(List.of(Retention.Rule.parse("1 2d")), 0);
      relay.change(settings -> ChangedSettings.with(settings, twoDays));
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}")).containsExactly(kept.id().hex());
    }
  }

  @Test
  void requiredWorkAndTheGreetingChange() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      client.nextChallenge();
      assertThat(relay.information().at("/limitation/restricted_writes").asBoolean()).isFalse();
      relay.change(
          settings ->
              ChangedSettings.with(
                  settings, new StandardNips(StandardNips.DEFAULT.off(), false, 64)));
      assertThat(client.answerTo(note(relay, "no work"))).startsWith("pow: difficulty");
      assertThat(relay.information().at("/limitation/min_pow_difficulty").asInt()).isEqualTo(64);
      assertThat(relay.information().at("/limitation/restricted_writes").asBoolean()).isTrue();
      try (Client silent = relay.connect()) {
        silent.send("[\"REQ\",\"a\",{\"kinds\":[7],\"limit\":0}]");
        assertThat(silent.next()).contains("EOSE");
        assertThat(silent.unreadChallenges()).isZero();
      }
      relay.change(settings -> ChangedSettings.with(settings, StandardNips.DEFAULT));
      client.publishAccepted(note(relay, "no work"));
    }
  }

  @Test
  void nipsCannotBeSwitchedAndNothingHasChangedThen() {
    try (TestRelay relay = new TestRelay()) {
      StandardNips withoutCounts = new StandardNips(Set.of(45, 67), true, 0);
      assertThatThrownBy(
              () ->
                  relay.change(
                      settings ->
                          ChangedSettings.with(
                              ChangedSettings.with(settings, Map.of("name", "Other")),
                              withoutCounts)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(relay.information().path("name").asText()).isEqualTo("Test");
    }
  }

  @Test
  void proxiesAreTrustedFromTheNextConnectionOn() throws IOException {
    Map<Verb, Rate> once = Map.of(Verb.HTTP, Rate.parse("1/h"));
    try (TestRelay relay = new TestRelay()) {
      relay.change(settings -> ChangedSettings.with(settings, new RateLimits(once, Map.of())));
      assertThat(status(relay, "203.0.113.1")).isEqualTo("200");
      assertThat(status(relay, "203.0.113.2")).isEqualTo("429");
      TransportSettings behindProxy =
          new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1")));
      relay.change(settings -> ChangedSettings.with(settings, behindProxy));
      assertThat(status(relay, "203.0.113.3")).isEqualTo("200");
      assertThat(status(relay, "203.0.113.4")).isEqualTo("200");
      assertThat(status(relay, "203.0.113.4")).isEqualTo("429");
    }
  }

  private static String status(TestRelay relay, String client) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write("GET / HTTP/1.1\r\nHost: r\r\nX-Forwarded-For: " + client + "\r\n\r\n");
      return raw.readHead().split(" ")[1];
    }
  }

  @Test
  void compressionIsOfferedToConnectionsThatAreOpenedLater() throws IOException {
    TransportSettings compressing = new TransportSettings(true, TrustedProxies.NONE);
    try (TestRelay relay = new TestRelay();
        RawSocket before = RawSocket.upgraded(relay.uri())) {
      relay.change(settings -> ChangedSettings.with(settings, compressing));
      try (RawSocket after = RawSocket.compressing(relay.uri())) {
        relay.change(settings -> ChangedSettings.with(settings, TransportSettings.DEFAULT));
        assertThat(after.isServed()).isTrue();
        assertThat(before.isServed()).isTrue();
      }
    }
  }

  @Test
  void webPageIsServedAndRemovedAgain() {
    ByteBuffer text = ByteBuffer.wrap("<p>Hello".getBytes(StandardCharsets.UTF_8));
    WebFile index = new WebFile("text/html", text, text, "\"1\"", false, ContentPolicy.PAGE);
    try (TestRelay relay = new TestRelay()) {
      relay.change(
          settings -> ChangedSettings.with(settings, new WebPage("hint", Map.of("/", index))));
      assertThat(Client.httpRequest("GET", relay.uri(), "text/html").body()).isEqualTo("<p>Hello");
      relay.change(settings -> ChangedSettings.with(settings, WebPage.NONE));
      assertThat(Client.httpRequest("GET", relay.uri(), "text/html").body())
          .isEqualTo(WebPage.NONE.hint());
    }
  }
}
