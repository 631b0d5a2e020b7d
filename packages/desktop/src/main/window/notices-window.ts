import { BrowserWindow, type Session } from 'electron';
import { APP_ORIGIN } from '../../common/schemes.js';

/** Made by scripts/notices/write-notices.mjs. */
const NOTICES = `${APP_ORIGIN}/third-party-notices.txt`;

/** Shows the licences of third-party packages in a window without scripts, which closes with its parent. */
export function showNotices(session: Session, parent: BrowserWindow | undefined): void {
  const open = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL() === NOTICES);
  if (open !== undefined) {
    open.focus();
    return;
  }
  const window = new BrowserWindow({
    ...(parent === undefined ? {} : { parent }),
    width: 760,
    height: 800,
    title: 'Third-party notices',
    backgroundColor: '#ffffff',
    webPreferences: {
      session,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
    },
  });
  // The document has no title of its own.
  window.on('page-title-updated', (event) => event.preventDefault());
  void window.loadURL(NOTICES);
}
