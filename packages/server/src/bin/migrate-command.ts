import { LifecycleContribution } from '@countersign/core';
import { composeHost } from './compose-host.js';
import { loadConfigurationLayers, type ConfigurationOptions } from './configuration-options.js';

/** Starts the storage, which migrates the database, and stops it. */
export async function migrate(options: ConfigurationOptions): Promise<void> {
  const host = await composeHost(await loadConfigurationLayers(options));
  const [storage] = host.getAll(LifecycleContribution);
  if (storage === undefined) throw new Error('the storage plugin has no lifecycle');
  await storage.start();
  await storage.stop();
  process.stdout.write('The database is up to date.\n');
}
