import { useEffect, useRef, useState } from 'preact/hooks';

/** How far below the window something counts as visible already. */
const MARGIN = '200px';

/** Whether an element has been visible: what takes time to draw is drawn then. */
export function useVisible<Kind extends Element>(): { element: { current: Kind | null }; visible: boolean } {
  const element = useRef<Kind>(null);
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setVisible(true);
          observer.disconnect();
        }
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return { element, visible };
}
