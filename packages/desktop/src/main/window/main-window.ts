import { BrowserWindow, dialog, nativeTheme, screen, type IpcMainInvokeEvent, type Session } from 'electron';
import { getEventChannel, type EventName } from '../../common/channels.js';
import type { EventPayloads } from '../../common/bridge.js';
import { APP_PAGE } from '../../common/schemes.js';
import type { ZoomStep } from '../../common/zoom.js';
import type { JsonFile } from '../app/json-file.js';
import type { Log } from '../app/log.js';
import { getNextZoomLevel } from './zoom.js';
import { fitWindowBounds, MIN_SIZE, type windowStateSchema } from './window-state.js';

interface MainWindowOptions {
  readonly preload: string;
  readonly session: Session;
  readonly state: JsonFile<typeof windowStateSchema>;
  readonly log: Log;
  readonly development: boolean;
  readonly callbacks: WindowCallbacks;
}

/** Callbacks about the window's visibility and closing. */
export interface WindowCallbacks {
  /** Returns whether closing the window only hides it. */
  hidesOnClose(): boolean;
  onHidden(): void;
  /** Called when the page has prevented the window from closing. */
  onKeptOpen(): void;
  /** Called when the window gets the focus. */
  onFocus(): void;
}

/** The main window. It can be closed and reopened while the application runs. */
export class MainWindow {
  private window: BrowserWindow | undefined;

  constructor(private readonly options: MainWindowOptions) {}

  /** Brings the window to the front; opens it first if it is closed. */
  show(): void {
    const window = this.window ?? this.open();
    if (window.isMinimized()) window.restore();
    if (window.webContents.isLoading()) return;
    window.show();
    window.focus();
  }

  /** Parent window for dialogs of the operating system. */
  get browserWindow(): BrowserWindow | undefined {
    return this.window;
  }

  /** Whether the user is viewing the window. */
  get isInView(): boolean {
    const { window } = this;
    return (
      window !== undefined && !window.isDestroyed() && window.isVisible() && !window.isMinimized() && window.isFocused()
    );
  }

  /** Changes the zoom level of the whole window and saves it. */
  zoom(step: ZoomStep): void {
    const contents = this.window?.webContents;
    if (contents === undefined) return;
    contents.setZoomLevel(getNextZoomLevel(contents.getZoomLevel(), step));
    this.saveState();
  }

  send<E extends EventName>(event: E, payload: EventPayloads[E]): void {
    if (this.window?.isDestroyed() === false) this.window.webContents.send(getEventChannel(event), payload);
  }

  /**
   * Returns whether the caller is the top frame of this window on its own page: no subframe, other page or other
   * window.
   */
  readonly isOwnPage = ({ sender, senderFrame }: IpcMainInvokeEvent): boolean => {
    const contents = this.window?.webContents;
    if (contents === undefined || sender !== contents || senderFrame === null || senderFrame !== contents.mainFrame)
      return false;
    return senderFrame.url.replace(/[?#].*$/, '') === APP_PAGE;
  };

  private open(): BrowserWindow {
    const { preload, session, state, log, development, callbacks } = this.options;
    const savedState = state.read();
    const window = new BrowserWindow({
      ...fitWindowBounds(
        savedState?.bounds,
        screen.getAllDisplays().map(({ workArea }) => workArea),
      ),
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      show: false,
      title: 'Countersign',
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#242424' : '#ffffff',
      webPreferences: {
        preload,
        session,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        safeDialogs: true,
        spellcheck: false,
        enableWebSQL: false,
        devTools: development,
      },
    });
    this.window = window;
    if (savedState?.maximized === true) window.maximize();
    window.webContents.on('did-finish-load', () => window.webContents.setZoomLevel(state.read()?.zoomLevel ?? 0));
    window.once('ready-to-show', () => window.show());
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      log.warn('window.gone', { reason });
      if (reason !== 'clean-exit' && !window.isDestroyed()) void window.loadURL(APP_PAGE);
    });
    window.webContents.on('will-prevent-unload', (event) => {
      if (confirmLeaving(window)) event.preventDefault();
      else callbacks.onKeptOpen();
    });
    window.on('focus', () => callbacks.onFocus());
    window.on('close', (event) => {
      this.saveState();
      if (!callbacks.hidesOnClose()) return;
      event.preventDefault();
      hide(window);
      callbacks.onHidden();
    });
    window.on('closed', () => {
      this.window = undefined;
    });
    void window.loadURL(APP_PAGE);
    return window;
  }

  private saveState(): void {
    const { window } = this;
    if (window === undefined || window.isDestroyed()) return;
    this.options.state.write({
      bounds: roundBounds(window.getNormalBounds()),
      maximized: window.isMaximized(),
      zoomLevel: window.webContents.getZoomLevel(),
    });
  }
}

/** Asks the user whether to quit even though the page has an unsent or unconfirmed vote. */
function confirmLeaving(window: BrowserWindow): boolean {
  const options = {
    type: 'question' as const,
    message: 'A vote is being sent.',
    detail: 'If you quit now, votes that have not been sent are discarded.',
    buttons: ['Stay', 'Quit anyway'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  return dialog.showMessageBoxSync(window, options) === 1;
}

/** Hides the window. On macOS, a window in full-screen mode must leave it first; otherwise a black screen remains. */
function hide(window: BrowserWindow): void {
  if (!window.isFullScreen()) return window.hide();
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}

function roundBounds({
  x,
  y,
  width,
  height,
}: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}) {
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}
