import type { SavedSetting } from '../configuration/configuration-layers.js';

/** Thrown when saved settings require a host that is assembled with them. Caught by `startHost`. */
export class HostRebuildRequired extends Error {
  constructor(readonly saved: readonly SavedSetting[]) {
    super('The saved settings require the host to be assembled again.');
    this.name = 'HostRebuildRequired';
  }
}
