/** The part of the page about ratings, which is loaded after the first load. */
export { LeaderboardsPage } from './LeaderboardsPage.js';
export { PlayerRatings } from './PlayerRatings.js';
export { checkRatingsOf, withRatings } from './rating-check.js';
