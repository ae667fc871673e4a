package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.feature.Feature;
import gambit.core.feature.PostHandler;
import gambit.core.feature.PostHandler.PostAnswer;
import gambit.core.feature.PostHandler.PostRequest;
import gambit.core.feature.RelayBuilder;
import gambit.core.lane.Lane;
import gambit.core.log.LimitedLog;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Call.Caller;
import gambit.core.management.ManagementChanges.InForce;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.nip.OperatorPolicies;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The management of the relay while it runs: by its admins over HTTP (NIP-86), and by the operator
 * with commands ({@link #call}). Decisions apply to the next event and to the next request, and
 * stay in force after a restart. Thread-safe; calls are carried out one after the other on a lane,
 * at most {@value #MAX_WAITING_CALLS} wait, of which one admin has a share.
 */
public final class Management implements Feature, PostHandler {
  public static final String LANE = "management";

  private static final LimitedLog LOG = LimitedLog.of(Management.class);
  private static final String MEDIA_TYPE = "application/nostr+json+rpc";
  private static final int MAX_WAITING_CALLS = 100;

  /** Of an address, at the code of an admin link, which has 128 bits. */
  private static final Rate MAX_GUESSES = new Rate(10, Duration.ofMinutes(1));

  /** Who may call a method, besides the operator with commands, who may call all. */
  public enum Access {
    ADMINS,
    /** Admins, and members with a role that lists the method. */
    ROLES,
    /** Everybody who may call any method. */
    RIGHTS,
    /** Whoever has the code of an admin link. */
    CODE
  }

  /** A method. On the lane, so what takes long is done elsewhere. */
  @FunctionalInterface
  public interface MethodHandler {
    /** Returns the result, or refuses the call with a sentence for the caller. */
    JsonNode call(Call call) throws CallRefused;
  }

  private final OperatorPolicies policies;
  private final boolean isRemote;
  private final boolean hasReports;
  private final RateLimiter guesses =
      new RateLimiter(new RateLimits(Map.of(Verb.AUTH, MAX_GUESSES), Map.of()), System::nanoTime);
  private final Set<PubKey> admins; // of the settings at the start
  private volatile @Nullable Installed installed;

  private record Installed(
      InstantSource time,
      HttpLogins logins,
      Lane lane,
      Members members,
      ManagementChanges changes,
      Methods methods) {}

  public Management(
      OperatorPolicies policies, Set<PubKey> admins, boolean isRemote, boolean hasReports) {
    this.policies = policies;
    this.admins = Set.copyOf(admins);
    this.isRemote = isRemote;
    this.hasReports = hasReports;
  }

  public boolean hasReports() {
    return hasReports;
  }

  public Members members() {
    return installed().members();
  }

  /** Whether there is no admin yet. Any thread. */
  public boolean needsAdmin() {
    return !members().haveAdmin();
  }

  /** Adds a method; before the relay listens. */
  public void addMethod(String name, Access access, MethodHandler handler) {
    installed().methods().add(name, access, handler);
  }

  /** Stores an entry of the audit log, for an added method that changes something; on the lane. */
  public void audit(Call call, String target, String reason) throws CallRefused {
    installed().changes().change(call, target, reason, List.of());
  }

  /**
   * Replaces the admins of the settings, after the policies have changed; the relay information
   * document must be made anew. Any thread.
   */
  public void change(Set<PubKey> newAdmins) {
    members().change(newAdmins);
    installed().changes().publishSoon();
  }

  @Override
  public void install(RelayBuilder relay) {
    Decisions decisions = new Decisions(relay.rows(Decisions.TABLE));
    AuditLog audit = new AuditLog(relay.rows(AuditLog.TABLE));
    HttpLogins logins = new HttpLogins(relay.urls(), new EventVerifier());
    Instant now = relay.time().instant();
    audit.newest(AuditLog.MAX).stream()
        .map(Map.Entry::getValue)
        .filter(it -> it.at() > now.getEpochSecond() - 2 * HttpLogins.WINDOW_SECONDS)
        .forEach(it -> logins.use(it.login(), it.by(), now));
    Lane lane = relay.lane(LANE, MAX_WAITING_CALLS);
    Members members = new Members(admins, relay.rows(Members.TABLE));
    InForce inForce = new InForce(decisions, members, audit);
    ManagementChanges changes =
        new ManagementChanges(
            relay,
            inForce,
            new MemberEvents(relay, members, policies::members),
            lane,
            entry -> logins.use(entry.login(), entry.by(), relay.time().instant()));
    Methods methods =
        new Methods(
            inForce,
            changes,
            relay,
            policies::admission,
            hasReports ? new Reports(relay.storedEvents(), decisions) : null);
    installed = new Installed(relay.time(), logins, lane, members, changes, methods);
    new JoinRequests(relay, lane, members, changes, methods).install();
    policies.accept(decisions.allowances(members::isMember));
    relay.lastingCheck(decisions::objection);
    relay.refuseAuthors(author -> decisions.isBanned(new Subject.Author(author)));
    relay.refuseAddresses(decisions::refuse);
    relay.information(
        document -> {
          decisions.texts.values().forEach((field, text) -> document.about(field, text.text()));
          if (isRemote) {
            document.supports(86);
            document.supports(98);
          }
        });
    if (hasReports) {
      relay.supports(56);
    }
    if (isRemote) {
      relay.posts(MEDIA_TYPE, this);
    }
  }

  /** Whether admins may make calls, if there are any. */
  @Override
  public boolean isOpen() {
    return isRemote;
  }

  @Override
  public void handle(PostRequest request, Consumer<PostAnswer> answer) {
    Installed parts = installed();
    Instant now = parts.time().instant();
    try {
      Event login = parts.logins().check(request, now, key -> requireRight(key, request, now));
      Caller caller =
          new Caller(
              parts.members().owner(login.pubkey(), now.getEpochSecond()),
              login.pubkey(),
              request.client(),
              login.id().hex());
      String objection = parts.logins().use(caller.login(), caller.name(), now);
      if (objection != null) {
        throw new CallRefused(401, objection);
      }
      parts.members().called(caller.named(), request.client());
      run(caller, request.body(), answer);
    } catch (CallRefused e) {
      answer.accept(refused(e));
    }
  }

  /** Refuses keys without any right, unless they have the code of an admin link. */
  private void requireRight(PubKey key, PostRequest request, Instant now) throws CallRefused {
    Installed parts = installed();
    long seconds = now.getEpochSecond();
    if (parts.members().hasRights(parts.members().owner(key, seconds))) {
      return;
    }
    Call call = Call.read(new Caller(key, key, request.client(), ""), request.body());
    if (!call.method().equals(MemberMethods.CLAIM)) {
      throw new CallRefused(403, "this key has no rights here");
    } else if (parts.members().link(MemberMethods.hash(call.text(0)), seconds).isEmpty()) {
      throw guesses.secondsToWait(Verb.AUTH, request.client()) > 0
          ? new CallRefused(429, "too many codes from your address, try again in a minute")
          : new CallRefused(403, Methods.NO_SUCH_LINK);
    }
  }

  /**
   * Makes a call for the operator, as NIP-86 writes it: a method of NIP-86, or one of the
   * operator's. The answer comes once, on any thread.
   */
  public void call(String json, Consumer<PostAnswer> answer) {
    run(Caller.OPERATOR, json.getBytes(StandardCharsets.UTF_8), answer);
  }

  private void run(Caller by, byte[] json, Consumer<PostAnswer> answer) {
    Installed parts = installed();
    Set<String> owners = by.isOperator() ? Set.of() : Set.of(by.name());
    if (!parts.lane().submit(owners, () -> answer.accept(carryOut(by, json, parts.methods())))) {
      answer.accept(refused(503, "too many calls at once"));
    }
  }

  private static PostAnswer carryOut(Caller by, byte[] json, Methods methods) {
    try {
      JsonNode result = methods.call(Call.read(by, json));
      ObjectNode answer = JsonNodeFactory.instance.objectNode();
      answer.set("result", result);
      return answer(200, answer);
    } catch (CallRefused e) {
      return refused(e);
    } catch (RuntimeException e) {
      LOG.error("A call of management failed; this is a bug", e);
      return refused(500, "the call failed; the relay's log has the error");
    }
  }

  private static PostAnswer refused(CallRefused refusal) {
    return refused(refusal.status, String.valueOf(refusal.getMessage()));
  }

  private static PostAnswer refused(int status, String reason) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    return answer(status, answer.putNull("result").put("error", reason));
  }

  private static PostAnswer answer(int status, ObjectNode json) {
    return new PostAnswer(
        status,
        status == 401
            ? Map.of("Content-Type", MEDIA_TYPE, "WWW-Authenticate", "Nostr")
            : Map.of("Content-Type", MEDIA_TYPE),
        json.toString());
  }

  private Installed installed() {
    Installed now = installed;
    if (now == null) {
      throw new IllegalStateException("not installed");
    }
    return now;
  }
}
