import { useEffect } from 'preact/hooks';

/** Sets the title of the window as long as the component is rendered. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Gambit' : `${title} · Gambit`;
  }, [title]);
}
