package gambit.core.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.management.Call.CallRefused;
import gambit.core.management.Management.Access;
import gambit.core.management.Members.Invite;
import gambit.core.management.Members.Link;
import gambit.core.management.Members.Member;
import gambit.core.management.Members.Role;
import gambit.core.management.Members.Session;
import gambit.core.management.RowMap.Change;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The methods on members, roles (NIP-86), invites, admin links and sessions. Confined to the lane
 * of management.
 */
final class MemberMethods {
  static final String CLAIM = "claimadmin";

  static final int LINK_SECONDS = 3600;
  static final int SESSION_SECONDS = 12 * 3600;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int MAX_ID_CHARS = 64;
  private static final int CODE_BYTES = 16;

  private final Members members;
  private final ManagementChanges changes;
  private final Methods methods;
  private final SecureRandom random = new SecureRandom();

  MemberMethods(Members members, ManagementChanges changes, Methods methods) {
    this.members = members;
    this.changes = changes;
    this.methods = methods;
  }

  void add() {
    methods.change(CLAIM, Access.CODE, this::claimAdmin);
    methods.add("opensession", Access.RIGHTS, this::openSession);
    methods.change("closesession", Access.RIGHTS, this::closeSession);
    methods.add("whoami", Access.RIGHTS, this::whoAmI);
    methods.add("rolemethods", Access.RIGHTS, call -> Call.JSON.valueToTree(methods.ofRoles()));
    methods.add("listroles", Access.RIGHTS, call -> listRoles());
    methods.add("adminlink", Access.ADMINS, this::adminLink);
    methods.change("createrole", Access.ADMINS, call -> setRole(call, false));
    methods.change("editrole", Access.ADMINS, call -> setRole(call, true));
    methods.change("deleterole", Access.ADMINS, this::deleteRole);
    methods.change("assignrole", Access.ADMINS, this::assignRole);
    methods.change("unassignrole", Access.ADMINS, this::unassignRole);
    methods.add("listmembers", Access.ROLES, call -> listMembers());
    methods.change("addmember", Access.ROLES, this::addMember);
    methods.change("removemember", Access.ROLES, this::removeMember);
    methods.add("createinvite", Access.ROLES, this::createInvite);
    methods.add("listinvites", Access.ROLES, call -> listInvites());
    methods.change("revokeinvite", Access.ROLES, this::revokeInvite);
  }

  static String hash(String code) {
    return HexFormat.of().formatHex(Sha256.digest().digest(code.getBytes(StandardCharsets.UTF_8)));
  }

