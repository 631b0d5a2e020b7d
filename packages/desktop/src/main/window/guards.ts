import type { Session, WebContents } from 'electron';
import { APP_ORIGIN } from '../../common/schemes.js';
import type { Log } from '../app/log.js';

/** No page goes anywhere, opens anything, or embeds anything, whichever way it was made. */
export function guardContents(contents: WebContents, log: Log, openExternal: (url: string) => void): void {
  const refuse = (event: { preventDefault(): void }, what: string): void => {
    event.preventDefault();
    log.warn('window.refused', { what });
  };
  contents.on('will-navigate', (event) => refuse(event, 'navigation'));
  contents.on('will-redirect', (event) => refuse(event, 'redirection'));
  // Of frames too, from Electron 24 on; before it the policy of the page alone keeps frames away.
  contents.on('will-frame-navigate', (event) => refuse(event, 'navigation of a frame'));
  contents.on('will-attach-webview', (event) => refuse(event, 'webview'));
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/**
 * The window's session has nothing but the application's own files: every permission is denied, every request elsewhere is
 * called off, and what still got through (a look-up of a name, WebRTC) would find a proxy that nobody listens at.
 */
export async function guardSession(session: Session, log: Log): Promise<void> {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    log.warn('window.refused', { what: `permission ${permission}` });
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, answer) => {
    const allowed = isOwn(details.url);
    if (!allowed) log.warn('window.refused', { what: `request (${details.resourceType})` });
    answer({ cancel: !allowed });
  });
  session.on('will-download', (event) => {
    event.preventDefault();
    log.warn('window.refused', { what: 'download' });
  });
  session.setSpellCheckerEnabled(false);
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'socks5://127.0.0.1:9',
    proxyBypassRules: '<-loopback>',
  });
}

/** Files of the application, what the page has made itself, and the tools for developing, which a packaged application has not. */
export function isOwn(url: string): boolean {
  return (
    url.startsWith(`${APP_ORIGIN}/`) ||
    url.startsWith(`blob:${APP_ORIGIN}/`) ||
    url.startsWith('data:') ||
    url.startsWith('devtools://')
  );
}
