/** Listeners for changes, with the `subscribe` function that `useSyncExternalStore` requires. */
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
