/** Members and their roles, as the relay lists them. */

export interface Member {
  /** In hexadecimal. */
  readonly pubkey: string;
  readonly roles: readonly string[];
  /** Since when, in seconds of Unix time; 0 for an admin of the settings. */
  readonly at: number;
  /** An npub, `operator`, or `settings`. */
  readonly by: string;
  readonly reason: string;
}

export interface Role {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A hue from 0 to 360, or an empty text. */
  readonly color: string;
  readonly order: string;
  readonly methods: readonly string[];
  /** How many have it. */
  readonly members: number;
}

/** The role that may do everything; it is built in. */
export const ADMIN = 'admin';

/** The name of a role for people: its label, or its id. */
export function roleName(id: string, roles: readonly Role[]): string {
  return roles.find((role) => role.id === id)?.label || id;
}

/** What roles may do, in words, in groups; methods that are in no group are shown by their names. */
export const GROUPS: readonly { readonly name: string; readonly methods: Readonly<Record<string, string>> }[] = [
  {
    name: 'See how the relay is',
    methods: { figures: 'figures and graphs', status: 'version, disk and certificate', listconnections: 'who is connected' },
  },
  {
    name: 'Moderate',
    methods: {
      reports: 'read reports',
      decisions: 'read the decisions',
      banevent: 'delete events',
      banpubkey: 'ban authors',
      blockip: 'ban addresses',
      disconnect: 'disconnect clients',
      lift: 'lift any decision',
    },
  },
  {
    name: 'Let in',
    methods: {
      listmembers: 'see the members',
      addmember: 'add members',
      removemember: 'remove members without roles',
      listinvites: 'see the invites',
      createinvite: 'create invites',
      revokeinvite: 'revoke invites',
      allowpubkey: 'allow authors',
    },
  },
  {
    name: 'Decide what is stored',
    methods: { disallowkind: 'ban kinds', allowkind: 'allow kinds', allowevent: 'allow events' },
  },
  {
    name: 'Change texts',
    methods: { changerelayname: 'name', changerelaydescription: 'description', changerelayicon: 'icon' },
  },
  {
    name: 'For other programs (NIP-86)',
    methods: {
      unbanpubkey: 'lift bans of authors',
      unallowpubkey: 'no longer allow authors',
      unblockip: 'lift bans of addresses',
      listbannedpubkeys: 'list banned authors',
      listallowedpubkeys: 'list allowed authors',
      listbannedevents: 'list banned events',
      listeventsneedingmoderation: 'list reported events',
      listallowedkinds: 'list allowed kinds',
      listdisallowedkinds: 'list banned kinds',
      listblockedips: 'list banned addresses',
      identify: 'find authors and events by their short ids',
    },
  },
];

/** The groups with the methods that this relay offers to roles; unknown ones are in a group of their own. */
export function groupsOf(methods: readonly string[]): { readonly name: string; readonly methods: readonly (readonly [method: string, words: string])[] }[] {
  const known = new Set(GROUPS.flatMap((group) => Object.keys(group.methods)));
  const others = methods.filter((method) => !known.has(method)).map((method) => [method, method] as const);
  return [
    ...GROUPS.map(({ name, methods: words }) => ({ name, methods: Object.entries(words).filter(([method]) => methods.includes(method)) })),
    { name: 'Others', methods: others },
  ].filter((group) => group.methods.length > 0);
}

/** An id for a new role, from its label: lower-case letters, digits and hyphens. */
export function roleIdOf(label: string): string {
  return label.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40);
}
