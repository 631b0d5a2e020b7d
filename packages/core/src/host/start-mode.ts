import type { ServiceIdentifier } from 'inversify';

/** The mode in which a host starts. */
export interface StartMode {
  /** Whether saved settings that require a new host abort the start with `HostRebuildRequired`. */
  mayRebuild: boolean;
}

export const StartMode: ServiceIdentifier<StartMode> = Symbol.for('@countersign/core:StartMode');