  /** A code of 128 random bits, in characters that a URL may have. */
  private String newCode() {
    byte[] bytes = new byte[CODE_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Changes a member, or removes it if there is none any more. */
  private void change(Call call, PubKey key, String reason, @Nullable Member member)
      throws CallRefused {
    changes.change(
        call, Nip19.npub(key), reason, List.of(members.members.change(key.hex(), member)));
  }

  private void claimAdmin(Call call) throws CallRefused {
    PubKey key = call.by().signed();
    String hash = hash(call.text(0));
    if (members.link(hash, changes.now()).isEmpty()) {
      throw new CallRefused(403, Methods.NO_SUCH_LINK);
    }
    Member admin = withRole(key, Members.ADMIN, call);
    changes.change(
        call,
        Nip19.npub(key),
        "",
        List.of(members.links.change(hash, null), members.members.change(key.hex(), admin)));
  }

  private JsonNode adminLink(Call call) throws CallRefused {
    long now = changes.now();
    String code = newCode();
    long until = now + LINK_SECONDS;
    List<Change<?, ?>> all = members.links.removals(it -> it.until() <= now);
    members.links.values().entrySet().stream()
        .filter(it -> it.getValue().until() > now)
        .sorted(Comparator.comparingLong(it -> -it.getValue().until()))
        .skip(Members.MAX_LINKS - 1) // so that there is room for another one
        .forEach(it -> all.add(members.links.change(it.getKey(), null)));
    all.add(members.links.change(hash(code), new Link(until)));
    changes.change(call, "a link for one admin", "", all);
    return JSON.objectNode().put("code", code).put("until", until);
  }

  private JsonNode openSession(Call call) throws CallRefused {
    PubKey owner = call.by().named();
    if (call.by().isSession()) {
      throw new CallRefused("a session cannot open another one: sign with your own key");
    }
    PubKey key = call.pubkey();
    long now = changes.now();
    if (members.hasRights(key)) {
      throw new CallRefused("this key has rights of its own: make a new one for each session");
    }
    List<Change<?, ?>> all = members.sessions.removals(it -> it.until() <= now);
    List<String> own =
        members.sessions.values().entrySet().stream()
            .filter(it -> it.getValue().until() > now && it.getValue().owner().equals(owner.hex()))
            .sorted(Comparator.comparingLong(it -> it.getValue().until()))
            .map(Map.Entry::getKey)
            .toList();
    if (own.size() >= Members.MAX_SESSIONS_OF_KEY) {
      all.add(members.sessions.change(own.get(0), null));
    } else if (members.sessions.values().size() - all.size() >= Members.MAX_SESSIONS) {
      throw new CallRefused("too many sessions are open, try again later");
    }
    long until = now + SESSION_SECONDS;
    all.add(members.sessions.change(key.hex(), new Session(owner.hex(), until)));
    changes.change(call, Nip19.npub(owner), "from " + call.by().client(), all);
    return JSON.objectNode().put("until", until);
  }

  private void closeSession(Call call) throws CallRefused {
    PubKey signer = call.by().signed();
    if (!call.by().isSession()) {
      throw new CallRefused("this key is not that of a session");
    }
    changes.change(
        call,
        Nip19.npub(call.by().named()),
        "",
        List.of(members.sessions.change(signer.hex(), null)));
  }

  private JsonNode whoAmI(Call call) throws CallRefused {
    PubKey key = call.by().named();
    ObjectNode result =
        JSON.objectNode().put("pubkey", key.hex()).put("admin", members.isAdmin(key));
    result.set("roles", Call.JSON.valueToTree(new TreeSet<>(members.roles(key))));
    result.set("methods", Call.JSON.valueToTree(methods.callableBy(call.by())));
    Session session = call.by().isSession() ? members.sessions.get(call.by().signed().hex()) : null;
    return session == null ? result.putNull("until") : result.put("until", session.until());
  }

  private static <V> ArrayNode list(
      Map<String, V> values, String keyField, Comparator<Map.Entry<String, V>> order) {
    ArrayNode list = JSON.arrayNode();
    values.entrySet().stream()
        .sorted(order.thenComparing(Map.Entry.comparingByKey()))
        .forEach(
            it ->
                list.add(
                    Call.JSON.<ObjectNode>valueToTree(it.getValue()).put(keyField, it.getKey())));
    return list;
  }

  private JsonNode listRoles() {
    Role admin = new Role("Admin", "may do everything", "", "", methods.ofRoles());
    ArrayNode list = list(Map.of(Members.ADMIN, admin), "id", Map.Entry.comparingByKey());
    list.addAll(list(members.roles.values(), "id", Map.Entry.comparingByKey()));
    for (JsonNode role : list) {
      String id = role.get("id").textValue();
      long count =
          members.members.values().values().stream().filter(it -> it.roles().contains(id)).count();
      ((ObjectNode) role)
          .put("members", count + (id.equals(Members.ADMIN) ? members.admins().size() : 0));
    }
    return list;
  }

  private void setRole(Call call, boolean isKnown) throws CallRefused {
    String id = call.line(0);
    if (id.isEmpty() || id.length() > MAX_ID_CHARS || id.equals(Members.ADMIN)) {
      throw new CallRefused(
          "the id of a role has 1 to " + MAX_ID_CHARS + " characters, and is not admin");
    }
    Role before = isKnown ? role(id) : members.roles.get(id);
    if (!isKnown && before != null) {
      throw new CallRefused("there is a role " + id + " already");
    } else if (!isKnown && members.roles.values().size() >= Members.MAX_ROLES) {
      throw new CallRefused("there are " + Members.MAX_ROLES + " roles, which is the most");
    }
    Role role =
        new Role(
            call.line(1),
            call.line(2),
            call.numberText(3, 0, 360),
            call.numberText(4, -999_999_999, 999_999_999),
            before != null && call.params().size() < 6 ? before.methods() : methodsOf(call));
    changes.change(
        call, id, String.join(" ", role.methods()), List.of(members.roles.change(id, role)));
  }

  private List<String> methodsOf(Call call) throws CallRefused {
    Set<String> names = new TreeSet<>();
    for (JsonNode name : call.param(5)) {
      if (!methods.ofRoles().contains(name.asText())) {
        throw new CallRefused(
            "a role cannot have the method " + name.asText() + "; rolemethods lists those it can");
      }
      names.add(name.asText());
    }
    if (!call.param(5).isArray() && !call.param(5).isMissingNode()) {
      throw new CallRefused("parameter 6 must be a list of methods");
    }
    return List.copyOf(names);
  }

  private Role role(String id) throws CallRefused {
    Role role = members.roles.get(id);
    if (role == null) {
      throw new CallRefused("there is no role " + id);
    }
    return role;
  }

  private void deleteRole(Call call) throws CallRefused {
    String id = call.line(0);
    role(id);
    List<Change<?, ?>> all = new ArrayList<>(List.of(members.roles.change(id, null)));
    members
        .members
        .values()
        .forEach(
            (key, member) -> {
              if (member.roles().contains(id)) {
                all.add(members.members.change(key, without(member, id)));
              }
            });
    changes.change(call, id, "", all);
  }

  private static Member without(Member member, String role) {
    return member.with(member.roles().stream().filter(it -> !it.equals(role)).toList());
  }

  private void assignRole(Call call) throws CallRefused {
    PubKey key = call.pubkey();
    String id = call.line(1);
    if (!id.equals(Members.ADMIN)) {
      role(id);
    }
    requireRoom(key);
    change(call, key, id, withRole(key, id, call));
  }

  private void unassignRole(Call call) throws CallRefused {
    PubKey key = call.pubkey();
    String id = call.line(1);
    Member member = members.member(key);
    if (member == null || !member.roles().contains(id)) {
      throw new CallRefused("this key does not have the role " + id);
    }
    if (id.equals(Members.ADMIN)) {
      requireOtherAdmin(key);
    }
    change(call, key, id, without(member, id));
  }

  private void requireOtherAdmin(PubKey key) throws CallRefused {
    if (members.isLastAdmin(key)) {
      throw new CallRefused("this is the last admin: make another one first");
    }
  }

  private Member withRole(PubKey key, String role, Call call) {
    Set<String> roles = new TreeSet<>(members.roles(key));
    roles.add(role);
    Member member = members.member(key);
    return (member == null ? newMember(call, "") : member).with(List.copyOf(roles));
  }

  private Member newMember(Call call, String reason) {
    return new Member(List.of(), changes.now(), call.by().name(), reason);
  }

  private void requireRoom(PubKey key) throws CallRefused {
    if (members.member(key) == null && members.members.values().size() >= Members.MAX_MEMBERS) {
      throw new CallRefused(
          "there are " + Members.MAX_MEMBERS + " members, which is the most; remove some");
    }
  }

  private JsonNode listMembers() {
    Map<String, Member> ofSettings = new HashMap<>();
    for (PubKey key : members.admins()) {
      ofSettings.put(key.hex(), new Member(List.of(Members.ADMIN), 0, "settings", ""));
    }
    ofSettings.keySet().removeAll(members.members.values().keySet());
    return list(ofSettings, "pubkey", Map.Entry.comparingByKey())
        .addAll(
            list(
                members.members.values(),
                "pubkey",
                Comparator.comparingLong(it -> -it.getValue().at())));
  }

  private void addMember(Call call) throws CallRefused {
    PubKey key = call.pubkey();
    if (members.isMember(key)) {
      throw new CallRefused("this key is a member already");
    }
    requireRoom(key);
    change(call, key, call.reason(), newMember(call, call.reason()));
  }

  /** Removes a member; one with a role only for an admin. */
  private void removeMember(Call call) throws CallRefused {
    PubKey key = call.pubkey();
    if (members.admins().contains(key)) {
      throw new CallRefused("this key is in management.admins of the relay's settings");
    } else if (members.member(key) == null) {
      throw new CallRefused("this key is not a member");
    }
    methods.requireLesser(key, call.by());
    requireOtherAdmin(key);
    change(call, key, call.reason(), null);
  }

  private JsonNode createInvite(Call call) throws CallRefused {
    int uses = (int) call.number(0, 1, 1_000);
    long hours = call.number(1, 1, 8_760);
    String code = newCode();
    long now = changes.now();
    long until = now + hours * 3600;
    // until a day after their end, invites are refused as expired
    List<Change<?, ?>> all = members.invites.removals(it -> it.until() + 86_400 <= now);
    if (members.invites.values().size() - all.size() >= Members.MAX_INVITES) {
      throw new CallRefused(
          "there are " + Members.MAX_INVITES + " open invites, which is the most; revoke some");
    }
    Invite invite = new Invite(uses, uses, until, call.by().name(), call.line(2));
    all.add(members.invites.change(code, invite));
    changes.change(call, "an invite for " + uses, call.line(2), all);
    return JSON.objectNode().put("code", code).put("uses", uses).put("until", until);
  }

  private JsonNode listInvites() {
    return list(
        members.invites.values(), "code", Comparator.comparingLong(it -> it.getValue().until()));
  }

  private void revokeInvite(Call call) throws CallRefused {
    String code = call.text(0);
    Invite invite = members.invites.get(code);
    if (invite == null) {
      throw new CallRefused("there is no such invite");
    }
    changes.change(
        call,
        "an invite by " + invite.by(),
        invite.note(),
        List.of(members.invites.change(code, null)));
  }
}
