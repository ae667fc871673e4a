import { usePageTitle } from '../app/usePageTitle.js';

/** How to play here, and where things come from. */
export function HelpPage() {
  usePageTitle('Help');
  return (
    <div class="narrow">
      <h1>Help</h1>
    </div>
  );
}
