/** Which picture the tray shows. @param dark whether the desktop is */
export function trayIconName(platform: NodeJS.Platform, count: number, dark: boolean): string {
  // Electron takes the ending for a template, to which macOS gives the colour of its menu bar; the number stands beside it.
  if (platform === 'darwin') return 'trayTemplate';
  return `${platform === 'win32' ? 'tray' : 'panel'}-${dark ? 'on-dark' : 'on-light'}${ending(count)}`;
}

/** @param count at least 1 */
export function overlayIconName(count: number): string {
  return `badge${ending(count)}`;
}

/** An icon has room for one figure: above nine it says that there are more. */
function ending(count: number): string {
  if (count <= 0) return '';
  return count > 9 ? '-more' : `-${count}`;
}
