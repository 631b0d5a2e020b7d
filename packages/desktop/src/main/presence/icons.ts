import { nativeImage, type NativeImage } from 'electron';
import { join } from 'node:path';
import { getOverlayIconName, getTrayIconName } from './icon-names.js';

/**
 * Returns the tray icon in the platform's size.
 *
 * @param dark whether the desktop uses a dark theme
 */
export function loadTrayIcon(count: number, dark: boolean): NativeImage {
  return loadIcon(getTrayIconName(process.platform, count, dark));
}

/** Returns the number overlay for the task bar button on Windows. */
export function loadOverlayIcon(count: number): NativeImage {
  return loadIcon(getOverlayIconName(count));
}

/**
 * Loads an icon with its variants for high-density screens, which have a suffix such as `@2x`. The build creates the
 * files (`scripts/tray-icons.mjs`).
 */
function loadIcon(name: string): NativeImage {
  return nativeImage.createFromPath(join(__dirname, `../icons/${name}.png`));
}
