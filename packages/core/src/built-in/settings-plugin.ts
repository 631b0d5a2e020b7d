import { LifecycleContribution } from '../contributions/lifecycle.js';
import { definePlugin } from '../host/define-plugin.js';
import { HostSettings } from '../host/settings/host-settings.js';
import { SavedSettings } from '../host/settings/saved-settings.js';
import { StoragePort } from '../ports/storage.js';

/** The settings that admins save, in a host that has a storage. They are followed before anything else that needs the storage starts. */
export const settingsPlugin = definePlugin({
  id: 'core:settings',
  dependsOn: [StoragePort],
  register({ bindDefault, contribute }) {
    bindDefault(HostSettings, SavedSettings);
    contribute(LifecycleContribution, SavedSettings);
  },
});
