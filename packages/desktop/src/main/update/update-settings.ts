import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Handling of updates. `off`: no updates, because no source is configured. `tells`: the user is notified and installs
 * the update as they installed this version. `installs`: the update is downloaded, its signature is verified, and it is
 * installed when the user confirms or quits the application.
 */
export type UpdateMode = 'off' | 'tells' | 'installs';

/**
 * Reads the update mode from the file that packaging has placed next to the application (`app-update.yml`). No setting
 * can change it.
 *
 * Only signed updates are installed. macOS verifies the signature itself; on Windows electron-updater does, if the file
 * names the publisher; on Linux signatures are not verified.
 */
export function readUpdateMode(resources: string, platform: NodeJS.Platform): UpdateMode {
  let file: string;
  try {
    file = readFileSync(join(resources, 'app-update.yml'), 'utf8');
  } catch {
    return 'off';
  }
  if (platform === 'darwin') return 'installs';
  return platform === 'win32' && /^publisherName:(?:[ \t]*\S|[ \t]*\n[ \t]*-[ \t]*\S)/m.test(file)
    ? 'installs'
    : 'tells';
}
