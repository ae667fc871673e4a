package gambit.core.management;

import gambit.core.management.RowMap.KeyFormat;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
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

  static final String TABLE = "members";
  static final int MAX_MEMBERS = 10_000;
  static final int MAX_ROLES = 100;
  static final int MAX_INVITES = 1_000;
  static final int MAX_LINKS = 10;
  static final int MAX_SESSIONS = 1_000;
  static final int MAX_SESSIONS_OF_KEY = 10;

  final RowMap<String, Member> members; // by the public key in hex
  final RowMap<String, Role> roles; // by the id
  final RowMap<String, Invite> invites; // by the code
  final RowMap<String, Link> links; // by the SHA-256 of the code in hex
  final RowMap<String, Session> sessions; // by the public key in hex
  private final Map<PubKey, ClientAddress> addresses = new ConcurrentHashMap<>(); // of admins
  private volatile Set<PubKey> admins;

  /** A member: since when, by whom and why. Immutable. */
  record Member(List<String> roles, long at, String by, String reason) {
    Member {
      roles = List.copyOf(roles);
    }

    Member with(List<String> newRoles) {
      return new Member(newRoles, at, by, reason);
    }
  }

  /** A role, as NIP-43 has it, with the methods that its members may call. Immutable. */
  record Role(String label, String description, String color, String order, List<String> methods) {
    Role {
      methods = List.copyOf(methods);
    }
  }

  /** An invite: how often it could be used at first and can be used now. Immutable. */
  record Invite(int uses, int left, long until, String by, String note) {}

  record Link(long until) {}

  /** A session: whose rights it has. Immutable. */
  record Session(String owner, long until) {}

  Members(Set<PubKey> admins, Map<String, byte[]> rows) {
    this.admins = Set.copyOf(admins);
    members = new RowMap<>(TABLE, KeyFormat.text('m'), Member.class, rows);
    roles = new RowMap<>(TABLE, KeyFormat.text('r'), Role.class, rows);
    invites = new RowMap<>(TABLE, KeyFormat.text('i'), Invite.class, rows);
    links = new RowMap<>(TABLE, KeyFormat.text('l'), Link.class, rows);
    sessions = new RowMap<>(TABLE, KeyFormat.text('s'), Session.class, rows);
  }

  /** Whether somebody is a member, or an admin of the settings. */
  public boolean isMember(PubKey key) {
    return member(key) != null || admins.contains(key);
  }

  public boolean isAdmin(PubKey key) {
    return admins.contains(key) || roles(key).contains(ADMIN);
  }

  public Set<String> roles(PubKey key) {
    Member member = member(key);
    return member == null ? Set.of() : Set.copyOf(member.roles());
  }

  boolean haveAdmin() {
    return haveAdminBut("");
  }

  boolean isLastAdmin(PubKey key) {
    return isAdmin(key) && !haveAdminBut(key.hex());
  }

  private boolean haveAdminBut(String key) {
    return !admins.isEmpty()
        || members.values().entrySet().stream()
            .anyMatch(it -> !it.getKey().equals(key) && it.getValue().roles().contains(ADMIN));
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

  public Set<PubKey> admins() {
    return admins;
  }

  void change(Set<PubKey> newAdmins) {
    admins = Set.copyOf(newAdmins);
  }

  @Nullable Member member(PubKey key) {
    return members.get(key.hex());
  }

  /** Follows a committed row, by its key in hex. */
  void changed(String key, Optional<byte[]> row) {
    for (RowMap<String, ?> map : List.of(members, roles, invites, links, sessions)) {
      map.changed(key, row);
    }
  }
}
