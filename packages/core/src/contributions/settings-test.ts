import { brand, hasBrand } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';

/** Tests that a group of settings works: `POST /api/settings/tests/{target}`. */
export interface SettingsTestContribution {
  /**
   * Name of the group of settings in lower case with hyphens, for example `event-ingress`. Several contributions may
   * share a target.
   */
  readonly target: string;
  /** Returns the checks for the current settings. */
  checks(): readonly SettingsTestCheck[];
}

export const SettingsTestContribution: ServiceIdentifier<SettingsTestContribution> = Symbol.for(
  '@countersign/core:SettingsTestContribution',
);

export interface SettingsTestCheck {
  /** Display name of the check. */
  readonly name: string;
  /**
   * Performs the check without changing anything.
   *
   * @returns a description of the result
   * @throws {SettingsTestFailure} if the check fails; its message is displayed, as are those of `ApiError`,
   *   `StartupError` and `OutboundHttpError`. Of any other error, only the code is displayed.
   */
  run(): Promise<string>;
}

/** Thrown when a check fails. Admins see the message, so it must not contain secrets. */
export class SettingsTestFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SettingsTestFailure';
  }
}

brand(SettingsTestFailure, 'SettingsTestFailure');

/**
 * Returns whether a value is a {@link SettingsTestFailure} of any copy of this package. Use this instead of
 * `instanceof`.
 */
export function isSettingsTestFailure(value: unknown): value is SettingsTestFailure {
  return hasBrand(value, 'SettingsTestFailure');
}
