/** What several callers want at once is loaded once for all of them. */
export class SharedLoads<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  /**
   * What `load` gives, or a load of the same key that is under way. Where that one fails, another one is begun: it may have
   * looked before this caller came.
   *
   * @param keep takes what was loaded, unless it was forgotten in the meantime
   */
  async share(key: string, load: () => Promise<T>, keep: (loaded: T) => void): Promise<T> {
    const others = this.underWay.get(key);
    if (others === undefined) return this.begin(key, load, keep);
    try {
      return await others;
    } catch {
      return this.underWay.get(key) ?? this.begin(key, load, keep);
    }
  }

  /** Whoever comes from now on gets what is loaded from now on. */
  forget(key: string): void {
    this.underWay.delete(key);
  }

  forgetAll(): void {
    this.underWay.clear();
  }

  private begin(key: string, load: () => Promise<T>, keep: (loaded: T) => void): Promise<T> {
    const isCurrent = (): boolean => this.underWay.get(key) === loading;
    const loading: Promise<T> = load()
      .then((loaded) => {
        if (isCurrent()) keep(loaded);
        return loaded;
      })
      .finally(() => {
        if (isCurrent()) this.underWay.delete(key);
      });
    this.underWay.set(key, loading);
    return loading;
  }
}
