/** Shares loads that several callers need at the same time. */
export class SharedLoads<T> {
  private readonly inFlight = new Map<string, Promise<T>>();

  /**
   * Returns the result of `load`, or of a load of the same key in progress. If the load in progress fails, another one
   * is started, because its failure may reflect a state from before this call.
   *
   * @param onLoaded called with the loaded value if this call started the load and it was not forgotten meanwhile
   */
  async share(key: string, load: () => Promise<T>, onLoaded: (loaded: T) => void): Promise<T> {
    const loadInProgress = this.inFlight.get(key);
    if (loadInProgress === undefined) return this.startLoad(key, load, onLoaded);
    try {
      return await loadInProgress;
    } catch {
      return this.inFlight.get(key) ?? this.startLoad(key, load, onLoaded);
    }
  }

  /** Detaches a load in progress: later callers start a new load. */
  forget(key: string): void {
    this.inFlight.delete(key);
  }

  forgetAll(): void {
    this.inFlight.clear();
  }

  private startLoad(key: string, load: () => Promise<T>, onLoaded: (loaded: T) => void): Promise<T> {
    const isCurrent = (): boolean => this.inFlight.get(key) === loading;
    const loading: Promise<T> = load()
      .then((loaded) => {
        if (isCurrent()) onLoaded(loaded);
        return loaded;
      })
      .finally(() => {
        if (isCurrent()) this.inFlight.delete(key);
      });
    this.inFlight.set(key, loading);
    return loading;
  }
}
