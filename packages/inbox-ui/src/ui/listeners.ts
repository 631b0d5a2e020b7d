/** Listeners for changes, in the form that `useSyncExternalStore` needs. */
export class Listeners {
  private readonly all = new Set<() => void>();

  /** @returns a function that unsubscribes */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.all.add(listener);
    return () => this.all.delete(listener);
  };

  notify(): void {
    for (const listener of [...this.all]) listener();
  }
}
