/** Checks that the colours of a game follow from its lot, and that from a published chain. */
import { isLotFollowed, isLotOfChain, parseLot } from 'gambit-client';
import { LOTS, type NostrEvent, firstTag, tagsNamed } from './events.js';
import type { Findings } from './findings.js';
import type { ForgeryCheck } from './signatures.js';
import { t } from '../language/t.js';

/** Adds what is wrong with the lot of a game that has one, or what its chain proves. */
export function checkLot(
  announcement: NostrEvent,
  chain: NostrEvent | undefined,
  forgeryOf: ForgeryCheck,
  findings: Findings,
): void {
  const [tag, second] = tagsNamed(announcement, 'lot');
  if (!tag) {
    return;
  }
  const lot = second ? undefined : parseLot(tag);
  if (!lot) {
    findings.addFault(t('The lot of the announcement is malformed'));
    return;
  }
  if (!isLotFollowed(lot)) {
    findings.addFault(t('The colours are not those of the lot'));
  }
  if (!chain) {
    findings.addMissing(t('Chain {chain} of lots is missing: nothing proves the colours', { chain: lot.chain }));
    return;
  }
  const forgery = forgeryOf(chain);
  const isAnother =
    chain.kind !== LOTS ||
    chain.pubkey !== announcement.pubkey ||
    firstTag(chain, 'd') !== `${lot.chain}`;
  const flaw =
    forgery ??
    (isAnother
      ? t('the event {id} is another one', { id: chain.id })
      : chain.created_at > announcement.created_at
        ? t('the event {id} is younger than the game', { id: chain.id })
        : isLotOfChain(lot, firstTag(chain, 'lot') ?? '')
          ? undefined
          : t('the event {id} does not have the lot at position {position}', { id: chain.id, position: lot.position }));
  if (flaw === undefined) {
    findings.addAttested(
      t('That it has published chain {chain} of lots before it knew the players; the colours are those of its lot {position}.', {
        chain: lot.chain,
        position: lot.position,
      }),
    );
  } else {
    findings.addFault(t('Chain {chain} of lots: {flaw}', { chain: lot.chain, flaw }));
  }
}
