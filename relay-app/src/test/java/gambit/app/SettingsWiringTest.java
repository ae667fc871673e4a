package gambit.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import gambit.app.server.admin.AdminMethods;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.plugin.PluginSettings;
import gambit.app.server.plugin.WritePolicyPlugin;
import gambit.app.server.search.TextSearch;
import gambit.app.tool.bot.BotSettings;
import gambit.app.tool.sync.Mirrors;
import gambit.app.tool.sync.PeerSettings;
import gambit.chess.engine.Level;
import gambit.chess.session.ChessFeature;
import gambit.core.RelayComponents;
import gambit.core.ingest.Retention;
import gambit.core.limit.Limit;
import gambit.core.management.Management;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.net.WebPage;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.SizeRule;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestCertificate;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every setting of {@code reference.conf} reaches the running program. Each setting is set for one
 * of two programs, because some exclude each other, and has its default in the other one. A new
 * setting needs a row here: its key, a value other than the default, its place in the parts of the
 * relay, and the expected value there.
 */
class SettingsWiringTest {
  private static final String ALICE = "a".repeat(64);
  private static final String BOB = "b".repeat(64);

  /** A setting, and its place in the parts of the relay. */
  record Setting(
      String key, String value, Function<RelayComponents, Object> place, Object expected) {
    @Override
    public String toString() {
      return key;
    }
  }

