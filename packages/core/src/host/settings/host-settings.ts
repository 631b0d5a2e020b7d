import type { ServiceIdentifier } from 'inversify';
import type { Caller } from '../../application/caller.js';
import type { ReadinessResult } from '../../contributions/readiness-check.js';
import type { SettingView } from './setting-view.js';
import type { SettingsRequest } from './settings-change.js';

/** A setting as admins see it, with what is known of its saved value. */
export interface CatalogueEntry extends SettingView {
  /** Milliseconds since the epoch; `null` where it is no secret, or never was saved here. */
  readonly lastRotatedAt: number | null;
}

/** The settings of a host that has a storage. */
export interface HostSettings {
  /** As they are saved now, by whichever server process. */
  catalogue(): Promise<readonly CatalogueEntry[]>;
  /**
   * Saves all of a request or nothing. What can take effect at once has done so in this process when it returns, and does
   * within seconds in the others.
   *
   * @throws {ApiError} `unknown_setting`, `validation_failed`, `conflict` where someone else changed one of the
   * same settings at the same time, `service_unavailable` where this server can't read what is saved.
   */
  change(request: SettingsRequest, caller: Pick<Caller, 'actor' | 'from'>): Promise<readonly CatalogueEntry[]>;
  /** How the saved settings fare, without their names: readiness is answered to anybody. */
  check(): ReadinessResult;
}

export const HostSettings: ServiceIdentifier<HostSettings> = Symbol.for('@countersign/core:HostSettings');
