import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ZoomStep } from '../../common/zoom.js';

interface MenuOptions {
  readonly development: boolean;
  zoom(step: ZoomStep): void;
  showNotices(): void;
  /** Omitted if no update source is configured. */
  readonly lookForUpdates?: (() => void) | undefined;
}

/** Installs the application menu with the standard entries for editing, zoom and windows. */
export function installMenu({ development, zoom, showNotices, lookForUpdates }: MenuOptions): void {
  const zooms = (
    label: string,
    step: ZoomStep,
    accelerator: string,
    more: Partial<MenuItemConstructorOptions> = {},
  ): MenuItemConstructorOptions => ({
    label,
    accelerator: `CommandOrControl+${accelerator}`,
    click: () => zoom(step),
    ...more,
  });
  /** The same keys without Shift, and on the numeric keypad. */
  const hidden = { visible: false, acceleratorWorksWhenHidden: true };
  const view: MenuItemConstructorOptions[] = [
    zooms('Actual size', 'reset', '0'),
    zooms('Zoom in', 'in', 'Plus'),
    zooms('Zoom out', 'out', '-'),
    zooms('Zoom in', 'in', '=', hidden),
    zooms('Zoom in', 'in', 'numadd', hidden),
    zooms('Zoom out', 'out', 'numsub', hidden),
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  const forDevelopment: MenuItemConstructorOptions[] = development
    ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
    : [];
  const help: MenuItemConstructorOptions[] = [
    ...(lookForUpdates === undefined ? [] : [{ label: 'Check for updates…', click: lookForUpdates }]),
    { label: 'Third-party notices', click: showNotices },
    // On macOS, this entry is in the application menu.
    ...(process.platform === 'darwin' ? [] : [{ role: 'about' } as const]),
  ];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { label: '&File', submenu: [process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' }] },
      { role: 'editMenu' },
      { label: '&View', submenu: [...view, ...forDevelopment] },
      { role: 'windowMenu' },
      { label: '&Help', submenu: help },
    ]),
  );
}
