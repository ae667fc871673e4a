package gambit.core.management;

/** Who may call a method, besides the operator with commands, who may call all. */
public enum Access {
  /** Admins only. */
  ADMINS,
  /** Admins, and members with a role that lists the method. */
  ROLES,
  /** Everybody who may call any method. */
  RIGHTS,
  /** Whoever has the code of an admin link. */
  CODE
}
