import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ZoomStep } from '../../common/zoom.js';

interface MenuOptions {
  readonly development: boolean;
  zoom(step: ZoomStep): void;
  showNotices(): void;
  /** Omitted if no update source is configured. */
  readonly checkForUpdates?: (() => void) | undefined;
}

/** Installs the application menu with the standard entries for editing, zoom and windows. */
export function installMenu({ development, zoom, showNotices, checkForUpdates }: MenuOptions): void {
  const createZoomItem = (
    label: string,
    step: ZoomStep,
    accelerator: string,
    extraOptions: Partial<MenuItemConstructorOptions> = {},
  ): MenuItemConstructorOptions => ({
    label,
    accelerator: `CommandOrControl+${accelerator}`,
    click: () => zoom(step),
    ...extraOptions,
  });
  /** Options of hidden items: additional keys for zooming, without Shift or on the numeric keypad. */
  const hiddenItemOptions = { visible: false, acceleratorWorksWhenHidden: true };
  const view: MenuItemConstructorOptions[] = [
    createZoomItem('Actual size', 'reset', '0'),
    createZoomItem('Zoom in', 'in', 'Plus'),
    createZoomItem('Zoom out', 'out', '-'),
    createZoomItem('Zoom in', 'in', '=', hiddenItemOptions),
    createZoomItem('Zoom in', 'in', 'numadd', hiddenItemOptions),
    createZoomItem('Zoom out', 'out', 'numsub', hiddenItemOptions),
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const developmentItems: MenuItemConstructorOptions[] = development
    ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
    : [];
  const help: MenuItemConstructorOptions[] = [
    ...(checkForUpdates === undefined ? [] : [{ label: 'Check for updates…', click: checkForUpdates }]),
    { label: 'Third-party notices', click: showNotices },
    // On macOS, this entry is in the application menu.
    ...(process.platform === 'darwin' ? [] : [{ role: 'about' } as const]),
  ];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { label: '&File', submenu: [process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' }] },
      { role: 'editMenu' },
      { label: '&View', submenu: [...view, ...developmentItems] },
      { role: 'windowMenu' },
      { label: '&Help', submenu: help },
    ]),
  );
}
