/** Lots that decide colours, which the relay cannot choose (docs/protocol/ratings.md). */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';

/** The lot of a game, from the `lot` tag of its `gameisfound`. */
export interface Lot {
  readonly chain: number;
  /** From 1 to 4,096. */
  readonly position: number;
  /** The revealed value, in hex. */
  readonly value: string;
  /** The ids of the events by which White and Black came to the game. */
  readonly white: string;
  readonly black: string;
}

/** The number of values that a chain reveals. */
const CHAIN_LENGTH = 4096;

/** Reads a tag; undefined if it is malformed. */
export function parseLot(tag: readonly string[]): Lot | undefined {
  const [, chain = '', position = '', value = '', white = '', black = ''] = tag;
  const isWellFormed =
    tag.length === 6 &&
    [chain, position].every((number) => /^[1-9][0-9]{0,8}$/.test(number)) &&
    [value, white, black].every((hash) => /^[0-9a-f]{64}$/.test(hash)) &&
    Number(position) <= CHAIN_LENGTH;
  return isWellFormed
    ? { chain: Number(chain), position: Number(position), value, white, black }
    : undefined;
}

/** Whether the value gives White to the author of White's event. */
export function isLotFollowed({ value, white, black }: Lot): boolean {
  const [smaller, larger] = white < black ? [white, black] : [black, white];
  const hash = sha256(concatBytes(hexToBytes(value), hexToBytes(smaller), hexToBytes(larger)));
  return (hash[0]! < 128) === (smaller === white);
}

/** Whether the value is the one at its position of the chain with a published value, in hex. */
export function isLotOfChain({ value, position }: Lot, published: string): boolean {
  let hash = hexToBytes(value);
  for (let i = 0; i < position; i++) {
    hash = sha256(hash);
  }
  return bytesToHex(hash) === published;
}
