const CLEARED_AFTER_MILLISECONDS = 5_000;

/** The most announcements that stand at once; beyond that, the oldest is removed. */
const MAX_LINES = 8;

/**
 * Announces a text to screen readers through the live regions of the page. A repeated text is announced again.
 * Texts of one moment are all announced, in order.
 *
 * @param urgency `assertive` interrupts other speech: for the user's clock and connection
 */
export function announce(text: string, urgency: 'polite' | 'assertive' = 'polite'): void {
  const region = document.getElementById(`live-${urgency}`);
  if (!region) return;
  const line = document.createElement('p');
  line.textContent = text;
  if (region.childElementCount >= MAX_LINES) region.firstElementChild?.remove();
  region.append(line);
  // Otherwise a user who reads the page to its end finds old announcements there.
  setTimeout(() => line.remove(), CLEARED_AFTER_MILLISECONDS);
}
