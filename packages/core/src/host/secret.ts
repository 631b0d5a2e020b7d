import { inspect } from 'node:util';
import { z } from 'zod';
import { mark } from './configuration/marks.js';

/** A secret value: it can be used, but not printed, logged or turned into JSON. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Give it to nothing that keeps or shows it. */
  reveal(): string {
    return this.#value;
  }

  get isSet(): boolean {
    return this.#value !== '';
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** A text of the configuration that is a {@link Secret}; empty by default. */
export const secret = () =>
  mark(z.union([z.instanceof(Secret), z.string().transform((text) => new Secret(text))]).default(() => new Secret('')), 'secret');
