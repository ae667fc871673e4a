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
}
