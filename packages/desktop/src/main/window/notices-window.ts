import { BrowserWindow, type Session } from 'electron';
import { APP_ORIGIN } from '../../common/schemes.js';

/** URL of the notices, which scripts/notices/write-notices.mjs generates. */
const NOTICES_URL = `${APP_ORIGIN}/third-party-notices.txt`;

/** Shows the licences of third-party packages in a window without scripts, which closes with its parent. */
export function showNotices(session: Session, parent: BrowserWindow | undefined): void {
  const openWindow = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL() === NOTICES_URL);
  if (openWindow !== undefined) {
    openWindow.focus();
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
  // Keeps the title of the window, because the document has none.
  window.on('page-title-updated', (event) => event.preventDefault());
  void window.loadURL(NOTICES_URL);
}
