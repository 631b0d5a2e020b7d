import type { ServiceIdentifier } from 'inversify';
import type { Caller } from '../../application/caller.js';
import type { ReadinessResult } from '../../contributions/readiness-check.js';
import type { SettingView } from './setting-view.js';
import type { SettingsRequest } from './plan-settings-change.js';

/** A setting as shown to admins, with information about its saved value. */
export interface CatalogueEntry extends SettingView {
  /** Time of the last rotation, in ms since the epoch; `null` if the setting is not a secret or has no saved value. */
  readonly lastRotatedAt: number | null;
}

/** The settings of a host with storage. */
export interface HostSettings {
  /** Returns all settings in their current state, whichever server process saved them. */
  getCatalogue(): Promise<readonly CatalogueEntry[]>;
  /**
   * Saves a request completely or not at all. When this method returns, reloadable settings have taken effect in this
   * process; in other processes they do so within seconds.
   *
   * @throws {ApiError} `unknown_setting`, `validation_failed`, `conflict` if another admin changed one of the same
   * settings concurrently, `service_unavailable` if this server cannot read the saved settings
   */
  change(request: SettingsRequest, caller: Pick<Caller, 'actor' | 'from'>): Promise<readonly CatalogueEntry[]>;
  /** Returns the readiness of the saved settings, without their names, because anyone may read readiness. */
  check(): ReadinessResult;
}

export const HostSettings: ServiceIdentifier<HostSettings> = Symbol.for('@countersign/core:HostSettings');
