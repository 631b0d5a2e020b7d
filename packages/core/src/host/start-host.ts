import type { SavedSetting } from './configuration/configuration-layers.js';
import type { Host } from './assemble-host.js';
import { HostStartError, isHostStartError } from '../errors/host-start-error.js';
import { HostRebuildRequired } from './settings/host-rebuild-required.js';

/**
 * Maximum number of rebuilds, because settings may change again during a rebuild. After that, remaining changes wait
 * for the next start.
 */
const MAX_REBUILDS = 3;

/**
 * Starts a host with the settings that admins saved. The settings are in the database, so the host is first assembled
 * without them. If one of them requires a new host, the host is stopped as soon as its storage has started, and
 * assembled again with the settings.
 *
 * @param compose builds a host from its layers of configuration, including `saved`
 * @throws {HostStartError} if the host cannot be assembled or started
 */
export async function startHost(compose: (saved: readonly SavedSetting[]) => Host | Promise<Host>): Promise<Host> {
  let saved: readonly SavedSetting[] = [];
  for (let rebuilds = 0; ; rebuilds += 1) {
    const host = await composeWithHint(compose, saved);
    try {
      await host.start({ rebuild: rebuilds < MAX_REBUILDS });
      return host;
    } catch (error) {
      if (!(error instanceof HostRebuildRequired)) throw error;
      saved = error.saved;
    }
  }
}

async function composeWithHint(
  compose: (saved: readonly SavedSetting[]) => Host | Promise<Host>,
  saved: readonly SavedSetting[],
): Promise<Host> {
  try {
    return await compose(saved);
  } catch (error) {
    if (saved.length === 0 || !isHostStartError(error)) throw error;
    const keys = saved.map(({ key }) => key).join(', ');
    const message = `This configuration includes saved settings: ${keys}. To start without one of them, use --set Settings:Ignore=KEY; to start without any of them, use --set Settings:Ignore=*.`;
    throw new HostStartError([...error.problems, { code: 'saved_settings', message }]);
  }
}