  /** Settings of the first program. */
  private static final List<Setting> FIRST =
      List.of(
          new Setting(
              "relay.name", "Other", parts -> parts.settings().about().get("name"), "Other"),
          new Setting(
              "relay.description",
              "A text",
              parts -> parts.settings().about().get("description"),
              "A text"),
          new Setting(
              "relay.banner",
              "https://a.example/b",
              parts -> parts.settings().about().get("banner"),
              "https://a.example/b"),
          new Setting(
              "relay.icon",
              "https://a.example/i",
              parts -> parts.settings().about().get("icon"),
              "https://a.example/i"),
          new Setting(
              "relay.pubkey", ALICE, parts -> parts.settings().about().get("pubkey"), ALICE),
          new Setting(
              "relay.contact",
              "mailto:a@a.example",
              parts -> parts.settings().about().get("contact"),
              "mailto:a@a.example"),
          new Setting(
              "relay.software",
              "https://a.example/s",
              parts -> parts.settings().about().get("software"),
              "https://a.example/s"),
          new Setting(
              "relay.terms_of_service",
              "https://a.example/t",
              parts -> parts.settings().about().get("terms_of_service"),
              "https://a.example/t"),
          new Setting(
              "relay.url",
              "wss://a.example,wss://b.example",
              parts -> parts.identity().urls().contains("wss://b.example"),
              true),
          new Setting(
              "store.retention",
              "7+1000-1001 30d",
              parts -> parts.settings().retention().rules(),
              List.of(Retention.Rule.parse("7+1000-1001 30d"))),
          new Setting(
              "store.max_bytes", "1G", parts -> parts.settings().retention().maxBytes(), 1L << 30),
          new Setting(
              "limits.message_bytes",
              "100K",
              parts -> parts.settings().limits().get(Limit.MESSAGE_BYTES),
              100 << 10),
          new Setting(
              "limits.event_tags",
              "1001",
              parts -> parts.settings().limits().get(Limit.EVENT_TAGS),
              1001),
          new Setting(
              "limits.tag_value_length",
              "1002",
              parts -> parts.settings().limits().get(Limit.TAG_VALUE_LENGTH),
              1002),
          new Setting(
              "limits.connections",
              "1003",
              parts -> parts.settings().limits().get(Limit.CONNECTIONS),
              1003),
          new Setting(
              "limits.connections_by_address",
              "1",
              parts -> parts.settings().limits().get(Limit.CONNECTIONS_BY_ADDRESS),
              1),
          new Setting(
              "limits.subscriptions",
              "104",
              parts -> parts.settings().limits().get(Limit.SUBSCRIPTIONS),
              104),
          new Setting(
              "limits.filters", "15", parts -> parts.settings().limits().get(Limit.FILTERS), 15),
          new Setting(
              "limits.filter_values",
              "1006",
              parts -> parts.settings().limits().get(Limit.FILTER_VALUES),
              1006),
          new Setting(
              "limits.default_limit",
              "107",
              parts -> parts.settings().limits().get(Limit.DEFAULT_LIMIT),
              107),
          new Setting(
              "limits.max_limit",
              "1008",
              parts -> parts.settings().limits().get(Limit.MAX_LIMIT),
              1008),
          new Setting(
              "limits.events_under_way",
              "109",
              parts -> parts.settings().limits().get(Limit.EVENTS_UNDER_WAY),
              109),
          new Setting(
              "limits.outbox_bytes",
              "17M",
              parts -> parts.settings().limits().get(Limit.OUTBOX_BYTES),
              17 << 20),
          new Setting(
              "limits.all_outbox_bytes",
              "5G",
              parts -> parts.settings().limits().getLong(Limit.ALL_OUTBOX_BYTES),
              5L << 30),
          new Setting(
              "limits.all_filter_values",
              "100010",
              parts -> parts.settings().limits().get(Limit.ALL_FILTER_VALUES),
              100_010),
          new Setting(
              "limits.sync_items",
              "500011",
              parts -> parts.settings().limits().get(Limit.SYNC_ITEMS),
              500_011),
          new Setting(
              "limits.all_sync_bytes",
              "65M",
              parts -> parts.settings().limits().getLong(Limit.ALL_SYNC_BYTES),
              65L << 20),
          new Setting(
              "limits.silence",
              "61s",
              parts -> parts.settings().limits().get(Limit.SILENT_SECONDS),
              61),
          new Setting(
              "limits.handshake",
              "11s",
              parts -> parts.settings().limits().get(Limit.HANDSHAKE_SECONDS),
              11),
          new Setting(
              "limits.created_at_ahead",
              "16m",
              parts -> parts.settings().limits().get(Limit.SECONDS_AHEAD),
              16 * 60),
          new Setting(
              "rates.by_address.http",
              "901/s",
              parts -> parts.settings().rates().byAddress().get(Verb.HTTP),
              Rate.parse("901/s")),
          new Setting(
              "rates.by_address.event",
              "902/s",
              parts -> parts.settings().rates().byAddress().get(Verb.EVENT),
              Rate.parse("902/s")),
          new Setting(
              "rates.by_address.req",
              "903/s",
              parts -> parts.settings().rates().byAddress().get(Verb.REQ),
              Rate.parse("903/s")),
          new Setting(
              "rates.by_address.count",
              "904/s",
              parts -> parts.settings().rates().byAddress().get(Verb.COUNT),
              Rate.parse("904/s")),
          new Setting(
              "rates.by_address.auth",
              "905/s",
              parts -> parts.settings().rates().byAddress().get(Verb.AUTH),
              Rate.parse("905/s")),
          new Setting(
              "rates.by_address.invalid",
              "906/s",
              parts -> parts.settings().rates().byAddress().get(Verb.INVALID),
              Rate.parse("906/s")),
          new Setting(
              "rates.by_pubkey.event",
              "907/s",
              parts -> parts.settings().rates().byPubkey().get(Verb.EVENT),
              Rate.parse("907/s")),
          new Setting(
              "rates.by_pubkey.req",
              "908/s",
              parts -> parts.settings().rates().byPubkey().get(Verb.REQ),
              Rate.parse("908/s")),
          new Setting(
              "rates.by_pubkey.count",
              "909/s",
              parts -> parts.settings().rates().byPubkey().get(Verb.COUNT),
              Rate.parse("909/s")),
          new Setting(
              "transport.compress", "true", parts -> parts.settings().transport().compress(), true),
          new Setting("web.enabled", "false", parts -> parts.settings().page(), WebPage.NONE),
          new Setting(
              "admission.kinds",
              "1,7",
              parts -> admission(parts).kinds().accepted(),
              KindSet.of(1, 7)),
          new Setting(
              "admission.refused_kinds",
              "4",
              parts -> admission(parts).kinds().refused(),
              KindSet.of(4)),
          new Setting(
              "admission.pubkeys",
              ALICE,
              parts -> admission(parts).authors().accepted(),
              Set.of(PubKey.ofHex(ALICE))),
          new Setting(
              "admission.refused_pubkeys",
              BOB,
              parts -> admission(parts).authors().refused(),
              Set.of(PubKey.ofHex(BOB))),
          new Setting(
              "admission.trusted",
              ALICE,
              parts -> admission(parts).authors().trusted().contains(PubKey.ofHex(ALICE)),
              true),
          new Setting(
              "admission.max_bytes",
              "1 2K,* 1K",
              parts -> admission(parts).sizes(),
              List.of(SizeRule.parse("1 2K"), SizeRule.parse("* 1K"))),
          new Setting(
              "admission.require_auth",
              "true",
              parts -> admission(parts).writers().mustLogIn(),
              true),
          new Setting(
              "admission.writers",
              ALICE,
              parts -> admission(parts).writers().keys(),
              Set.of(PubKey.ofHex(ALICE))),
          new Setting(
              "admission.open_kinds",
              "1,5000-5003",
              parts -> admission(parts).writers().openKinds(),
              KindSet.parse("1+5000-5003")),
          new Setting("reads.auth_kinds", "7", parts -> reads(parts).kinds(), KindSet.of(7)),
          new Setting(
              "reads.readers",
              ALICE,
              parts -> reads(parts).readers().contains(PubKey.ofHex(ALICE)),
              true),
          new Setting("members.write", "true", parts -> members(parts).write(), true),
          new Setting("members.read", "true", parts -> members(parts).read(), true),
          new Setting(
              "management.admins",
              ALICE,
              parts -> feature(parts, Management.class).members().admins(),
              Set.of(PubKey.ofHex(ALICE))),
          new Setting(
              "backup.directory",
              "/none/backups",
              parts -> feature(parts, AdminMethods.class).backupSettings().directory(),
              Optional.of(Path.of("/none/backups"))),
          new Setting(
              "backup.every",
              "24h",
              parts -> feature(parts, AdminMethods.class).backupSettings().every(),
              Duration.ofDays(1)),
          new Setting("admission.max_age", "1h", parts -> admission(parts).maxAgeSeconds(), 3600L),
          new Setting(
              "plugin.command",
              "/bin/cat",
              parts -> feature(parts, WritePolicyPlugin.class).settings().command(),
              "/bin/cat"),
          new Setting(
              "plugin.timeout",
              "7s",
              parts -> feature(parts, WritePolicyPlugin.class).settings().timeout(),
              Duration.ofSeconds(7)),
          new Setting(
              "plugin.on_failure",
              "open",
              parts -> feature(parts, WritePolicyPlugin.class).settings().onFailure(),
              PluginSettings.OnFailure.OPEN),
          new Setting(
              "plugin.queue",
              "8",
              parts -> feature(parts, WritePolicyPlugin.class).settings().queue(),
              8),
          new Setting(
              "plugin.chess",
              "true",
              parts -> feature(parts, WritePolicyPlugin.class).settings().chess(),
              true),
          new Setting(
              "sync.peers",
              "ws://127.0.0.1:9/ down",
              parts -> feature(parts, Mirrors.class).settings().peers(),
              List.of(PeerSettings.parse("ws://127.0.0.1:9/ down"))),
          new Setting(
              "sync.interval",
              "5m",
              parts -> feature(parts, Mirrors.class).settings().interval(),
              Duration.ofMinutes(5)),
          new Setting(
              "chess.max_clock_skew",
              "61s",
              parts -> feature(parts, ChessFeature.class).settings().maxClockSkew(),
              Duration.ofSeconds(61)),
          new Setting(
              "chess.abandon_grace",
              "62s",
              parts -> feature(parts, ChessFeature.class).settings().abandonGrace(),
              Duration.ofSeconds(62)),
          new Setting(
              "chess.slow_games",
              "0",
              parts -> feature(parts, ChessFeature.class).settings().slowGames(),
              0),
          new Setting(
              "chess.jester_games",
              "7",
              parts -> feature(parts, ChessFeature.class).settings().jesterGames(),
              7),
          new Setting(
              "chess.jester_games_in_all",
              "8",
              parts -> feature(parts, ChessFeature.class).settings().jesterGamesInAll(),
              8),
          new Setting(
              "chess.reminders",
              "false",
              parts -> feature(parts, ChessFeature.class).settings().reminders(),
              false),
          new Setting(
              "chess.default_time",
              "300+3",
              parts -> feature(parts, ChessFeature.class).settings().defaultTime().text(),
              "300+3"),
          new Setting(
              "chess.first_move_limit",
              "33s",
              parts -> feature(parts, ChessFeature.class).settings().firstMoveLimit(),
              Duration.ofSeconds(33)),
          new Setting(
              "chess.lag_allowance",
              "204ms",
              parts -> feature(parts, ChessFeature.class).settings().lagAllowance(),
              Duration.ofMillis(204)),
          new Setting(
              "chess.house.enabled",
              "false",
              parts ->
                  feature(parts, ChessFeature.class)
                      .settings()
                      .simultaneousGames()
                      .players()
                      .isEmpty(),
              true),
          new Setting(
              "chess.require_auth",
              "true",
              parts -> feature(parts, ChessFeature.class).settings().requireAuth(),
              true),
          new Setting(
              "chess.require_relay_tag",
              "true",
              parts -> feature(parts, ChessFeature.class).settings().requireRelayTag(),
              true),
          new Setting(
              "nips.50", "true", parts -> parts.settings().nips().off().contains(50), false),
          new Setting(
              "search.kinds", "1,64", SettingsWiringTest::searchedKinds, Set.of(KindSet.of(1, 64))),
          new Setting(
              "nips.67", "true", parts -> parts.settings().nips().off().contains(67), false),
          new Setting(
              "nips.challenge_on_connect",
              "false",
              parts -> parts.settings().nips().greet(),
              false),
          new Setting(
              "nips.min_difficulty", "8", parts -> parts.settings().nips().difficulty(), 8));

