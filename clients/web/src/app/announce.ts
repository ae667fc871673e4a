const CLEARED_AFTER_MILLISECONDS = 5_000;

/**
 * Speaks to screen readers through the live regions of the page. The same text twice is spoken twice.
 *
 * @param urgency `assertive` interrupts: for what concerns the user's clock or connection
 */
export function announce(text: string, urgency: 'polite' | 'assertive' = 'polite'): void {
  const region = document.getElementById(`live-${urgency}`);
  if (!region) return;
  const line = document.createElement('p');
  line.textContent = text;
  region.replaceChildren(line);
  // Whoever reads the page from top to bottom later does not find old announcements at its end.
  setTimeout(() => line.remove(), CLEARED_AFTER_MILLISECONDS);
}
