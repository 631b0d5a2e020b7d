/** Those who hear of each change of something, as `useSyncExternalStore` wants them. */
export class Listeners {
  private readonly all = new Set<() => void>();

  /** @returns ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.all.add(listener);
    return () => this.all.delete(listener);
  };

  notify(): void {
    for (const listener of [...this.all]) listener();
  }
}