  /** Settings of the second program. */
  private static final List<Setting> SECOND =
      List.of(
          new Setting(
              "chess.house.max_games",
              "7",
              parts -> feature(parts, ChessFeature.class).settings().simultaneousGames().max(),
              7),
          new Setting("nips.4", "false", parts -> parts.settings().nips().off().contains(4), true),
          new Setting("nips.9", "false", parts -> parts.settings().nips().off().contains(9), true),
          new Setting(
              "nips.13", "false", parts -> parts.settings().nips().off().contains(13), true),
          new Setting(
              "nips.40", "false", parts -> parts.settings().nips().off().contains(40), true),
          new Setting(
              "nips.42", "false", parts -> parts.settings().nips().off().contains(42), true),
          new Setting(
              "nips.45", "false", parts -> parts.settings().nips().off().contains(45), true),
          new Setting(
              "nips.59", "false", parts -> parts.settings().nips().off().contains(59), true),
          new Setting(
              "nips.62", "false", parts -> parts.settings().nips().off().contains(62), true),
          new Setting(
              "nips.56", "false", parts -> feature(parts, Management.class).hasReports(), false),
          new Setting(
              "nips.86", "false", parts -> feature(parts, Management.class).isOpen(), false),
          new Setting(
              "nips.70", "false", parts -> parts.settings().nips().off().contains(70), true),
          new Setting(
              "nips.77", "false", parts -> parts.settings().nips().off().contains(77), true));

