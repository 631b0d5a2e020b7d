/** Listeners for changes, in the form that `useSyncExternalStore` needs. */
export class Listeners {
  private readonly listeners = new Set<() => void>();

  /** @returns a function that unsubscribes */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
