import { brand, hasBrand } from '@countersign/model';
import { inspect } from 'node:util';
import { z } from 'zod';
import { annotate } from './configuration/schema-metadata.js';

/** The value of a secret before its rotation. */
export interface PreviousSecret {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly validUntil: number;
}

/** A secret value. It can be used, but not printed, logged or converted to JSON. */
export class Secret {
  readonly #value: string;
  readonly #previous: PreviousSecret | undefined;

  constructor(value: string, previous?: PreviousSecret) {
    this.#value = value;
    this.#previous = previous;
  }

  /** Returns the plain value. Do not pass it to anything that stores or displays it. */
  reveal(): string {
    return this.#value;
  }

  /**
   * Returns the values that verify a signature: the current value and, until it expires after a rotation, the previous
   * one. Returns none if no value is set, because an empty secret verifies nothing.
   *
   * @param now milliseconds since the epoch
   */
  acceptedValues(now: number): readonly string[] {
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

/** Returns whether a value is a {@link Secret} of any copy of this package. Use this instead of `instanceof`. */
export function isSecretValue(value: unknown): value is Secret {
  return hasBrand(value, 'Secret');
}

/** Schema of a string in the configuration that is parsed as a {@link Secret}; empty by default. */
export const secret = () =>
  annotate(
    z
      .union([z.custom<Secret>(isSecretValue), z.string().transform((text) => new Secret(text))])
      .default(() => new Secret('')),
    { kind: 'secret' },
  );
