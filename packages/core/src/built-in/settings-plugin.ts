import { LifecycleContribution } from '../contributions/lifecycle.js';
import { definePlugin } from '../host/define-plugin.js';
import { HostSettings } from '../host/settings/host-settings.js';
import { SavedSettings } from '../host/settings/saved-settings.js';
import { StoragePort } from '../ports/storage.js';

/** Settings saved by admins, in a host with storage. Starts before everything else that needs the storage. */
export const settingsPlugin = definePlugin({
  id: 'core:settings',
  dependsOn: [StoragePort],
  register({ bindDefault, contribute }) {
    bindDefault(HostSettings, SavedSettings);
    contribute(LifecycleContribution, SavedSettings);
  },
});
