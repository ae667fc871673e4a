package gambit.app.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsProblem;
import gambit.chess.session.play.ChessSettings;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.nip.StandardNips;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final PubKey ALICE = PubKey.ofHex("a".repeat(64));
  private static final PubKey BOB = PubKey.ofHex("b".repeat(64));

  @Test
  void defaultsOfReferenceConfEqualTheDefaultsInCode() throws SettingsProblem {
    Settings settings = read(Map.of());
    assertThat(settings.limits()).isEqualTo(LimitValues.DEFAULT);
    assertThat(settings.chess()).isEqualTo(ChessSettings.DEFAULT);
    assertThat(settings.relay().urls()).isEmpty();
    assertThat(settings.relay().about().get("software")).startsWith("https://");
    assertThat(settings.nips()).isEqualTo(StandardNips.DEFAULT);
    assertThat(settings.admission()).isEqualTo(AdmissionPolicy.EVERYTHING);
    assertThat(settings.reads()).isEqualTo(ReadPolicy.EVERYTHING);
    assertThat(settings.members()).isEqualTo(MemberPolicy.OFF);
  }

  @Test
  void overridesReplaceDefaults() throws SettingsProblem {
    Settings settings =
        read(
            Map.of(
                "limits.filters",
                "7",
                "chess.abandon_grace",
                "2m",
                "relay.name",
                "Other",
                "relay.url",
                "wss://a.example,wss://b.example"));
    assertThat(settings.limits().get(Limit.FILTERS)).isEqualTo(7);
    assertThat(settings.chess().abandonGrace()).hasMinutes(2);
    assertThat(settings.relay().about()).containsEntry("name", "Other").containsEntry("icon", "");
    assertThat(settings.relay().urls()).containsExactly("wss://a.example", "wss://b.example");
  }

  @Test
  void nipsAreSwitched() throws SettingsProblem {
    Settings settings =
        read(Map.of("nips.67", "true", "nips.45", "false", "nips.min_difficulty", "8"));
    assertThat(settings.nips()).isEqualTo(new StandardNips(Set.of(45, 50), true, 8));
  }

  @Test
  void authorsAreListedAsNpubAndHexAndKindsAsNumbersAndRanges() throws SettingsProblem {
    Settings settings =
        read(
            Map.of(
                "admission.pubkeys",
                ALICE.hex() + ", " + Nip19.npub(BOB),
                "relay.pubkey",
                Nip19.npub(BOB),
                "admission.kinds",
                "1,30000-30002",
                "admission.refused_kinds",
                ""));
    assertThat(settings.admission().authors().accepted()).containsExactlyInAnyOrder(ALICE, BOB);
    assertThat(settings.relay().about()).containsEntry("pubkey", BOB.hex());
    assertThat(settings.admission().kinds().accepted()).isEqualTo(KindSet.parse("1+30000-30002"));
    assertThat(settings.admission().kinds().refused()).isEqualTo(KindSet.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "relay=1 | --set relay: this is a section; its settings have names such as relay.banner.",
        "log.levels=gambit.core=debug,io.netty=loud | --set log.levels=io.netty=loud: expected one"
            + " of off, error, warn, info, debug, trace.",
        "no.such=1 | --set no.such: no such setting.",
        "nips.1=false | --set nips.1: no such setting; did you mean nips.13?",
        "limits.filtrs=1 | --set limits.filtrs: no such setting; did you mean limits.filters?",
        "max_limit=1 | --set max_limit: no such setting; did you mean limits.max_limit?",
        "relay.port=70000 | --set relay.port=70000: expected a whole number from 0 to 65535.",
        "relay.port=7448 | --set relay.port=7448: relay.port (--port) and metrics.port"
            + " (--metrics-port) must differ.",
        "relay.domain=localhost | --set relay.domain=localhost: expected a name in the DNS, as in"
            + " relay.example.com, without a port or a wildcard.",
        "relay.domain=*.a.example | --set relay.domain=*.a.example: expected a name in the DNS, as"
            + " in relay.example.com, without a port or a wildcard.",
        "relay.domain=10.0.0.1 | --set relay.domain=10.0.0.1: expected a name in the DNS, as in"
            + " relay.example.com, without a port or a wildcard.",
        "relay.domain=a.example:443 | --set relay.domain=a.example:443: expected a name in the DNS,"
            + " as in relay.example.com, without a port or a wildcard.",
        "tls.acme.directory=http://a/b | --set tls.acme.directory=http://a/b: expected staging, or"
            + " a URL that begins with https://.",
        "tls.acme.contact=me | --set tls.acme.contact=me: expected a mail address, as in"
            + " me@example.com.",
        "relay.url=http://x | --set relay.url=http://x: http://x is not a ws:// or wss:// URL.",
        "limits.filters=1.5 | --set limits.filters=1.5: expected a whole number.",
        "limits.message_bytes=3G | --set limits.message_bytes=3G: expected a size such as 64K, 16M"
            + " or 2G, at most 2147483647 bytes.",
        "limits.max_limit=10 | --set limits.max_limit=10: default_limit must not be above"
            + " max_limit.",
        "limits.subscriptions=-1 | --set limits.subscriptions=-1: subscriptions must be positive.",
        "limits.silence=60 | --set limits.silence=60: expected a time with a unit, such as 250ms,"
            + " 30s, 15m, 12h or 7d.",
        "chess.abandon_grace=-5s | --set chess.abandon_grace=-5s: abandon_grace must be a positive"
            + " number of seconds.",
        "chess.default_time=x | --set chess.default_time=x: expected a time control such as 300,"
            + " 300+3, 1/600 or -.",
        "chess.house.enabled=maybe | --set chess.house.enabled=maybe: expected one of auto, true,"
            + " false.",
        "chess.house.max_games=0 | --set chess.house.max_games=0: max_games must be at least 1.",
        "chess.house.max_games=201 | --set chess.house.max_games=201: expected at most 200.",
        "chess.house.threads=0 | --set chess.house.threads=0: threads must be between 1 and 64.",
        "chess.house.move_time=0 | --set chess.house.move_time=0: move_time must be between 1 ms"
            + " and 10 minutes.",
        "store.retention=* 30d,1 | --set store.retention=1: expected kinds, authors if not all, and"
            + " an age, as in 7+1000-1999 30d or * npub1... forever.",
        "store.retention=* 30d,1 1d | --set store.retention=* 30d,1 1d: rule 2 of retention never"
            + " applies, because rule 1 covers its events; the first rule that covers an event"
            + " decides.",
        "admission.max_bytes=1 | --set admission.max_bytes=1: expected kinds and a size, as in"
            + " 30023 64K or * 8K.",
        "admission.open_kinds=1 | --set admission.open_kinds=1: open_kinds has no effect without"
            + " require_auth or writers.",
        "store.max_bytes=-1 | --set store.max_bytes=-1: expected a size such as 64K, 16M or 2G.",
        "nips.42=false | --set nips.42=false: NIP 4 needs NIP 42.",
        "nips.min_difficulty=8.5 | --set nips.min_difficulty=8.5: expected a whole number from 0 to"
            + " 256.",
        "admission.max_age=-1s | --set admission.max_age=-1s: expected a time that is not"
            + " negative.",
        "admission.pubkeys=npub1x | --set admission.pubkeys=npub1x: this npub has a typing error,"
            + " or is not complete: its checksum does not match.",
        "relay.pubkey=x | --set relay.pubkey=x: expected a public key: an npub, or 64 hex digits.",
        "transport.proxies=x | --set transport.proxies=x: \"x\" is not an address or a range of"
            + " them.",
        "rates.by_address.http=x | --set rates.by_address.http=x: \"x\" is not a rate: a number in"
            + " a time, as in 100/10s, 60/m or 0."
      })
  void unknownKeysAndInvalidValuesAreReportedWithTheFlag(String set, String sentence) {
    String[] parts = set.split("=", 2);
    SettingsProblem problem =
        catchThrowableOfType(SettingsProblem.class, () -> read(Map.of(parts[0], parts[1])));
    assertThat(problem).hasMessage(sentence);
  }

  @Test
  void aDomainChangesTheDefaultsOfAddressPortAndUrl() throws SettingsProblem {
    Settings settings = read(Map.of("relay.domain", "Sch\u00e4ch.example"));
    assertThat(settings.relay().listen()).isIn("::", "0.0.0.0");
    assertThat(settings.relay().port()).isEqualTo(443);
    assertThat(settings.relay().urls()).containsExactly("wss://xn--schch-ira.example");
    assertThat(settings.tls().acme())
        .hasValueSatisfying(
            acme -> {
              assertThat(acme.domain()).isEqualTo("xn--schch-ira.example");
              assertThat(acme.directory()).hasHost("acme-v02.api.letsencrypt.org");
              assertThat(acme.httpPort()).isEqualTo(80);
            });
    Settings explicit =
        read(
            Map.of(
                "relay.domain", "a.example",
                "relay.listen", "127.0.0.1",
                "relay.port", "8443",
                "relay.url", "wss://b.example",
                "tls.acme.directory", "staging"));
    assertThat(explicit.relay().listen()).isEqualTo("127.0.0.1");
    assertThat(explicit.relay().port()).isEqualTo(8443);
    assertThat(explicit.relay().urls()).containsExactly("wss://b.example");
    assertThat(explicit.tls().acme().orElseThrow().directory())
        .hasHost("acme-staging-v02.api.letsencrypt.org");
    assertThat(read(Map.of()).tls().acme()).isEmpty();
  }

  @Test
  void aDomainExcludesFilesOfACertificateAndAClusterAndNeedsPortsOfItsOwn() {
    assertThatThrownBy(
            () -> read(Map.of("relay.domain", "a.example", "tls.certificate", "c", "tls.key", "k")))
        .hasMessageContaining("relay.domain obtains a certificate");
    assertThatThrownBy(
            () -> read(Map.of("relay.domain", "a.example", "cluster.servers", "nats://a:1")))
        .hasMessageContaining("a node of a cluster cannot obtain a certificate");
    assertThatThrownBy(() -> read(Map.of("relay.domain", "a.example", "relay.port", "80")))
        .hasMessageContaining("tls.acme.http_port, relay.port and metrics.port must differ");
  }

  @Test
  void aConflictNamesTheValueThatWasGivenLast() {
    ConfigSources sources =
        ConfigSources.defaults()
            .withOverrides(Map.of("metrics.port", "7000"))
            .withFlag("--port", "relay.port", "7000");
    assertThatThrownBy(() -> Settings.read(sources.load()))
        .hasMessage(
            "--port 7000: relay.port (--port) and metrics.port (--metrics-port) must differ.");
  }

  @Test
  void theRelayAndTheMetricsMayBothHaveAFreePort() throws SettingsProblem {
    assertThat(read(Map.of("relay.port", "0", "metrics.port", "0")).relay().port()).isZero();
  }

  @Test
  void aSecretKeyInPlaceOfAPublicOneIsNotPrinted() {
    String secret = "nsec1" + "q".repeat(58);
    for (String key : List.of("relay.pubkey", "admission.pubkeys")) {
      assertThatThrownBy(() -> read(Map.of(key, secret)))
          .hasMessageContaining("nsec1… (not shown)")
          .hasMessageNotContaining("qqq");
    }
  }

  @Test
  void aSecretKeyInAnySettingIsInNoErrorAndNoReportOfAReload() throws SettingsProblem {
    String secret = "nsec1" + "q".repeat(58);
    Configuration before = ConfigSources.defaults().load();
    int refused = 0;
    for (String key : ConfigSources.names().keys()) {
      for (String value : List.of(secret, "* " + secret + " forever", "NSEC1QQQQ")) {
        ConfigSources sources = ConfigSources.defaults().withOverrides(Map.of(key, value));
        try {
          Configuration loaded = sources.load();
          assertThat(before.changesTo(loaded).toString()).doesNotContainIgnoringCase("qqq");
          Settings.read(loaded);
        } catch (SettingsProblem e) {
          refused++;
          assertThat(e.getMessage()).contains(key).doesNotContainIgnoringCase("qqq");
        }
      }
    }
    assertThat(refused).isGreaterThan(100);
  }

  /** Each error names the flag and contains no class name. */
  @Test
  void errorsForInvalidValuesContainNoLibraryMessages() {
    Set<String> keys = ConfigSources.names().keys();
    assertThat(keys).contains("limits.filters", "transport.proxies", "rates.by_address.http");
    for (String key : keys) {
      boolean isSecret = Set.of("metrics.token", "cluster.password").contains(key);
      for (String value : List.of("x", "-1", "1.5", "9".repeat(30), "99999999999d")) {
        try {
          read(Map.of(key, value));
        } catch (SettingsProblem e) {
          assertThat(e.getMessage())
              .as("%s=%s", key, value)
              .startsWith("--set " + key + "=" + (isSecret ? "(not shown)" : value) + ": ")
              .endsWith(".")
              .doesNotContain("\n", "null", "Exception", "java.", "typesafe", "For input string");
        }
      }
    }
  }

  private static Settings read(Map<String, String> set) throws SettingsProblem {
    return Settings.read(ConfigSources.defaults().withOverrides(set).load());
  }
}
