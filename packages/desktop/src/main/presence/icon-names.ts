/**
 * Returns the name of the tray icon.
 *
 * @param dark whether the desktop uses a dark theme
 */
export function trayIconName(platform: NodeJS.Platform, count: number, dark: boolean): string {
  // Electron treats this suffix as a template image, which macOS colours for its menu bar; the number is next to it.
  if (platform === 'darwin') return 'trayTemplate';
  return `${platform === 'win32' ? 'tray' : 'panel'}-${dark ? 'on-dark' : 'on-light'}${countSuffix(count)}`;
}

/** @param count at least 1 */
export function overlayIconName(count: number): string {
  return `badge${countSuffix(count)}`;
}

/** An icon has room for one digit: above nine it shows that there are more. */
function countSuffix(count: number): string {
  if (count <= 0) return '';
  return count > 9 ? '-more' : `-${count}`;
}
