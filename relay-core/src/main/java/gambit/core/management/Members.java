package gambit.core.management;

import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who belongs to the relay, and may manage it: the admins of the settings; members with their
 * roles, of which {@value #ADMIN} has all rights; open invites; one-time links for an admin;
 * sessions, by which the key of a page acts for an admin. Thread-safe; the lane of management makes
 * changes ({@link ManagementChanges}).
 *
 * <p>Bounds: {@value #MAX_MEMBERS} members, {@value #MAX_ROLES} roles, {@value #MAX_INVITES} open
 * invites, {@value #MAX_LINKS} links, {@value #MAX_SESSIONS} sessions, {@value
 * #MAX_SESSIONS_OF_KEY} of one key.
 */
public final class Members {
  public static final String ADMIN = "admin";

  static final int MAX_MEMBERS = 10_000;
  static final int MAX_ROLES = 100;
  static final int MAX_INVITES = 1_000;
  static final int MAX_LINKS = 10;
  static final int MAX_SESSIONS = 1_000;
  static final int MAX_SESSIONS_OF_KEY = 10;

  private final RowMap<Member> members;
  private final RowMap<Role> roles;
  private final RowMap<Invite> invites;
  private final RowMap<Link> links;
  private final RowMap<Session> sessions;
  private final Map<PubKey, ClientAddress> addresses = new ConcurrentHashMap<>(); // of admins
  private volatile Set<PubKey> admins;

  /** A member, by the public key in hex: since when, by whom and why. Immutable. */
  record Member(List<String> roles, long at, String by, String reason) {
    Member {
      roles = List.copyOf(roles);
    }
  }

  /** A role, by its id, as NIP-43 has it, with the methods that its members may call. Immutable. */
  record Role(String label, String description, String color, String order, List<String> methods) {
    Role {
      methods = List.copyOf(methods);
    }
  }

  /** An invite by its code: how often it could be used at first and can be used now. Immutable. */
  record Invite(int uses, int left, long until, String by, String note) {}

  /** A one-time link for an admin, by the SHA-256 of its code in hex. Immutable. */
  record Link(long until) {}

  /** A session, by its public key in hex: whose rights it has. Immutable. */
  record Session(String owner, long until) {}

  Members(Set<PubKey> admins, Map<String, byte[]> rows) {
    this.admins = Set.copyOf(admins);
    members = new RowMap<>('m', Member.class, rows);
    roles = new RowMap<>('r', Role.class, rows);
    invites = new RowMap<>('i', Invite.class, rows);
    links = new RowMap<>('l', Link.class, rows);
    sessions = new RowMap<>('s', Session.class, rows);
  }

  /** Whether somebody is a member, or an admin of the settings. */
  public boolean isMember(PubKey key) {
    return members.get(key.hex()) != null || admins.contains(key);
  }

  public boolean isAdmin(PubKey key) {
    return admins.contains(key) || roles(key).contains(ADMIN);
  }

  public Set<String> roles(PubKey key) {
    Member member = members.get(key.hex());
    return member == null ? Set.of() : Set.copyOf(member.roles());
  }

  /** Whether anybody is an admin. */
  boolean haveAdmin() {
    return !admins.isEmpty() || isAnyAdmin(members.values().values());
  }

  /** Whether there is an admin besides a member. */
  boolean haveOtherAdmin(PubKey than) {
    return !admins.isEmpty()
        || isAnyAdmin(
            members.values().entrySet().stream()
                .filter(it -> !it.getKey().equals(than.hex()))
                .map(Map.Entry::getValue)
                .toList());
  }

  private static boolean isAnyAdmin(Collection<Member> among) {
    return among.stream().anyMatch(it -> it.roles().contains(ADMIN));
  }

  /** The methods that the roles of a key, other than that of an admin, permit. */
  Set<String> methods(PubKey key) {
    Set<String> methods = new HashSet<>();
    for (String id : roles(key)) {
      Role role = roles.get(id);
      if (role != null) {
        methods.addAll(role.methods());
      }
    }
    return methods;
  }

  /** Remembers from where an admin has called last. */
  void called(PubKey key, ClientAddress address) {
    if (isAdmin(key)) {
      addresses.put(key, address);
    }
  }

  /** Whether an admin has called last from that address. */
  boolean isAddressOfAdmin(ClientAddress address) {
    return addresses.entrySet().stream()
        .anyMatch(it -> it.getValue().equals(address) && isAdmin(it.getKey()));
  }

  /** Whether a key may call anything, by its own rights. */
  boolean hasRights(PubKey key) {
    return isAdmin(key) || !methods(key).isEmpty();
  }

  /**
   * The key for which another one acts: its own, or that of the owner of a session. Own rights win:
   * anybody with a right can open a session for the key of somebody who gets more later.
   */
  PubKey owner(PubKey key, long now) {
    Session session = hasRights(key) ? null : sessions.get(key.hex());
    return session == null || session.until() <= now ? key : PubKey.ofHex(session.owner());
  }

  Optional<Link> link(String codeHash, long now) {
    return Optional.ofNullable(links.get(codeHash)).filter(it -> it.until() > now);
  }

  /** The admins of the settings. */
  public Set<PubKey> admins() {
    return admins;
  }

  /** Replaces the admins of the settings. */
  void change(Set<PubKey> newAdmins) {
    admins = Set.copyOf(newAdmins);
  }

  RowMap<Member> members() {
    return members;
  }

  RowMap<Role> roles() {
    return roles;
  }

  RowMap<Invite> invites() {
    return invites;
  }

  RowMap<Link> links() {
    return links;
  }

  RowMap<Session> sessions() {
    return sessions;
  }

  @Nullable Member member(PubKey key) {
    return members.get(key.hex());
  }

  /** Follows a committed row, by its key in hex. */
  void changed(String key, Optional<byte[]> row) {
    for (RowMap<?> map : List.of(members, roles, invites, links, sessions)) {
      map.changed(key, row);
    }
  }
}
