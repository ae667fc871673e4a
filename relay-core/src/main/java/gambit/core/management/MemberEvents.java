package gambit.core.management;

import gambit.core.feature.Outgoing;
import gambit.core.feature.RelayBuilder;
import gambit.core.management.Members.Member;
import gambit.core.management.Members.Role;
import gambit.core.management.RowMap.Change;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The relay's events on its members (NIP-43), while the relay is for members only: the list of
 * members (kind 13534) with at most {@value #MAX_LISTED}, admins and the newest ones first; each
 * role (33534); who was added (8000) and removed (8001). Nobody else can publish events of these
 * kinds then. Confined to the lane of management, apart from the check of events.
 */
final class MemberEvents {
  static final int MAX_LISTED = 1_000;

  private static final int ADDED = 8_000;
  private static final int REMOVED = 8_001;
  private static final int LIST = 13_534;
  static final int INVITE = 28_935;
  private static final int ROLE = 33_534;
  private static final KindSet KINDS = KindSet.of(ADDED, REMOVED, LIST, INVITE, ROLE);

  /** A list that would be dated further ahead is published later. */
  private static final int MAX_SECONDS_AHEAD = 60;

  private static final Role ADMIN = new Role("Admin", "manages this relay", "", "", List.of());

  private final RelayBuilder relay;
  private final Members members;
  private final Supplier<MemberPolicy> policy;

  /** Events to be stored and those to be removed, with a change or after it. Immutable. */
  record Due(List<Event> events, List<EventId> withdrawn, boolean isComplete) {
    static final Due NONE = new Due(List.of(), List.of(), true);

    List<Outgoing> output() {
      return events.stream()
          .<Outgoing>map(event -> new Outgoing.Broadcast(event, List.of()))
          .toList();
    }
  }

  MemberEvents(RelayBuilder relay, Members members, Supplier<MemberPolicy> policy) {
    this.relay = relay;
    this.members = members;
    this.policy = policy;
    relay.gate(submission -> objection(submission.event()));
    relay.importCheck(submission -> objection(submission.event()));
  }

  /** Readers may not look at the author, so that another one would deceive them. */
  private Optional<Reason> objection(Event event) {
    return KINDS.contains(event.kind())
            && policy.get().isOn()
            && !event.pubkey().equals(relay.signer().pubkey())
        ? Optional.of(Reason.blocked("only the relay publishes events of kind " + event.kind()))
        : Optional.empty();
  }

  /** What has to be published with some changes, before they are in force. */
  Due due(List<Change<?, ?>> changes) {
    return policy.get().isOn() && changes.stream().anyMatch(this::concernsEvents)
        ? due(members.members.after(changes), members.roles.after(changes))
        : Due.NONE;
  }

  private boolean concernsEvents(Change<?, ?> change) {
    return change.map() == members.members || change.map() == members.roles;
  }

  /** What has to be published or removed so that the stored events agree with what is in force. */
  Due due() {
    return policy.get().isOn()
        ? due(members.members.values(), members.roles.values())
        : new Due(
            List.of(),
            Stream.concat(stored(LIST, 1).stream(), stored(ROLE, 2 * Members.MAX_ROLES).stream())
                .map(Event::id)
                .toList(),
            true);
  }

  private Due due(Map<String, Member> membersThen, Map<String, Role> rolesThen) {
    long now = relay.time().instant().getEpochSecond();
    List<Event> events = new ArrayList<>();
    List<EventId> withdrawn = new ArrayList<>();
    Map<String, Member> membersNow = members.members.values();
    notices(ADDED, membersThen.keySet(), membersNow.keySet(), now, events);
    notices(REMOVED, membersNow.keySet(), membersThen.keySet(), now, events);
    Map<String, Role> roles = new HashMap<>(rolesThen);
    roles.put(Members.ADMIN, ADMIN);
    Map<String, Event> before = new HashMap<>();
    for (Event event : stored(ROLE, 2 * Members.MAX_ROLES)) {
      String id = event.tags().first("d").orElse("");
      if (roles.containsKey(id)) {
        before.put(id, event);
      } else {
        withdrawn.add(event.id());
      }
    }
    boolean isComplete = true;
    for (Map.Entry<String, Role> role : roles.entrySet()) {
      Optional<Event> stored = Optional.ofNullable(before.get(role.getKey()));
      isComplete &= renew(ROLE, roleTags(role.getKey(), role.getValue()), stored, now, events);
    }
    Optional<Event> list = stored(LIST, 1).stream().findFirst();
    isComplete &= renew(LIST, listTags(membersThen), list, now, events);
    return new Due(events, withdrawn, isComplete);
  }

  /** Adds notices of all keys but some, unless the same was published in the same second. */
  private void notices(int kind, Set<String> all, Set<String> but, long now, List<Event> events) {
    all.stream()
        .filter(key -> !but.contains(key))
        .map(key -> sign(now, kind, List.of(List.of("-"), List.of("p", key))))
        .filter(notice -> relay.storedEvents().find(notice.id()).isEmpty())
        .forEach(events::add);
  }

  private Event sign(long at, int kind, List<List<String>> tags) {
    return relay.signer().sign(at, kind, new Tags(tags), "");
  }

  /** Adds a newer version unless the stored one has these tags; false if it has to wait. */
  private boolean renew(
      int kind, List<List<String>> tags, Optional<Event> stored, long now, List<Event> events) {
    if (stored.isPresent() && stored.get().tags().list().equals(tags)) {
      return true;
    }
    long at = Math.max(now, stored.map(it -> it.createdAt() + 1).orElse(now));
    if (at > now + MAX_SECONDS_AHEAD) {
      return false;
    }
    events.add(sign(at, kind, tags));
    return true;
  }

  private List<Event> stored(int kind, int max) {
    Set<PubKey> self = Set.of(relay.signer().pubkey());
    return relay.storedEvents().find(Filter.of(self, Set.of(kind), Map.of()), max);
  }

  private static List<List<String>> roleTags(String id, Role role) {
    List<List<String>> tags = new ArrayList<>(List.of(List.of("-"), List.of("d", id)));
    Stream.of(
            List.of("label", role.label()),
            List.of("description", role.description()),
            List.of("color", role.color()),
            List.of("order", role.order()))
        .filter(tag -> !tag.get(1).isEmpty())
        .forEach(tags::add);
    return tags;
  }

  private List<List<String>> listTags(Map<String, Member> membersThen) {
    Map<String, Member> all = new HashMap<>(membersThen);
    Set<String> admins = new HashSet<>();
    for (PubKey admin : members.admins()) {
      admins.add(admin.hex());
      all.putIfAbsent(admin.hex(), new Member(List.of(), 0, "", ""));
    }
    all.forEach(
        (key, member) -> {
          if (member.roles().contains(Members.ADMIN)) {
            admins.add(key);
          }
        });
    List<List<String>> tags = new ArrayList<>(List.of(List.of("-")));
    all.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, Member> it) -> !admins.contains(it.getKey()))
                .thenComparing(it -> -it.getValue().at())
                .thenComparing(Map.Entry::getKey))
        .limit(MAX_LISTED)
        .forEach(it -> tags.add(tag(it.getKey(), it.getValue(), admins)));
    return tags;
  }

  private static List<String> tag(String key, Member member, Set<String> admins) {
    List<String> tag = new ArrayList<>(List.of("member", key));
    if (admins.contains(key)) {
      tag.add(Members.ADMIN);
    }
    member.roles().stream().filter(it -> !it.equals(Members.ADMIN)).sorted().forEach(tag::add);
    return tag;
  }
}
