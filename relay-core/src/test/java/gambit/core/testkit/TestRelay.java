package gambit.core.testkit;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.ChangeableSettings;
import gambit.core.Health;
import gambit.core.Relay;
import gambit.core.RelayComponents;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.ingest.Retention;
import gambit.core.limit.LimitValues;
import gambit.core.model.RelayUrls;
import gambit.core.net.OperatorToken;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.ServerTls;
import gambit.core.net.WebPage;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import gambit.core.store.EventStore;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A relay in this process, on a free port, with a clock that tests advance. */
public final class TestRelay implements AutoCloseable {
  /** The URL under which the relay presents itself. */
  public static final String URL = "wss://gambit.example/";

  private static final String OPERATOR_TOKEN = "the operator's token";

  /** Time limit for closing, so that a relay that hangs does not hide why a test has failed. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMinutes(2);

  private final TestTime time;
  private final InstantSource clock;
  private final Signer signer = Keys.of("relay");
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private final TestMetrics metrics = new TestMetrics();
  private final EventStore store;
  private final Relay relay;

  public TestRelay(Feature... features) {
    this(LimitValues.DEFAULT, new MemoryEventStore(64 << 20), features);
  }

  public TestRelay(LimitValues limits, EventStore store, Feature... features) {
    this(limits, store, Retention.FOREVER, null, StandardNips.DEFAULT, features);
  }

  /** A relay with that retention. */
  public TestRelay(Retention retention, EventStore store, Feature... features) {
    this(LimitValues.DEFAULT, store, retention, null, StandardNips.DEFAULT, features);
  }

  /** A relay with another clock. */
  public TestRelay(LimitValues limits, EventStore store, InstantSource clock, Feature... features) {
    this(limits, store, Retention.FOREVER, clock, StandardNips.DEFAULT, features);
  }

  /** A relay that starts at that time of the clock. */
  public TestRelay(EventStore store, Instant start, Feature... features) {
    this(
        LimitValues.DEFAULT,
        RateLimits.NONE,
        TransportSettings.DEFAULT,
        null,
        store,
        Retention.FOREVER,
        new EventVerifier(),
        start,
        null,
        StandardNips.DEFAULT,
        features);
  }

  /** A relay with other NIPs switched on or off. */
  public TestRelay(StandardNips nips, Feature... features) {
    this(
        LimitValues.DEFAULT,
        new MemoryEventStore(64 << 20),
        Retention.FOREVER,
        null,
        nips,
        features);
  }

  /** A relay with other NIPs switched on or off, and that store. */
  public TestRelay(StandardNips nips, EventStore store, Feature... features) {
    this(LimitValues.DEFAULT, store, Retention.FOREVER, null, nips, features);
  }

  /** A relay with other limits, rate limits and transport settings. */
  public TestRelay(
      LimitValues limits, RateLimits rates, TransportSettings transport, Feature... features) {
    this(
        limits,
        rates,
        transport,
        null,
        new MemoryEventStore(64 << 20),
        Retention.FOREVER,
        new EventVerifier(),
        TestTime.START,
        null,
        StandardNips.DEFAULT,
        features);
  }

  /** A relay with TLS. */
  public TestRelay(LimitValues limits, TransportSettings transport, ServerTls tls) {
    this(
        limits,
        RateLimits.NONE,
        transport,
        tls,
        new MemoryEventStore(64 << 20),
        Retention.FOREVER,
        new EventVerifier(),
        TestTime.START,
        null,
        StandardNips.DEFAULT);
  }

  /** A relay that verifies events with that verifier. */
  public TestRelay(EventVerifier verifier, Feature... features) {
    this(
        LimitValues.DEFAULT,
        RateLimits.NONE,
        TransportSettings.DEFAULT,
        null,
        new MemoryEventStore(64 << 20),
        Retention.FOREVER,
        verifier,
        TestTime.START,
        null,
        StandardNips.DEFAULT,
        features);
  }

  private TestRelay(
      LimitValues limits,
      EventStore store,
      Retention retention,
      @Nullable InstantSource clock,
      StandardNips nips,
      Feature... features) {
    this(
        limits,
        RateLimits.NONE,
        TransportSettings.DEFAULT,
        null,
        store,
        retention,
        new EventVerifier(),
        TestTime.START,
        clock,
        nips,
        features);
  }

  private TestRelay(
      LimitValues limits,
      RateLimits rates,
      TransportSettings transport,
      @Nullable ServerTls tls,
      EventStore store,
      Retention retention,
      EventVerifier verifier,
      Instant start,
      @Nullable InstantSource clock,
      StandardNips nips,
      Feature... features) {
    this.store = store;
    this.time = new TestTime(start);
    this.clock = clock == null ? time : clock;
    try {
      relay =
          new Relay(
              new RelayComponents(
                  new ChangeableSettings(
                      Map.of("name", "Test", "contact", "mailto:test@gambit.example", "icon", ""),
                      WebPage.NONE,
                      transport,
                      limits,
                      rates,
                      retention,
                      nips),
                  new RelayComponents.Identity("test", new RelayUrls(List.of(URL)), signer),
                  new RelayComponents.Port(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                      tls,
                      OperatorToken.of(OPERATOR_TOKEN)),
                  new RelayComponents.Storage(store),
                  List.of(features),
                  new RelayComponents.Environment(
                      verifier, this.clock, time, metrics, failures::add)));
    } catch (BindException e) {
      throw new AssertionError(e);
    }
  }

  /** Changes settings of the running relay ({@link ChangedSettings}). */
  public void change(UnaryOperator<ChangeableSettings> change) {
    relay.change(change.apply(relay.settings()));
  }

  public Client connect() {
    return new Client(uri());
  }

  /** A client with the operator's token. */
  public Client connectOperator() {
    return new Client(uri(), operatorHeaders());
  }

  /** The headers of a client with the operator's token. */
  public static Map<String, String> operatorHeaders() {
    return Map.of("Authorization", "Bearer " + OPERATOR_TOKEN);
  }

  /** A client with the operator's token, which states that it has verified signatures. */
  public Client connectVerifyingOperator() {
    return new Client(
        uri(),
        Map.of("Authorization", "Bearer " + OPERATOR_TOKEN, "Gambit-Signatures", "verified"));
  }

  public URI uri() {
    return URI.create("ws://127.0.0.1:" + relay.address().getPort() + "/");
  }

  /** The relay information document (NIP-11). */
  public JsonNode information() {
    return Client.parse(Client.httpRequest("GET", uri(), "application/nostr+json").body());
  }

  public TestTime time() {
    return time;
  }

  /** The time of the relay in seconds, for fresh events. */
  public long now() {
    return clock.instant().getEpochSecond();
  }

  public Signer signer() {
    return signer;
  }

  public TestMetrics metrics() {
    return metrics;
  }

  /** Logs queries from that working time on. */
  public void logQueriesSlowerThan(Duration threshold) {
    relay.logQueriesSlowerThan(threshold);
  }

  public Health health() {
    return relay.health();
  }

  public EventStore store() {
    return store;
  }

  /** Waits for the failure of a thread of the relay and returns it. */
  public Throwable awaitFailure() {
    Awaitility.await().until(() -> !failures.isEmpty());
    return failures.remove(0);
  }

  @Override
  public void close() {
    assertTimeoutPreemptively(CLOSE_TIMEOUT, relay::close);
    if (!failures.isEmpty()) {
      throw new AssertionError("a thread of the relay died", failures.get(0));
    }
  }
}