  /** Settings of the first program that are in no part and are tested over its socket. */
  private static final Map<String, String> FIRST_OVER_THE_SOCKET =
      Map.of("transport.proxies", "127.0.0.0/8,::1");

  /** Settings of the second program that are in no part and are tested over its socket. */
  private static final Map<String, String> SECOND_OVER_THE_SOCKET =
      Map.of("store.min_free", "1000000G");

  /** Settings of the second program's house player, which is in no part. */
  private static final Map<String, String> SECOND_OF_THE_HOUSE =
      Map.of(
          "chess.house.engine", "/does/not/exist -x",
          "chess.house.threads", "2",
          "chess.house.move_time", "250ms",
          "chess.house.open_starts", "true");

  /** Tested below, because its file must be there. */
  private static final String SECOND_OF_THE_PAGE = "web.engine";

  /** Settings of the second program that are in no part and are tested by a TLS handshake. */
  private static final Set<String> SECOND_OF_TLS = Set.of("tls.certificate", "tls.key");

  /** Settings of a program with a domain, tested below. */
  private static final Set<String> OF_A_DOMAIN =
      Set.of(
          "relay.domain",
          "tls.acme.directory",
          "tls.acme.ca",
          "tls.acme.contact",
          "tls.acme.http_port");

  private static final TestCertificate CERTIFICATE = TestCertificate.ofLocalhost();

