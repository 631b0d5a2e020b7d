import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { app, ipcMain, session, shell } from 'electron';
import { LINK_SCHEME } from '../common/schemes.js';
import { AppFiles } from './app/app-files.js';
import { registerAppScheme, serveFiles } from './app/app-protocol.js';
import { findLink, parseLink } from './app/deep-link.js';
import { JsonFile } from './app/json-file.js';
import { createFileLog } from './app/log.js';
import { Desktop } from './desktop.js';
import { Drafts, createDraftsByServer } from './drafts/drafts.js';
import { createHandlers } from './handlers.js';
import { serveMethods } from './ipc/serve-methods.js';
import { ShortcutSettingsStore } from './keys/shortcut-settings-store.js';
import { netFetch } from './net/net-fetch.js';
import { systemClock } from './presence/clock.js';
import { DesktopPresence } from './presence/desktop-presence.js';
import { OfflineCache } from './offline/offline-cache.js';
import { ServerStore } from './servers/server-store.js';
import { systemKeychain } from './session/keychain.js';
import { Oidc } from './session/oidc.js';
import { TokenVault } from './session/token-vault.js';
import { confirmInSystemDialog } from './signing/system-dialog.js';
import { showKeyNotification } from './signing/show-key-notification.js';
import { SigningService } from './signing/signing-service.js';
import { DeviceKeyStore } from './signing/device-key-store.js';
import { createElectronUpdates } from './update/electron-updates.js';
import { UnconfirmedVoteStore } from './vote/unconfirmed-vote-store.js';
import { toExternalLink } from './window/external-link.js';
import { guardContents, guardSession } from './window/guards.js';
import { MainWindow } from './window/main-window.js';
import { installMenu } from './window/menu.js';
import { showNotices } from './window/notices-window.js';
import { windowStateSchema } from './window/window-state.js';

/** Maximum time that the application waits for the issuer's response when it quits, in ms. */
const QUIT_TIMEOUT_MS = 5_000;

// Every page is sandboxed, however it is created. Root cannot use the sandbox (containers, tests) and disables it with
// the switch.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
registerAppScheme();

if (app.requestSingleInstanceLock()) run();
else app.quit();

function run(): void {
  const getDataPath = (name: string): string => join(app.getPath('userData'), name);
  const log = createFileLog(getDataPath('countersign.log'));
  const development = !app.isPackaged;
  const pendingUrls: string[] = [];
  let openUrl: ((url: string) => void) | undefined;
  const handleUrl = (url: string): void => (openUrl === undefined ? void pendingUrls.push(url) : openUrl(url));

  // macOS passes links in an event, which may arrive before the application is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    handleUrl(url);
  });
  app.on('web-contents-created', (_event, contents) => guardContents(contents, log, openExternal));
  app.on('window-all-closed', () => process.platform !== 'darwin' && app.quit());
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);

  void app.whenReady().then(async () => {
    const windowSession = session.fromPartition('persist:countersign', { cache: false });
    await guardSession(windowSession, log);
    serveFiles(windowSession, new AppFiles(join(__dirname, '../renderer')));
    const desktop = new Desktop({
      servers: new ServerStore(getDataPath('servers.json')),
      vault: new TokenVault(getDataPath('sessions.json'), systemKeychain),
      openCache: ({ serverId }) => new OfflineCache(getDataPath(join('offline', serverId)), systemKeychain),
      getDrafts: createDraftsByServer(
        (serverId) => new Drafts(getDataPath(join('drafts', serverId)), systemKeychain, log),
      ),
      log,
      development,
      version: app.getVersion(),
      fetch: (url, init) => netFetch(url, init),
      createIssuer: (server) => (auth) =>
        new Oidc(auth, new URL(server.url), { openInBrowser: ({ href }) => shell.openExternal(href) }),
    });
    const window: MainWindow = new MainWindow({
      preload: join(__dirname, '../preload/preload.cjs'),
      session: windowSession,
      state: new JsonFile(getDataPath('window.json'), windowStateSchema),
      log,
      development,
      callbacks: {
        hidesOnClose: () => presence.hidesOnClose(),
        onHidden: () => presence.onHidden(),
        onKeptOpen: () => presence.onKeptOpen(),
        onFocus: () => presence.onInboxViewed(),
      },
    });
    const presence = new DesktopPresence({
      desktop,
      window,
      getDataPath,
      signsEveryVote: () =>
        desktop.signedInSession !== undefined && signing.getSigner(desktop.signedInSession)?.signsEveryVote === true,
    });
    const confirm = confirmInSystemDialog(() => window.browserWindow);
    const signing: SigningService = new SigningService({
      desktop,
      store: new DeviceKeyStore(getDataPath('signing-keys.json'), systemKeychain),
      confirm,
      log,
      deviceName: hostname(),
      clock: systemClock,
      onKeyNews: (key) => showKeyNotification(key, () => window.show()),
    });
    signing.onState = (state) => window.send('signing', state);
    serveMethods(
      ipcMain,
      createHandlers({
        desktop,
        presence,
        shortcutSettingsStore: new ShortcutSettingsStore(getDataPath('keys.json')),
        signing,
        confirm,
        unconfirmedVoteStore: new UnconfirmedVoteStore(getDataPath('unsettled-votes'), systemKeychain, log),
        window: () => window.browserWindow,
        zoom: (step) => window.zoom(step),
        sendToWindow: (event, payload) => window.send(event, payload),
      }),
      window.isOwnPage,
      log,
    );
    desktop.onState((state) => window.send('state', state));
    desktop.onChange((message) => window.send('change', message));
    desktop.onLink((link) => {
      window.show();
      window.send('link', link);
    });
    const updates = await createElectronUpdates({ log, window: () => window.browserWindow });
    installMenu({
      development,
      zoom: (step) => window.zoom(step),
      showNotices: () => showNotices(windowSession, window.browserWindow),
      checkForUpdates: updates && (() => void updates.check('asked')),
    });
    app.on('second-instance', (_event, argv) => {
      const link = findLink(argv);
      if (link === undefined) window.show();
      else desktop.openLink(link);
    });
    app.on('activate', () => window.show());
    // Stops again, to write the changes that the window has made since `before-quit`, such as drafts.
    app.on('will-quit', (event) => {
      desktop.stop();
      const { renewals } = desktop;
      if (renewals === undefined) return;
      // Tokens in transit would be lost, and the next start would require a new sign-in.
      event.preventDefault();
      void Promise.race([renewals, delay(QUIT_TIMEOUT_MS)]).then(() => app.exit());
    });
    app.on('before-quit', () => {
      desktop.stop();
      updates?.stop();
    });

    openUrl = (url) => {
      const link = parseLink(url);
      if (link !== undefined) desktop.openLink(link);
    };
    const initialLink = findLink(process.argv);
    if (initialLink !== undefined) desktop.openLink(initialLink);
    for (const url of pendingUrls) openUrl(url);
    presence.start();
    desktop.start();
    updates?.start();
  });

  function openExternal(url: string): void {
    const link = toExternalLink(url);
    if (link !== undefined) void shell.openExternal(link);
  }
}
