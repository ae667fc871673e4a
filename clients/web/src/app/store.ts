import { useEffect, useReducer } from 'preact/hooks';

/** A list of listeners that are called after a change. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * Renders the component again after each notification of `source`.
 *
 * @param subscribe registers a listener and returns the function that removes it
 * @param source the object that notifies; another one is subscribed to in its place
 */
export function useNotifications(subscribe: (listener: () => void) => () => void, source: unknown): void {
  const [, render] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    const unsubscribe = subscribe(() => render());
    // A change between rendering and this effect was missed.
    render();
    return unsubscribe;
  }, [source]);
}
