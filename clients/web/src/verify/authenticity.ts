/** Checks that each event is its author's and was signed for this game. */
import type { Color } from '../board/position.js';
import { type Announcement, namesPlayers } from './announcement.js';
import { EPHEMERAL, JESTER, type NostrEvent, firstTag, isJob, parseEvent, rootOf, tagsNamed } from './events.js';
import type { Findings } from './findings.js';
import type { RelayUrls } from './relay-urls.js';
import type { ForgeryCheck } from './signatures.js';
import type { Timeline } from './timeline.js';
import { t } from '../language/t.js';

/** The arguments of {@link Authenticity}. */
export interface AuthenticityContext {
  readonly announcement: Announcement;
  readonly timeline: Timeline;
  /** The URLs by which the user reached the relay. */
  readonly connected: RelayUrls;
  /** Those, and the URL in the Site tag of the PGN. */
  readonly claimed: RelayUrls;
  readonly forgeryOf: ForgeryCheck;
  readonly findings: Findings;
}

/**
 * Checks id, signature, author and time of each event, and the tags that name a game or a relay; and
 * that no event counts twice. Adds faults to the findings.
 */
export class Authenticity {
  readonly #context: AuthenticityContext;
  readonly #used = new Set<string>();
  /** The players' valid events: one may be both the last move and an offer. */
  readonly #ofPlayers = new Map<string, NostrEvent>();
  #withoutGame = 0;
  #byClaimedUrl = 0;

  constructor(context: AuthenticityContext) {
    this.#context = context;
  }

  /** The number of valid events of players that do not name a game. */
  get withoutGame(): number {
    return this.#withoutGame;
  }

  /** The number of events of players that name the relay only by a URL that it claims. */
  get byClaimedUrl(): number {
    return this.#byClaimedUrl;
  }

  /** Adds, for each side, whether its events name the relay: others can have been forwarded. */
  addNamedRelay(): void {
    const { announcement, findings } = this.#context;
    for (const side of ['white', 'black'] as const) {
      const events = [...this.#ofPlayers.values()].filter(({ pubkey }) => pubkey === announcement[side]);
      const named = events.filter((event) => tagsNamed(event, 'relay').length > 0).length;
      if (events.length > 0 && named === events.length) {
        findings.addProved(
          t('{side, select, white {All events of White name the relay: {named, number}.} other {All events of Black name the relay: {named, number}.}}', { side, named }),
        );
      } else if (events.length > 0) {
        findings.addAttested(
          t(
            'That no other relay forwarded events of {side, select, white {White} other {Black}}: {named, plural, =0 {none} one {#} other {#}} of {all, number} name the relay.',
            { side, named, all: events.length },
          ),
        );
      }
    }
  }

  /** Whether an event is the relay's, about this game and its players. */
  isByRelay(what: string, event: NostrEvent): boolean {
    const { announcement } = this.#context;
    const isNamed =
      rootOf(event) === announcement.game &&
      tagsNamed(event, 'e').every((tag) => tag[1] === announcement.game) &&
      namesPlayers(announcement, event);
    const flaw = this.#flaw(event, announcement.relay) ?? (isNamed ? undefined : t('the event {id} is about another game', { id: event.id }));
    return this.#passes(what, flaw);
  }

  /** Whether an event is the player's and was signed for this game. */
  isByPlayer(player: string, what: string, event: NostrEvent): boolean {
    const names = event.kind === JESTER ? undefined : () => this.#flawOfRelay(event) ?? this.#flawOfGame(event);
    const flaw = this.#flaw(event, player) ?? names?.();
    return this.#passes(what, flaw);
  }

  /** The event of a player of the ephemeral dialect in a `proof` tag; undefined if invalid. */
  checkedProof(player: string, what: string, json: string): NostrEvent | undefined {
    const event = parseEvent(json);
    if (event?.kind !== EPHEMERAL) {
      this.#context.findings.addFault(t('{what}: the proof is not an event of kind {kind}', { what, kind: EPHEMERAL }));
      return undefined;
    }
    return this.isByPlayer(player, what, event) && this.isUnused(what, event) ? event : undefined;
  }

  /** Whether an event has not been used yet; marks it as used. */
  isUnused(what: string, event: NostrEvent): boolean {
    const isUsed = this.#used.has(event.id);
    this.#used.add(event.id);
    return this.#passes(what, isUsed ? t('the event {id} is used twice', { id: event.id }) : undefined);
  }

  /** Whether the event can have arrived after the last move of a side. */
  canFollowLastMove(side: Color, what: string, event: NostrEvent): boolean {
    return this.#passes(what, this.#context.timeline.beforeLastMove(side, event));
  }

  #passes(what: string, flaw: string | undefined): boolean {
    if (flaw !== undefined) {
      this.#context.findings.addFault(t('{what}: {flaw}', { what, flaw }));
    }
    return flaw === undefined;
  }

  #flaw(event: NostrEvent, author: string): string | undefined {
    if (event.pubkey !== author) {
      return t('the event {id} is signed by {signer}, not by {author}', { id: event.id, signer: event.pubkey, author });
    } else if (isJob(event)) {
      return t('the event {id} has a tag of a NIP-90 job, so it is not chess', { id: event.id });
    }
    return this.#context.forgeryOf(event) ?? this.#context.timeline.outsideGame(event);
  }

  #flawOfRelay(event: NostrEvent): string | undefined {
    this.#ofPlayers.set(event.id, event);
    const relays = tagsNamed(event, 'relay').map((tag) => tag[1] ?? '');
    if (relays.length === 0 || relays.some((url) => this.#context.connected.contains(url))) {
      return undefined;
    }
    this.#byClaimedUrl++;
    return relays.some((url) => this.#context.claimed.contains(url))
      ? undefined
      : t('the event {id} was signed for another relay', { id: event.id });
  }

  #flawOfGame(event: NostrEvent): string | undefined {
    const { announcement } = this.#context;
    const isEphemeral = event.kind === EPHEMERAL;
    const game = isEphemeral ? firstTag(event, 'd') : rootOf(event);
    if (game !== undefined && game !== announcement.game) {
      return t('the event {id} was signed for another game', { id: event.id });
    } else if (isEphemeral && !tagsNamed(event, 'p').some((tag) => tag[1] === announcement.relay)) {
      return t('the event {id} was signed for another referee', { id: event.id });
    }
    this.#withoutGame += game === undefined ? 1 : 0;
    return undefined;
  }
}
