import { nativeImage, type NativeImage } from 'electron';
import { join } from 'node:path';
import { overlayIconName, trayIconName } from './icon-names.js';

/** The icon of the tray in the size of the platform. @param dark whether the desktop is */
export function trayIcon(count: number, dark: boolean): NativeImage {
  return picture(trayIconName(process.platform, count, dark));
}

/** The number for the corner of the button in the task bar of Windows. */
export function overlayIcon(count: number): NativeImage {
  return picture(overlayIconName(count));
}

/** With those for sharper screens, which have the same name with an ending such as `@2x`. The build draws them (`scripts/tray-icons.mjs`). */
function picture(name: string): NativeImage {
  return nativeImage.createFromPath(join(__dirname, `../icons/${name}.png`));
}
