/** A value that may change while the server runs, such as a part of the configuration whose settings an admin may save. */
export interface Live<T> {
  /** As of now. Read it where it is needed, and don't keep it. */
  readonly current: T;
  /** Tells after each change. @returns what ends that */
  onChange(listener: (value: T) => void): () => void;
}

/** A {@link Live} value and the way to change it. */
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
