import { app, Menu, nativeTheme, Tray, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { loadOverlayIcon, loadTrayIcon } from './icons.js';
import type { WaitingItems } from './waiting-items-monitor.js';
import { presenceTexts as t } from './presence-texts.js';
import { getWaitingItemKey, type WaitingItem } from './waiting-item.js';

/** Maximum number of items in the menu; the window lists the others. */
const MAX_ENTRIES = 5;

/** Content of the tray. `waiting`: `undefined` if no user is signed in. */
export interface TrayView {
  readonly waiting: WaitingItems | undefined;
  /** Time until which notifications are muted, formatted for display. */
  readonly mutedUntil: string | undefined;
  readonly startsAtLogin: boolean;
}

export interface TrayActions {
  open(): void;
  /** Opens the item and does nothing else: no vote is cast from a menu. */
  openItem(item: WaitingItem): void;
  mute(until: 'hour' | 'tomorrow' | 'end'): void;
  setStartAtLogin(starts: boolean): void;
  quit(): void;
}

/** Tray icon with the number of waiting items, and the same number on the platform's application icon. */
export class AppTray {
  private tray: Tray | undefined;
  private lastContent = '';
  private view: TrayView = { waiting: undefined, mutedUntil: undefined, startsAtLogin: false };

  constructor(
    private readonly actions: TrayActions,
    private readonly window: () => BrowserWindow | undefined,
  ) {
    nativeTheme.on('updated', () => this.draw());
  }

  get isOpen(): boolean {
    return this.tray !== undefined;
  }

  /** Shows the tray icon. Must be called only if the desktop supports tray icons. */
  open(): void {
    if (this.tray !== undefined) return;
    this.tray = new Tray(loadTrayIcon(this.count, nativeTheme.shouldUseDarkColors));
    this.tray.on('click', () => process.platform !== 'darwin' && this.actions.open());
    this.draw();
  }

  show(view: TrayView): void {
    this.view = view;
    this.draw();
  }

  /** Shows the number on the application icon: dock, Unity launcher or task bar. */
  updateBadge(): void {
    const { count } = this;
    app.setBadgeCount(count);
    const window = this.window();
    if (process.platform === 'win32' && window?.isDestroyed() === false)
      window.setOverlayIcon(count === 0 ? null : loadOverlayIcon(count), this.tooltip);
  }

  private draw(): void {
    const { tray, count, view } = this;
    const { waiting, ...rest } = view;
    // Redraws only visible changes, because thousands of items may change invisibly.
    const content = JSON.stringify([
      this.tooltip,
      waiting?.items.slice(0, MAX_ENTRIES).map(getWaitingItemKey),
      rest,
      nativeTheme.shouldUseDarkColors,
      tray !== undefined,
    ]);
    if (content === this.lastContent) return;
    this.lastContent = content;
    this.updateBadge();
    if (tray === undefined || tray.isDestroyed()) return;
    tray.setImage(loadTrayIcon(count, nativeTheme.shouldUseDarkColors));
    tray.setToolTip(this.tooltip);
    if (process.platform === 'darwin') tray.setTitle(count === 0 ? '' : String(count));
    tray.setContextMenu(Menu.buildFromTemplate(this.buildMenu()));
  }

  private buildMenu(): MenuItemConstructorOptions[] {
    const { actions } = this;
    const { waiting, mutedUntil, startsAtLogin } = this.view;
    const items = (waiting?.items ?? []).slice(0, MAX_ENTRIES).map((item): MenuItemConstructorOptions => ({
      label: t.entry(item),
      click: () => actions.openItem(item),
    }));
    const muteItems: MenuItemConstructorOptions[] =
      mutedUntil === undefined
        ? [
            {
              label: t.mute,
              submenu: [
                { label: t.muteForHour, click: () => actions.mute('hour') },
                { label: t.muteUntilTomorrow, click: () => actions.mute('tomorrow') },
              ],
            },
          ]
        : [
            { label: t.mutedUntil(mutedUntil), enabled: false },
            { label: t.unmute, click: () => actions.mute('end') },
          ];
    return [
      { label: t.open, click: () => actions.open() },
      { type: 'separator' },
      { label: this.tooltip, enabled: false },
      ...items,
      { type: 'separator' },
      ...muteItems,
      {
        label: t.startAtLogin,
        type: 'checkbox',
        checked: startsAtLogin,
        click: ({ checked }) => actions.setStartAtLogin(checked),
      },
      { type: 'separator' },
      { label: t.quit, click: () => actions.quit() },
    ];
  }

  private get count(): number {
    return this.view.waiting?.items.length ?? 0;
  }

  private get tooltip(): string {
    return this.view.waiting === undefined ? t.signedOut : t.waiting(this.view.waiting);
  }
}
