/** The part of the page that verifies games; see `app/later.ts`. */
export { VerifyPanel } from './VerifyPanel.js';
