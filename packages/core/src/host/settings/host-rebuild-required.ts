import type { SavedSetting } from '../configuration/layers.js';

/** What is saved takes effect in a host that is put together with it. Caught by `startHost`. */
export class HostRebuildRequired extends Error {
  constructor(readonly saved: readonly SavedSetting[]) {
    super('The saved settings need the host to be put together again.');
    this.name = 'HostRebuildRequired';
  }
}
