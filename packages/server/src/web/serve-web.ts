import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { loadWebBundle, type WebFile } from './web-bundle.js';
import { webPolicy } from './web-policy.js';

/** Paths that are the API's, and never a page of the web UI, also where nothing is served under them. */
const OF_THE_API = /^\/(?:api|openapi|webhooks|metrics)(?:\/|$)/;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  eot: 'application/vnd.ms-fontobject',
  png: 'image/png',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
};

/** What of the web UI a path names. */
export type WebMatch =
  { readonly kind: 'page' } | { readonly kind: 'file'; readonly name: string; readonly file: WebFile };

/**
 * Whether a request is for the web UI: one of its files, or (a browser that asks for a page, under any path that is not
 * the API's) its page, whose router knows the rest.
 */
export function matchWeb(ctx: Pick<Context, 'method' | 'headers'>, path: string): WebMatch | undefined {
  if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || OF_THE_API.test(path)) return undefined;
  const name = path.slice(1);
  const file = loadWebBundle().files.get(name);
  if (file !== undefined) return { kind: 'file', name, file };
  if (name.startsWith('assets/')) return undefined;
  return path === '/' || wantsPage(ctx.headers.accept) ? { kind: 'page' } : undefined;
}

/** A navigation of a browser; a program that asks with `Accept: *` gets the API's answer. */
function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/html\b/i.test(accept);
}

/** Answers with a part of the web UI; nothing of it is anybody's secret. */
export function serveWeb(ctx: Context, match: WebMatch, basePath: string, issuerOrigins: readonly string[]): void {
  ctx.status = 200;
  if (match.kind === 'page') {
    const nonce = randomBytes(18).toString('base64url');
    ctx.set({
      'Content-Security-Policy': webPolicy(nonce, issuerOrigins),
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = pageAt(basePath, nonce);
    return;
  }
  serveFile(ctx, match.name, match.file);
}

function serveFile(ctx: Context, name: string, file: WebFile): void {
  // The names of assets hold a digest of their content.
  ctx.set('Cache-Control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  const compressed = encoding === 'br' ? file.br : encoding === 'gzip' ? file.gzip : undefined;
  if (compressed !== undefined && typeof encoding === 'string') ctx.set('Content-Encoding', encoding);
  ctx.body = compressed ?? file.content;
}

/** The page, told where it is mounted and which styles may be added to it. */
function pageAt(basePath: string, nonce: string): string {
  return loadWebBundle()
    .page.replace('<base href="/" />', () => `<base href="${escapeHtml(basePath)}/" />`)
    .replace('name="csp-nonce" content=""', () => `name="csp-nonce" content="${nonce}"`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
