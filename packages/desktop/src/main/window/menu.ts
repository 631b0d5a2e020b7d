import { Menu, type MenuItemConstructorOptions } from 'electron';

/** The menu of the application: editing, zoom and windows as every application has them. */
export function installMenu({ development }: { readonly development: boolean }): void {
  const view: MenuItemConstructorOptions[] = [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { type: 'separator' }, { role: 'togglefullscreen' }];
  const forDevelopment: MenuItemConstructorOptions[] = development ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }] : [];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { label: '&File', submenu: [process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' }] },
      { role: 'editMenu' },
      { label: '&View', submenu: [...view, ...forDevelopment] },
      { role: 'windowMenu' },
    ]),
  );
}
