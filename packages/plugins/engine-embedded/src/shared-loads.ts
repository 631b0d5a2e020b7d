/** Shares loads that several callers need at the same time. */
export class SharedLoads<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  /**
   * Returns the result of `load`, or of a load of the same key in progress. If the load in progress fails, another one
   * is started, because the failed one may have read before this call.
   *
   * @param keep receives the loaded value, unless it was forgotten in the meantime
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

  /** Detaches a load in progress: later callers start a new load. */
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
