import { brand, hasBrand } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';

/** Tries what some settings are for: `POST /api/settings/tests/{target}`. */
export interface SettingsTestContribution {
  /** In small letters and hyphens, for example `event-ingress`. Several contributions may try one target. */
  readonly target: string;
  /** With the settings as they are now. */
  checks(): readonly SettingsTestCheck[];
}

export const SettingsTestContribution: ServiceIdentifier<SettingsTestContribution> = Symbol.for(
  '@countersign/core:SettingsTestContribution',
);

export interface SettingsTestCheck {
  /** What is tried, for people. */
  readonly name: string;
  /**
   * Really tries it, and changes nothing.
   *
   * @returns what was found.
   * @throws {SettingsTestFailure} whose message is shown. Of errors of drivers and libraries only the code is shown.
   */
  run(): Promise<string>;
}

/** What a check found wrong. Admins see the message, so it holds no secrets. */
export class SettingsTestFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SettingsTestFailure';
  }
}

brand(SettingsTestFailure, 'SettingsTestFailure');

/** Whether this is a {@link SettingsTestFailure}, of any copy of this package: use this instead of `instanceof`. */
export function isSettingsTestFailure(value: unknown): value is SettingsTestFailure {
  return hasBrand(value, 'SettingsTestFailure');
}