  /** Where the first program listens; {@code 7447} and {@code 7448} are the default ports. */
  private static final Map<String, String> FIRST_PLACE =
      Map.of(
          "relay.listen",
          "127.0.0.2",
          "relay.port",
          "0",
          "metrics.listen",
          "127.0.0.3",
          "metrics.port",
          "0",
          "metrics.token",
          "a-token-of-this-test");

  /** Settings of the process and not of a relay; {@code LogIT} sets them. */
  private static final Set<String> OF_THE_LOG =
      Set.of("log.level", "log.levels", "log.format", "log.slow_query");

  @TempDir static Path data;

  private static Gambit first;
  private static Gambit second;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> ofTheFirst = new HashMap<>(FIRST_OVER_THE_SOCKET);
    ofTheFirst.putAll(FIRST_PLACE);
    first = program("first", FIRST, ofTheFirst);
    Map<String, String> others = new HashMap<>(SECOND_OVER_THE_SOCKET);
    others.putAll(SECOND_OF_THE_HOUSE);
    others.putAll(Map.of("relay.port", "0", "metrics.port", "0"));
    Path certificate = data.resolve("certificate.pem");
    Path key = data.resolve("key.pem");
    others.put(
        "tls.certificate", Files.writeString(certificate, CERTIFICATE.certificatePem()) + "");
    others.put("tls.key", Files.writeString(key, CERTIFICATE.keyPem()).toString());
    others.put(SECOND_OF_THE_PAGE, Files.createFile(data.resolve("a.js")).toString());
    second = program("second", SECOND, others);
  }

  @AfterAll
  static void end() {
    first.close();
    second.close();
  }

  private static Gambit program(String name, List<Setting> settings, Map<String, String> others)
      throws Exception {
    Map<String, String> set =
        settings.stream().collect(Collectors.toMap(Setting::key, Setting::value));
    set.putAll(others);
    return new Gambit(
        TestSettings.options(data.resolve(name), false, TestSettings.of(set)), death -> {});
  }

  private static AdmissionPolicy admission(RelayComponents parts) {
    return feature(parts, OperatorPolicies.class).admission();
  }

  private static ReadPolicy reads(RelayComponents parts) {
    return feature(parts, OperatorPolicies.class).reads();
  }

  private static MemberPolicy members(RelayComponents parts) {
    return feature(parts, OperatorPolicies.class).members();
  }

  /** The kinds that are searched; none if search is off. */
  private static Set<KindSet> searchedKinds(RelayComponents parts) {
    return parts.features().stream()
        .filter(TextSearch.class::isInstance)
        .map(feature -> ((TextSearch) feature).settings().kinds())
        .collect(Collectors.toSet());
  }

  private static <T> T feature(RelayComponents parts, Class<T> type) {
    return parts.features().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow();
  }

  private static URI url(Gambit program) {
    InetSocketAddress address = program.parts().port().address();
    String scheme = program.parts().port().tls() == null ? "ws" : "wss";
    return URI.create(scheme + "://" + address.getHostString() + ":" + address.getPort());
  }

  @Test
  void everySettingHasARow() {
    Set<String> here = new TreeSet<>(FIRST_OVER_THE_SOCKET.keySet());
    here.addAll(SECOND_OVER_THE_SOCKET.keySet());
    here.addAll(SECOND_OF_THE_HOUSE.keySet());
    here.addAll(OF_THE_LOG);
    here.addAll(ClusterWiringTest.SETTINGS);
    here.addAll(FIRST_PLACE.keySet());
    here.addAll(SECOND_OF_TLS);
    here.addAll(OF_A_DOMAIN);
    here.add(SECOND_OF_THE_PAGE);
    Stream.of(FIRST, SECOND).flatMap(List::stream).map(Setting::key).forEach(here::add);
    assertThat(ConfigSources.names().keys()).containsExactlyInAnyOrderElementsOf(here);
  }

  static List<Setting> first() {
    return FIRST;
  }

  static List<Setting> second() {
    return SECOND;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("first")
  void settingsOfTheFirstProgramReachThatProgramOnly(Setting setting) {
    assertThat(setting.place().apply(first.parts())).isEqualTo(setting.expected());
    assertThat(setting.place().apply(second.parts())).isNotEqualTo(setting.expected());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("second")
  void settingsOfTheSecondProgramReachThatProgramOnly(Setting setting) {
    assertThat(setting.place().apply(second.parts())).isEqualTo(setting.expected());
    assertThat(setting.place().apply(first.parts())).isNotEqualTo(setting.expected());
  }

  @Test
  void theRunningRelayUsesTheseParts() {
    String information = Client.httpRequest("GET", url(first), "application/nostr+json").body();
    assertThat(Client.parse(information).path("name").asText()).isEqualTo("Other");
    assertThat(Client.parse(information).at("/chess/default_time").asText()).isEqualTo("300+3");
    assertThat(Client.parse(information).at("/limitation/max_filters").asInt()).isEqualTo(15);
    assertThat(Client.parse(information).at("/limitation/restricted_writes").asBoolean()).isTrue();
  }

  @Test
  void theOperatorsEngineIsServedAndNamedInTheInformation() {
    assertThat(second.parts().settings().page().files()).containsKey("/engine/a.js");
    assertThat(first.parts().settings().page().files()).isEmpty();
    String information = Client.httpRequest("GET", url(first), "application/nostr+json").body();
    assertThat(Client.parse(information).at("/chess/engine").isMissingNode()).isTrue();
  }

  @Test
  void settingsOfTheHousePlayerReachTheProgramThatHasOne() {
    assertThat(first.house()).isEmpty();
    assertThat(second.house().map(House::settings))
        .contains(
            new BotSettings(
                List.of("/does/not/exist", "-x"), 2, 7, Duration.ofMillis(250), Level.THREE, true));
  }

  @Test
  void theProgramListensAtTheAddressAndThePortsOfItsSettings() {
    InetSocketAddress address = first.parts().port().address();
    assertThat(address.getHostString()).isEqualTo("127.0.0.2");
    assertThat(address.getPort()).isNotEqualTo(7447);
    assertThat(first.metricsPort()).isNotEqualTo(7448);
    assertThat(second.parts().port().address().getHostString()).isEqualTo("127.0.0.1");
  }

  @Test
  void metricsAreServedAtTheirAddressForTheirTokenOnly() {
    assertThat(scrapeStatus("127.0.0.3", first, "a-token-of-this-test")).isEqualTo(200);
    assertThat(scrapeStatus("127.0.0.3", first, "another-token-of-this")).isEqualTo(401);
    assertThat(scrapeStatus("127.0.0.1", second, "")).isEqualTo(200);
  }

  private static int scrapeStatus(String host, Gambit program, String token) {
    HttpRequest scrape =
        HttpRequest.newBuilder(
                URI.create("http://" + host + ":" + program.metricsPort() + "/metrics"))
            .header("Authorization", "Bearer " + token)
            .build();
    return HttpClient.newHttpClient()
        .sendAsync(scrape, HttpResponse.BodyHandlers.discarding())
        .join()
        .statusCode();
  }

  @Test
  void settingsOfADomainReachTheProgramThatHasOne() throws Exception {
    int http = FreePort.any();
    Path ca = Files.writeString(data.resolve("ca.pem"), CERTIFICATE.certificatePem());
    CompletableFuture<String> account = new CompletableFuture<>();
    HttpsServer authority = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    authority.setHttpsConfigurator(new HttpsConfigurator(CERTIFICATE.serving()));
    String url = "https://localhost:" + authority.getAddress().getPort();
    authority.createContext(
        "/",
        request -> {
          String body = new String(request.getRequestBody().readAllBytes(), UTF_8);
          if (request.getRequestMethod().equals("POST")) {
            account.complete(Client.parse(body).path("payload").asText());
          }
          byte[] directory =
              "{\"newNonce\":\"%s/\",\"newAccount\":\"%s/\"}".formatted(url, url).getBytes(UTF_8);
          request.getResponseHeaders().add("Replay-Nonce", "abc");
          request.getResponseHeaders().add("Content-Type", "application/json");
          request.sendResponseHeaders(200, directory.length);
          request.getResponseBody().write(directory);
          request.close();
        });
    authority.start();
    Map<String, String> set =
        new HashMap<>(
            Map.of(
                "relay.domain", "Relay.Example",
                "relay.listen", "127.0.0.1",
                "relay.port", "0",
                "metrics.port", "0",
                "tls.acme.directory", url,
                "tls.acme.ca", ca.toString(),
                "tls.acme.contact", "me@relay.example",
                "tls.acme.http_port", http + ""));
    try (Gambit program = program("domain", List.of(), set)) {
      assertThat(program.parts().identity().urls().all()).containsExactly("wss://relay.example");
      HttpResponse<String> redirect =
          Client.httpRequest("GET", URI.create("ws://127.0.0.1:" + http + "/a?b"), "text/html");
      assertThat(redirect.statusCode()).isEqualTo(301);
      assertThat(redirect.headers().firstValue("Location")).hasValue("https://relay.example/a?b");
      String payload = account.orTimeout(30, TimeUnit.SECONDS).join();
      assertThat(new String(Base64.getUrlDecoder().decode(payload), UTF_8))
          .contains("mailto:me@relay.example");
      assertThat(
              program
                  .certificate()
                  .orElseThrow()
                  .tls()
                  .certificate()
                  .leaf()
                  .getSubjectAlternativeNames())
          .hasToString("[[2, relay.example]]");
    } finally {
      authority.stop(0);
    }
  }

  @Test
  void thePortOfTheSecondProgramUsesTheCertificateOfItsSettings() throws Exception {
    try (SSLSocket socket = CERTIFICATE.connect(second.parts().port().address().getPort())) {
      assertThat(socket.getSession().getPeerCertificates())
          .containsExactly(CERTIFICATE.certificate());
    }
    assertThat(first.parts().port().tls()).isNull();
    assertThat(second.parts().identity().urls().all()).allMatch(it -> it.startsWith("wss://"));
    assertThat(first.readiness()).startsWith("listens on ws://");
    assertThat(second.readiness()).startsWith("listens on wss://");
  }

  @Test
  void theHousePlayerConnectsToItsOwnPortOverTls() {
    URI metrics = URI.create("http://localhost:" + second.metricsPort() + "/metrics");
    await()
        .untilAsserted(
            () ->
                assertThat(Client.httpRequest("GET", metrics, "text/plain").body().lines())
                    .contains("gambit_connections 1.0"));
  }

  @Test
  void clientAddressesAreTakenFromATrustedProxy() {
    WebSocket one = connectFor("203.0.113.7").join();
    try {
      assertThat(connectFor("203.0.113.8").thenAccept(WebSocket::abort))
          .succeedsWithin(Client.TIMEOUT);
      assertThat(connectFor("203.0.113.7"))
          .failsWithin(Client.TIMEOUT)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(WebSocketHandshakeException.class);
    } finally {
      one.abort();
    }
  }

  private static CompletableFuture<WebSocket> connectFor(String client) {
    return HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .header("X-Forwarded-For", client)
        .buildAsync(url(first), new WebSocket.Listener() {});
  }

  @Test
  void clientEventsAreRefusedWithLessFreeSpaceThanMinFree() {
    long now = System.currentTimeMillis() / 1000;
    HttpClient trusting = HttpClient.newBuilder().sslContext(CERTIFICATE.trusting()).build();
    try (Client client = new Client(url(second), trusting)) {
      client.publish(Keys.of("alice"), now, 1, "hello");
      assertThat(client.next()).endsWith("false,\"error: store is full\"]");
    }
  }
}
