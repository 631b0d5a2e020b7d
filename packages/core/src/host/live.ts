/** A value that may change while the server runs, such as a part of the configuration with reloadable settings. */
export interface Live<T> {
  /** The current value. Read it at each use and do not store it. */
  readonly current: T;
  /**
   * Calls the listener after each change.
   *
   * @returns a function that removes the listener
   */
  onChange(listener: (value: T) => void): () => void;
}

/** A {@link Live} value that can be changed. */
export class LiveValue<T> implements Live<T> {
  readonly #listeners = new Set<(value: T) => void>();
  #current: T;

  constructor(initial: T) {
    this.#current = initial;
  }

  get current(): T {
    return this.#current;
  }

  onChange(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(value: T): void {
    this.#current = value;
    for (const listener of this.#listeners) listener(value);
  }
}
