/** Listeners by event name. A listener that throws does not affect the others. */
export class Emitter<Events extends { [K in keyof Events]: unknown[] }> {
  readonly #listeners: { [K in keyof Events]?: Set<(...values: Events[K]) => void> } = {};

  /** Adds a listener, and returns the function that removes it. */
  on<K extends keyof Events>(type: K, listener: (...values: Events[K]) => void): () => void {
    const listeners = (this.#listeners[type] ??= new Set<(...values: Events[K]) => void>());
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** Calls the listeners of an event. */
  protected emit<K extends keyof Events>(type: K, ...values: Events[K]): void {
    for (const listener of [...(this.#listeners[type] ?? [])]) {
      try {
        listener(...values);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
