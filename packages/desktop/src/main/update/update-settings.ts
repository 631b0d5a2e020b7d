import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What is done about new versions. `off`: nothing, as nobody has said where they come from. `tells`: the person is told of one, and
 * gets it as they got this one. `installs`: it is loaded, its signature is verified, and it is installed when the person says so.
 */
export type UpdateMode = 'off' | 'tells' | 'installs';

/**
 * By the file that packing has put beside the application (`app-update.yml`), and by nothing that is set afterwards.
 *
 * Only what is signed is installed. macOS verifies that by itself; on Windows electron-updater does, as soon as the file names
 * the publisher, and on Linux nothing does.
 */
export function updateMode(resources: string, platform: NodeJS.Platform): UpdateMode {
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
