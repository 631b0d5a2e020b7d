import { parseUrl } from '@countersign/model';
import type { ClockPort } from '../../ports/clock.js';
import type { KnownSecrets } from '../../ports/known-secrets.js';
import { isSecretValue, type Secret } from '../secret.js';
import type { LiveConfiguration } from './live-configuration.js';

/**
 * The values of all secrets of the configuration, including previous values that are still accepted after a rotation.
 */
export class ConfiguredSecrets implements KnownSecrets {
  readonly #configuration: LiveConfiguration;
  readonly #clock: ClockPort;
  #values: readonly string[] | undefined;

  constructor(configuration: LiveConfiguration, clock: ClockPort) {
    this.#configuration = configuration;
    this.#clock = clock;
    for (const part of configuration.getLiveValues()) {
      part.onChange(() => {
        this.#values = undefined;
      });
    }
  }

  get current(): readonly string[] {
    this.#values ??= this.#collect();
    return this.#values;
  }

  #collect(): readonly string[] {
    const values = new Set<string>();
    for (const part of this.#configuration.getLiveValues()) {
      for (const secret of collectSecrets(part.current)) {
        for (const value of secret.acceptedValues(this.#clock.now())) {
          values.add(value);
          for (const password of extractPasswords(value)) values.add(password);
        }
      }
    }
    return [...values];
  }
}

function* collectSecrets(value: unknown): Generator<Secret> {
  if (isSecretValue(value)) yield value;
  else if (Array.isArray(value)) for (const item of value.values()) yield* collectSecrets(item);
  else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    for (const item of Object.values(value)) yield* collectSecrets(item);
}

/**
 * Returns the password in a connection string, as written and decoded, because it may also appear without the string.
 */
function extractPasswords(value: string): string[] {
  const { password = '' } = parseUrl(value) ?? {};
  if (password === '') return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
