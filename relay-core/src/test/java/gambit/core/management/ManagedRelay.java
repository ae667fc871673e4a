package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.feature.PostHandler.PostAnswer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.rate.RateLimits;
import gambit.core.store.EventStore;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A relay with the key of {@code admin} as its admin, and that admin's requests. */
final class ManagedRelay implements AutoCloseable {
  final OperatorPolicies policies;
  final Management management;
  final TestRelay relay;

  ManagedRelay() {
    this(AdmissionPolicy.EVERYTHING);
  }

  /** A relay whose settings have that policy, behind a proxy at this machine. */
  ManagedRelay(AdmissionPolicy policy) {
    policies = new OperatorPolicies(policy, ReadPolicy.EVERYTHING);
    management = new Management(policies, Set.of(AdminCalls.ADMIN.pubkey()), true, true);
    TransportSettings behindProxy =
        new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1")));
    relay = new TestRelay(LimitValues.DEFAULT, RateLimits.NONE, behindProxy, policies, management);
  }

  /** A relay with NIP-86 or NIP-56 switched on or off. */
  ManagedRelay(boolean isRemote, boolean hasReports) {
    policies = new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
    management = new Management(policies, Set.of(AdminCalls.ADMIN.pubkey()), isRemote, hasReports);
    relay = new TestRelay(policies, management);
  }

  /** A relay on a store whose settings have no admin. */
  static ManagedRelay withoutAdmin(EventStore store) {
    return new ManagedRelay(store, TestTime.START, Set.of());
  }

  /** A relay on a store. */
  ManagedRelay(EventStore store) {
    this(store, TestTime.START);
  }

  /** A relay on a store that starts at that time. */
  ManagedRelay(EventStore store, Instant start) {
    this(store, start, Set.of(AdminCalls.ADMIN.pubkey()));
  }

  private ManagedRelay(EventStore store, Instant start, Set<PubKey> admins) {
    policies = new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
    management = new Management(policies, admins, true, true);
    relay = new TestRelay(store, start, policies, management);
  }

  URI url() {
    return AdminCalls.httpUrl(relay);
  }

  /** The result of an admin's call, which must succeed. */
  JsonNode call(String method, Object... params) {
    return callBy(AdminCalls.ADMIN, method, params);
  }

  /** The result of the call of a key, which must succeed. */
  JsonNode callBy(Signer signer, String method, Object... params) {
    JsonNode answer = answer(signer, method, params);
    if (!answer.path("error").isMissingNode()) {
      throw new AssertionError(method + ": " + answer);
    }
    return answer.get("result");
  }

  /** The error of an admin's call. */
  String error(String method, Object... params) {
    return errorOf(AdminCalls.ADMIN, method, params);
  }

  /** The error of the call of a key. */
  String errorOf(Signer signer, String method, Object... params) {
    return answer(signer, method, params).path("error").asText();
  }

  private JsonNode answer(Signer signer, String method, Object... params) {
    String body = body(method, params);
    return Client.parse(AdminCalls.call(relay, signer, body).body());
  }

  static String body(String method, Object... params) {
    StringBuilder list = new StringBuilder();
    for (Object param : params) {
      list.append(list.isEmpty() ? "" : ",")
          .append(param instanceof String ? "\"" + param + "\"" : param);
    }
    return "{\"method\":\"" + method + "\",\"params\":[" + list + "]}";
  }

  /** The event that authorizes a request; its id is new each time. */
  Event login(String body, String url) {
    return AdminCalls.login(relay.now(), url, body);
  }

  HttpResponse<String> post(String body, @Nullable String authorization) {
    return AdminCalls.post(url(), AdminCalls.MEDIA_TYPE, body, authorization);
  }

  /** The answer to a call of the operator. */
  JsonNode operator(String method, Object... params) {
    CompletableFuture<PostAnswer> answer = new CompletableFuture<>();
    management.call(body(method, params), answer::complete);
    return Client.parse(answer.orTimeout(2, TimeUnit.MINUTES).join().json());
  }

  @Override
  public void close() {
    relay.close();
  }
}
