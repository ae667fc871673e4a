package gambit.core.nip;

/**
 * Whether the relay is for its members only: the admins, the members that calls of management or
 * invites have added (NIP-43), accepted and trusted authors. Set by the operator; {@link
 * OperatorPolicies} applies it. Immutable.
 *
 * @param write whether only members may write
 * @param read whether only clients that have logged in as a member may read
 */
public record MemberPolicy(boolean write, boolean read) {
  public static final MemberPolicy OFF = new MemberPolicy(false, false);

  public boolean isOn() {
    return write || read;
  }
}
