import type { ServiceIdentifier } from 'inversify';

/** How a host is being started. */
export interface StartMode {
  /** Whether saved settings that take effect in a new host only stop the start, with `HostRebuildRequired`. */
  rebuild: boolean;
}

export const StartMode: ServiceIdentifier<StartMode> = Symbol.for('@countersign/core:StartMode');
