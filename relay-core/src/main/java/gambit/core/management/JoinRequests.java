package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.lane.Lane;
import gambit.core.log.LimitedLog;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Call.Caller;
import gambit.core.management.Members.Invite;
import gambit.core.management.Members.Member;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The requests of NIP-43: to join with an invite code (kind 28934), to leave (28936), and for an
 * invite (a REQ that names kind 28935) by a client whose login may create invites. They are checked
 * where they arrive, so that a wrong code costs no other client anything; what changes something
 * runs on the lane of management, in which each address and key has its share, and is answered when
 * it is stored. Thread-safe.
 *
 * <p>Bounds: {@value #MAX_ATTEMPTS} codes a minute from an address, an invite a minute for a key.
 */
final class JoinRequests implements EventHandler, SubscriptionListener {
  private static final LimitedLog LOG = LimitedLog.of(JoinRequests.class);

  private static final int MAX_SECONDS_FROM_NOW = 10 * 60;
  private static final int MAX_ATTEMPTS = 20;
  private static final int INVITE_HOURS = 7 * 24;
  private static final String CREATE_INVITE = "createinvite";

  private final RelayBuilder relay;
  private final Lane lane;
  private final Members members;
  private final ManagementChanges changes;
  private final Methods methods;
  private final RateLimiter rates;

  JoinRequests(
      RelayBuilder relay, Lane lane, Members members, ManagementChanges changes, Methods methods) {
    this.relay = relay;
    this.lane = lane;
    this.members = members;
    this.changes = changes;
    this.methods = methods;
    this.rates =
        new RateLimiter(
            new RateLimits(
                Map.of(Verb.EVENT, new Rate(MAX_ATTEMPTS, Duration.ofMinutes(1))),
                Map.of(Verb.REQ, new Rate(1, Duration.ofMinutes(1)))),
            () -> TimeUnit.MILLISECONDS.toNanos(relay.time().millis()));
  }

  void install() {
    relay.handleEvents(this);
    relay.listenToSubscriptions(this);
  }

  private interface Change {
    Outgoing make(Call call, PubKey author) throws CallRefused;
  }

  @Override
  public Optional<ClaimedEvent> claim(Event event) {
    return switch (event.kind()) {
      case Kind.JOIN_REQUEST -> Optional.of(this::join);
      case Kind.LEAVE_REQUEST -> Optional.of(this::leave);
      default -> Optional.empty();
    };
  }

  private void join(Submission request) {
    Optional<String> code = request.event().tags().first("claim");
    if (code.isEmpty()) {
      send(request.refused(Reason.invalid("a request to join has its invite code in a tag claim")));
    } else if (isInTime(request)) {
      Optional<Reason> tooMany =
          members.isMember(request.event().pubkey())
              ? Optional.empty()
              : rates.objection(Verb.EVENT, request.connection().address());
      tooMany
          .map(request::refused)
          .or(() -> answer(request, code.get()))
          .ifPresentOrElse(
              this::send,
              () -> submit(request, "join", (call, key) -> add(request, call, key, code.get())));
    }
  }

  /** The answer to a request that changes nothing; empty if its author can join. */
  private Optional<Outgoing> answer(Submission request, String code) {
    if (members.isMember(request.event().pubkey())) {
      return Optional.of(request.duplicate(Reason.duplicate("you are a member already")));
    }
    Invite invite = members.invites.get(code);
    if (invite == null) {
      return refusal(request, "this invite code is invalid");
    } else if (invite.left() == 0) {
      return refusal(request, "this invite code was used up");
    } else if (invite.until() <= changes.now()) {
      return refusal(request, "this invite code has expired");
    }
    return members.members.values().size() < Members.MAX_MEMBERS
        ? Optional.empty()
        : refusal(request, "this relay has no room for more members");
  }

  private static Optional<Outgoing> refusal(Submission request, String text) {
    return Optional.of(request.refused(Reason.restricted(text)));
  }

  private Outgoing add(Submission request, Call call, PubKey author, String code)
      throws CallRefused {
    Optional<Outgoing> answer = answer(request, code); // another one may have used it meanwhile
    Invite invite = members.invites.get(code);
    if (answer.isPresent() || invite == null) {
      return answer.orElseThrow();
    }
    int left = invite.left() - 1;
    long until = left == 0 ? changes.now() : invite.until();
    Invite used = new Invite(invite.uses(), left, until, invite.by(), invite.note());
    Member member = new Member(List.of(), changes.now(), invite.by(), invite.note());
    changes.change(
        call,
        Nip19.npub(author),
        "invited by " + invite.by(),
        List.of(members.invites.change(code, used), members.members.change(author.hex(), member)));
    return request.accepted("info: welcome");
  }

  private void leave(Submission request) {
    Event event = request.event();
    if (!event.tags().has("-")) {
      send(request.refused(Reason.invalid("a request to leave has the tag -")));
    } else if (isInTime(request)) {
      submit(request, "leave", (call, key) -> remove(request, call, key));
    }
  }

  private Outgoing remove(Submission request, Call call, PubKey author) throws CallRefused {
    if (!members.isMember(author)) {
      return request.duplicate(Reason.duplicate("you are not a member"));
    } else if (members.admins().contains(author)) {
      return request.refused(Reason.restricted("you are an admin by the settings of this relay"));
    } else if (members.isLastAdmin(author)) {
      return request.refused(Reason.restricted("you are the last admin: make another one first"));
    }
    changes.change(
        call, Nip19.npub(author), "", List.of(members.members.change(author.hex(), null)));
    return request.accepted("info: you have left");
  }

  private boolean isInTime(Submission request) {
    long now = request.arrivedAt().getEpochSecond();
    boolean isInTime = Math.abs(now - request.event().createdAt()) <= MAX_SECONDS_FROM_NOW;
    if (!isInTime) {
      send(request.refused(Reason.invalid("created_at of this request must be the present time")));
    }
    return isInTime;
  }

  private void submit(Submission request, String action, Change change) {
    PubKey author = request.event().pubkey();
    Call call = new Call(caller(author, request.connection()), action, List.of());
    boolean isQueued =
        lane.submit(
            request.connection().owners(),
            () -> {
              try {
                send(change.make(call, author));
              } catch (CallRefused e) {
                send(request.refused(Reason.error(String.valueOf(e.getMessage()))));
              } catch (RuntimeException e) {
                LOG.error("A request to {} failed; this is a bug", action, e);
                send(request.refused(Reason.error("the request failed")));
              }
            });
    if (!isQueued) {
      send(request.refused(Reason.rateLimited("the relay is busy, try again")));
    }
  }

  private static Caller caller(PubKey key, ClientConnection connection) {
    return new Caller(key, key, connection.address(), "");
  }

  private void send(Outgoing answer) {
    relay.publisher().send(List.of(answer));
  }

  @Override
  public void subscribed(ClientConnection connection, List<Filter> filters) {}

  /** Makes an invite for a subscription that asks for one. On the live lane. */
  @Override
  public boolean delays(ClientConnection connection, List<Filter> filters, Runnable begin) {
    if (filters.stream()
        .map(Filter::kinds)
        .noneMatch(it -> it != null && it.contains(MemberEvents.INVITE))) {
      return false;
    }
    Optional<PubKey> key = connection.keys().stream().filter(this::mayInvite).findFirst();
    return key.isPresent()
        && rates.objection(Verb.REQ, key.get()).isEmpty()
        && lane.submit(connection.owners(), () -> invite(connection, key.get(), begin));
  }

  private boolean mayInvite(PubKey key) {
    return members.isAdmin(key) || members.methods(key).contains(CREATE_INVITE);
  }

  private void invite(ClientConnection connection, PubKey key, Runnable begin) {
    try {
      List<JsonNode> params = new ArrayList<>();
      Call.JSON
          .<JsonNode>valueToTree(List.of(1, INVITE_HOURS, "asked for by a client"))
          .forEach(params::add);
      Call call = new Call(caller(key, connection), CREATE_INVITE, params);
      String code = methods.call(call).get("code").textValue();
      Tags tags = new Tags(List.of(List.of("-"), List.of("claim", code)));
      Event event = relay.signer().sign(changes.now(), MemberEvents.INVITE, tags, "");
      send(new Outgoing.Multicast(event, Set.of(connection), List.of(), isSent -> begin.run()));
    } catch (CallRefused | RuntimeException e) {
      LOG.warn("An invite could not be made", e);
      begin.run();
    }
  }
}
