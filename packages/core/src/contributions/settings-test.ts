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
   * @throws what went wrong: the message of a {@link CountersignError} is shown, of anything else only its code.
   */
  run(): Promise<string>;
}
