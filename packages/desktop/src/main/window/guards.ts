import type { Session, WebContents } from 'electron';
import { APP_ORIGIN } from '../../common/schemes.js';
import type { Log } from '../app/log.js';

/**
 * Prevents a page from navigating, opening windows, or embedding content. The URL of a refused window is passed to
 * `openExternal`.
 */
export function guardContents(contents: WebContents, log: Log, openExternal: (url: string) => void): void {
  const refuse = (event: { preventDefault(): void }, deniedAction: string): void => {
    event.preventDefault();
    log.warn('window.refused', { what: deniedAction });
  };
  contents.on('will-navigate', (event) => refuse(event, 'navigation'));
  contents.on('will-redirect', (event) => refuse(event, 'redirection'));
  // Covers frames too, from Electron 24 on; before that, only the page's content security policy blocks frames.
  contents.on('will-frame-navigate', (event) => refuse(event, 'navigation of a frame'));
  contents.on('will-attach-webview', (event) => refuse(event, 'webview'));
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/**
 * Limits the window's session to the application's own files: every permission is denied, every other request is
 * cancelled, and anything that bypasses this (a DNS lookup, WebRTC) reaches a proxy address where nothing listens.
 */
export async function guardSession(session: Session, log: Log): Promise<void> {
  session.setPermissionRequestHandler((_contents, permission, respond) => {
    log.warn('window.refused', { what: `permission ${permission}` });
    respond(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, respond) => {
    const allowed = isAllowedUrl(details.url);
    if (!allowed) log.warn('window.refused', { what: `request (${details.resourceType})` });
    respond({ cancel: !allowed });
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

/**
 * Returns whether a URL belongs to the application's files, to data created by the page, or to the developer tools,
 * which a packaged application does not have.
 */
export function isAllowedUrl(url: string): boolean {
  return (
    url.startsWith(`${APP_ORIGIN}/`) ||
    url.startsWith(`blob:${APP_ORIGIN}/`) ||
    url.startsWith('data:') ||
    url.startsWith('devtools://')
  );
}
