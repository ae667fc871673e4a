/** The part of the page with lists of games, which is loaded after the first load. */
export { DownloadGames } from './DownloadGames.js';
export { GameRecords } from './GameRecords.js';
export { LiveBoards } from './LiveBoards.js';
export { WatchPage } from './WatchPage.js';
