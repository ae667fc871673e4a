export { GambitClient } from './client.js';
export type { ClientEvents, ClientOptions, Rules, Subscription } from './client-options.js';
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
export { isFor, parseContent, parseStart } from './kind30.js';
export type { Start } from './kind30.js';
export { Lobby } from './lobby.js';
export type { LobbyEvents } from './lobby.js';
export { isLotFollowed, isLotOfChain, parseLot } from './lots.js';
export type { Lot } from './lots.js';
export { deviationAt, INITIAL_RATING, ratingAfter } from './ratings.js';
export type { Rating } from './ratings.js';
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
export { leaderboards, playerRatings, ratingHistory, ratingIn } from './player-ratings.js';
export type { Leader, PlayerRating } from './player-ratings.js';
export { CATEGORIES } from './rated-tags.js';
export { categoryOf, parseTimeControl, UNTIMED } from './time-control.js';
export type { TimeControl } from './time-control.js';
export type * from './types.js';
