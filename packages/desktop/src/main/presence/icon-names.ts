/**
 * Returns the name of the tray icon.
 *
 * @param dark whether the desktop uses a dark theme
 */
export function getTrayIconName(platform: NodeJS.Platform, count: number, dark: boolean): string {
  // Electron treats images with this suffix as template images, which macOS colours for its menu bar. The number is
  // shown next to the icon.
  if (platform === 'darwin') return 'trayTemplate';
  return `${platform === 'win32' ? 'tray' : 'panel'}-${dark ? 'on-dark' : 'on-light'}${countSuffix(count)}`;
}

/** @param count at least 1 */
export function getOverlayIconName(count: number): string {
  return `badge${countSuffix(count)}`;
}

/**
 * Returns the suffix for a number. An icon has room for one digit, so all numbers above nine share the suffix `-more`.
 */
function countSuffix(count: number): string {
  if (count <= 0) return '';
  return count > 9 ? '-more' : `-${count}`;
}
