const CLEARED_AFTER_MILLISECONDS = 5_000;

/**
 * Announces a text to screen readers through the live regions of the page. A repeated text is announced again.
 *
 * @param urgency `assertive` interrupts other speech: for the user's clock and connection
 */
export function announce(text: string, urgency: 'polite' | 'assertive' = 'polite'): void {
  const region = document.getElementById(`live-${urgency}`);
  if (!region) return;
  const line = document.createElement('p');
  line.textContent = text;
  region.replaceChildren(line);
  // Otherwise a user who reads the page to its end finds old announcements there.
  setTimeout(() => line.remove(), CLEARED_AFTER_MILLISECONDS);
}
