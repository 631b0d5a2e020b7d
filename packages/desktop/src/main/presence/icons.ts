import { nativeImage, type NativeImage } from 'electron';
import { join } from 'node:path';
import { overlayIconName, trayIconName } from './icon-names.js';

/**
 * Returns the tray icon in the platform's size.
 *
 * @param dark whether the desktop uses a dark theme
 */
export function trayIcon(count: number, dark: boolean): NativeImage {
  return loadIcon(trayIconName(process.platform, count, dark));
}

/** Returns the number overlay for the task bar button on Windows. */
export function overlayIcon(count: number): NativeImage {
  return loadIcon(overlayIconName(count));
}

/**
 * Includes the variants for high-density screens, which have a suffix such as `@2x`. The build draws them
 * (`scripts/tray-icons.mjs`).
 */
function loadIcon(name: string): NativeImage {
  return nativeImage.createFromPath(join(__dirname, `../icons/${name}.png`));
}
