import { brand, hasBrand } from '@countersign/model';
import { inspect } from 'node:util';
import { z } from 'zod';
import { annotate } from './configuration/schema-metadata.js';

/** What a secret was before it was rotated. */
export interface PreviousSecret {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

/** A secret value: it can be used, but not printed, logged or turned into JSON. */
export class Secret {
  readonly #value: string;
  readonly #previous: PreviousSecret | undefined;

  constructor(value: string, previous?: PreviousSecret) {
    this.#value = value;
    this.#previous = previous;
  }

  /** The value itself. Give it to nothing that keeps or shows it. */
  reveal(): string {
    return this.#value;
  }

  /**
   * What a signature may be made with: the value, and the one before for as long as it still holds after a rotation. None
   * where nothing is set: what is empty verifies nothing.
   *
   * @param now milliseconds since the epoch
   */
  accepted(now: number): readonly string[] {
    if (!this.isSet) return [];
    const previous = this.#previous;
    return previous !== undefined && previous.value !== '' && now < previous.validUntil
      ? [this.#value, previous.value]
      : [this.#value];
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

brand(Secret, 'Secret');

/** Whether this is a {@link Secret}, of any copy of this package: use this instead of `instanceof`. */
export function isSecretValue(value: unknown): value is Secret {
  return hasBrand(value, 'Secret');
}

/** A text of the configuration that is a {@link Secret}; empty by default. */
export const secret = () =>
  annotate(
    z
      .union([z.custom<Secret>(isSecretValue), z.string().transform((text) => new Secret(text))])
      .default(() => new Secret('')),
    { kind: 'secret' },
  );
