import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How updates are handled. `off`: not at all, because no source is configured. `tells`: the user is notified and
 * installs the update as they installed this version. `installs`: the update is loaded, its signature is verified, and
 * it is installed when the user confirms.
 */
export type UpdateMode = 'off' | 'tells' | 'installs';

/**
 * Determined by the file that packaging has put next to the application (`app-update.yml`), and by no later setting.
 *
 * Only signed updates are installed. macOS verifies the signature itself; on Windows electron-updater does, if the file
 * names the publisher; on Linux nothing does.
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
