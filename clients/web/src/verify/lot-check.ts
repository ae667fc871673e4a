/** Checks that the colours of a game follow from its lot, and that from a published chain. */
import { isLotFollowed, isLotOfChain, parseLot } from 'gambit-client';
import { LOTS, type NostrEvent, firstTag, tagsNamed } from './events.js';
import type { Findings } from './findings.js';
import type { ForgeryCheck } from './signatures.js';

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
    findings.addFault('The lot of the announcement is malformed');
    return;
  }
  if (!isLotFollowed(lot)) {
    findings.addFault('The colours are not those of the lot');
  }
  if (!chain) {
    findings.addMissing(`Chain ${lot.chain} of lots is missing: nothing proves the colours`);
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
      ? 'is another one'
      : chain.created_at > announcement.created_at
        ? 'is younger than the game'
        : isLotOfChain(lot, firstTag(chain, 'lot') ?? '')
          ? undefined
          : `does not have the lot at position ${lot.position}`);
  if (flaw === undefined) {
    findings.addAttested(
      `That it has published chain ${lot.chain} of lots before it knew the players; the colours are those of its lot ${lot.position}.`,
    );
  } else {
    findings.addFault(`Chain ${lot.chain} of lots: the event ${chain.id} ${flaw}`);
  }
}
