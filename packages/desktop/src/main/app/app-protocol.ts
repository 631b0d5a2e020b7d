import { randomBytes } from 'node:crypto';
import { protocol, type Session } from 'electron';
import { APP_SCHEME } from '../../common/schemes.js';
import type { AppFiles } from './app-files.js';
import { buildPageHeaders } from './page-policy.js';

/**
 * Registers the scheme as standard and secure, so that it has an origin, but without support for fetch. Must be called
 * before the application is ready.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true } }]);
}

interface FileResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Serves the window's files, only to the given session. */
export function serveFiles(session: Session, files: AppFiles): void {
  // `handle` does not exist before Electron 25.
  if (typeof session.protocol.handle === 'function') {
    session.protocol.handle(APP_SCHEME, ({ url, method }) => {
      const { status, headers, body } = buildResponse(files, url, method);
      return new Response(new Uint8Array(body), { status, headers });
    });
    return;
  }
  session.protocol.registerBufferProtocol(APP_SCHEME, ({ url, method }, callback) => {
    const { status, headers, body } = buildResponse(files, url, method);
    callback({
      statusCode: status,
      headers,
      data: body,
      mimeType: headers['Content-Type']?.replace(/;.*/, '') ?? 'text/plain',
      charset: 'utf-8',
    });
  });
}

function buildResponse(files: AppFiles, url: string, method: string): FileResponse {
  const nonce = randomBytes(18).toString('base64url');
  const file = method === 'GET' ? files.find(url) : undefined;
  if (file === undefined)
    return {
      status: 404,
      headers: buildPageHeaders('text/plain; charset=utf-8', nonce),
      body: Buffer.from('Not found.'),
    };
  const isPage = file.contentType.startsWith('text/html');
  const body = isPage
    ? Buffer.from(
        file.content
          .toString('utf8')
          .replace('name="csp-nonce" content=""', () => `name="csp-nonce" content="${nonce}"`),
      )
    : file.content;
  return { status: 200, headers: buildPageHeaders(file.contentType, nonce), body };
}
