import { useEffect, useRef } from 'preact/hooks';

/** How long a new page may take to show its heading and receive the focus there. */
const LATE_HEADING_MILLISECONDS = 10_000;

/**
 * After a change of page the focus is on the new page's heading, as after loading a page, and the
 * heading is the title of the window. The first page leaves the focus where the browser has put it.
 */
export function useFocusOnNewPage(href: string, main: { current: HTMLElement | null }): void {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    const page = main.current;
    if (!page) return;
    focusHeading(page);
    // A page that has to ask the relay first gets its heading, or another one, later.
    const observer = new MutationObserver(() => {
      if (document.activeElement === page || document.activeElement === document.body) focusHeading(page);
    });
    observer.observe(page, { childList: true, subtree: true });
    const stop = setTimeout(() => observer.disconnect(), LATE_HEADING_MILLISECONDS);
    return () => {
      clearTimeout(stop);
      observer.disconnect();
    };
  }, [href]);
}

function focusHeading(page: HTMLElement): void {
  const heading = page.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  (heading ?? page).focus({ preventScroll: true });
}
