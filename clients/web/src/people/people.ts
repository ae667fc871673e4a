/** The part of the page about keys, friends and other players, which is loaded after the first load. */
export { FollowButton } from './FollowButton.js';
export { FriendsSection } from './FriendsSection.js';
export { KeyPage, LockedPage } from './KeyPage.js';
export { PlayersPage } from './PlayersPage.js';
export { Protection } from './Protection.js';
