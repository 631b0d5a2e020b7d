import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { app, ipcMain, session, shell } from 'electron';
import { LINK_SCHEME } from '../common/schemes.js';
import { AppFiles } from './app/app-files.js';
import { declareScheme, serveFiles } from './app/app-protocol.js';
import { linkAmong, parseLink } from './app/deep-link.js';
import { JsonFile } from './app/json-file.js';
import { fileLog } from './app/log.js';
import { Desktop } from './desktop.js';
import { Drafts, draftsByServer } from './drafts/drafts.js';
import { handlersOf } from './handlers.js';
import { serveMethods } from './ipc/serve-methods.js';
import { KeyStore } from './keys/key-store.js';
import { netFetch } from './net/net-fetch.js';
import { systemClock } from './presence/clock.js';
import { DesktopNotifications } from './presence/desktop-presence.js';
import { OfflineCache } from './offline/offline-cache.js';
import { ServerStore } from './servers/server-store.js';
import { systemKeychain } from './session/keychain.js';
import { Oidc } from './session/oidc.js';
import { TokenVault } from './session/token-vault.js';
import { confirmInSystemDialog } from './signing/system-dialog.js';
import { notifyOfKey } from './signing/key-notification.js';
import { SigningService } from './signing/signing-service.js';
import { DeviceKeyStore } from './signing/device-key-store.js';
import { electronUpdates } from './update/electron-updates.js';
import { UnconfirmedVoteStore } from './vote/unconfirmed-vote-store.js';
import { externalLink } from './window/external-link.js';
import { guardContents, guardSession } from './window/guards.js';
import { MainWindow } from './window/main-window.js';
import { installMenu } from './window/menu.js';
import { showNotices } from './window/notices-window.js';
import { windowStateSchema } from './window/window-state.js';

/** How long quitting waits for the issuer's response, in ms. */
const LAST_RENEWAL_MS = 5_000;

// Every page is sandboxed, however it is created. Root cannot use the sandbox (containers, tests) and disables it with
// the switch.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
declareScheme();

if (app.requestSingleInstanceLock()) run();
else app.quit();

function run(): void {
  const data = (name: string): string => join(app.getPath('userData'), name);
  const log = fileLog(data('countersign.log'));
  const development = !app.isPackaged;
  const links: string[] = [];
  let opened: ((text: string) => void) | undefined;
  const opens = (text: string): void => (opened === undefined ? void links.push(text) : opened(text));

  // macOS passes links by an event, which may arrive before the application is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    opens(url);
  });
  app.on('web-contents-created', (_event, contents) => guardContents(contents, log, openExternal));
  app.on('window-all-closed', () => process.platform !== 'darwin' && app.quit());
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);

  void app.whenReady().then(async () => {
    const windowSession = session.fromPartition('persist:countersign', { cache: false });
    await guardSession(windowSession, log);
    serveFiles(windowSession, new AppFiles(join(__dirname, '../renderer')));
    const desktop = new Desktop({
      servers: new ServerStore(data('servers.json')),
      vault: new TokenVault(data('sessions.json'), systemKeychain),
      cacheOf: ({ serverId }) => new OfflineCache(data(join('offline', serverId)), systemKeychain),
      draftsOf: draftsByServer((serverId) => new Drafts(data(join('drafts', serverId)), systemKeychain, log)),
      log,
      development,
      version: app.getVersion(),
      fetch: (url, init) => netFetch(url, init),
      issuerOf: (server) => (auth) =>
        new Oidc(auth, new URL(server.url), { openInBrowser: ({ href }) => shell.openExternal(href) }),
    });
    const window: MainWindow = new MainWindow({
      preload: join(__dirname, '../preload/preload.cjs'),
      session: windowSession,
      state: new JsonFile(data('window.json'), windowStateSchema),
      log,
      development,
      presence: {
        hidesOnClose: () => presence.hidesOnClose(),
        hidden: () => presence.hidden(),
        stayed: () => presence.stayed(),
        attended: () => presence.attended(),
      },
    });
    const presence = new DesktopNotifications({
      desktop,
      window,
      data,
      signsEvery: () => desktop.signedIn !== undefined && signing.signerOf(desktop.signedIn)?.signsEvery === true,
    });
    const ask = confirmInSystemDialog(() => window.browserWindow);
    const signing: SigningService = new SigningService({
      desktop,
      store: new DeviceKeyStore(data('signing-keys.json'), systemKeychain),
      ask,
      log,
      deviceName: hostname(),
      clock: systemClock,
      onKeyNews: (key) => notifyOfKey(key, () => window.show()),
    });
    signing.onState = (state) => window.tell('signing', state);
    serveMethods(
      ipcMain,
      handlersOf({
        desktop,
        presence,
        keys: new KeyStore(data('keys.json')),
        signing,
        ask,
        journal: new UnconfirmedVoteStore(data('unsettled-votes'), systemKeychain, log),
        window: () => window.browserWindow,
        zoom: (step) => window.zoom(step),
        tell: (event, payload) => window.tell(event, payload),
      }),
      window.isOwnPage,
      log,
    );
    desktop.onState((state) => window.tell('state', state));
    desktop.onChange((message) => window.tell('change', message));
    desktop.onLink((link) => {
      window.show();
      window.tell('link', link);
    });
    const updates = await electronUpdates({ log, window: () => window.browserWindow });
    installMenu({
      development,
      zoom: (step) => window.zoom(step),
      showNotices: () => showNotices(windowSession, window.browserWindow),
      lookForUpdates: updates && (() => void updates.look('asked')),
    });
    app.on('second-instance', (_event, argv) => {
      const link = linkAmong(argv);
      if (link === undefined) window.show();
      else desktop.openLink(link);
    });
    app.on('activate', () => window.show());
    // The window may still have made changes after quitting started.
    app.on('will-quit', (event) => {
      desktop.stop();
      const { renewals } = desktop;
      if (renewals === undefined) return;
      // Tokens in transit would be lost, and the next start would require a new sign-in.
      event.preventDefault();
      void Promise.race([renewals, delay(LAST_RENEWAL_MS)]).then(() => app.exit());
    });
    app.on('before-quit', () => {
      desktop.stop();
      updates?.stop();
    });

    opened = (text) => {
      const link = parseLink(text);
      if (link !== undefined) desktop.openLink(link);
    };
    const first = linkAmong(process.argv);
    if (first !== undefined) desktop.openLink(first);
    for (const text of links) opened(text);
    presence.start();
    desktop.start();
    updates?.start();
  });

  function openExternal(text: string): void {
    const link = externalLink(text);
    if (link !== undefined) void shell.openExternal(link);
  }
}
