/** Joining and leaving a relay that is for members: loaded where the relay is. */
export { JoinCard, JoinPage } from './JoinPage.js';
export { MembershipSection } from './MembershipSection.js';
