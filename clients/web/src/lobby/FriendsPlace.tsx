import { load, save } from '../app/storage.js';
import { isMadeHere, keepsKey, type Identity } from '../identity/identity.js';

const KEY = 'friends';

/** The place of the friends until they are loaded, for who had some the last time: nothing moves. */
export function FriendsPlace() {
  return load(KEY) === undefined ? null : <div class="lobby-friends" />;
}

export function rememberFriends(hasSome: boolean): void {
  save(KEY, hasSome ? '1' : undefined);
}

/** Whether a player can have friends: a guest whose key only this browser knows has found them in it, or nowhere. */
export function mayHaveFriends(identity: Identity): boolean {
  return keepsKey(identity) || (identity.method === 'guest' && !isMadeHere(identity.signer)) || load(KEY) !== undefined;
}
