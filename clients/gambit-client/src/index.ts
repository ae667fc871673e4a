export { GambitClient } from './client.js';
export type { ClientEvents, ClientOptions, Subscription } from './client-options.js';
export {
  DisconnectedError,
  GambitError,
  InviteEndedError,
  RefusedError,
  SignerError,
  TimeoutError,
} from './errors.js';
export { Game } from './game.js';
export type { GameEvents } from './game.js';
export type { SentInvite } from './invites.js';
export { isOpenedBy } from './link-secrets.js';
export { Lobby } from './lobby.js';
export type { LobbyEvents } from './lobby.js';
export type { Search } from './searches.js';
export { guestSigner, nip07Signer, nip46Signer } from './signers.js';
export type {
  GuestSigner,
  RemoteSigner,
  RemoteSignerOptions,
  Signer,
  WebSocketConstructor,
  WebSocketLike,
} from './signer.js';
export { parseTimeControl } from './time-control.js';
export { UNTIMED } from './time-control.js';
export type { TimeControl } from './time-control.js';
export type * from './types.js';
