import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { chooseEncoding } from '../middleware/accepted-encoding.js';
import { loadWebBundle, type WebFile } from './web-bundle.js';
import { buildContentSecurityPolicy } from './content-security-policy.js';

/** Paths of the API, which are never pages of the web UI, even if nothing is served under them. */
const API_PATH_PATTERN = /^\/(?:api|openapi|webhooks|metrics)(?:\/|$)/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
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

/** The part of the web UI that a path refers to. */
export type WebMatch =
  { readonly kind: 'page' } | { readonly kind: 'file'; readonly name: string; readonly file: WebFile };

/**
 * Returns the part of the web UI that a request refers to: one of its files, or its page. A browser that navigates to
 * any path outside the API gets the page, whose router handles the path.
 */
export function matchWeb(ctx: Pick<Context, 'method' | 'headers'>, path: string): WebMatch | undefined {
  if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || API_PATH_PATTERN.test(path)) return undefined;
  const name = path.slice(1);
  const file = loadWebBundle().files.get(name);
  if (file !== undefined) return { kind: 'file', name, file };
  if (name.startsWith('assets/')) return undefined;
  return path === '/' || wantsPage(ctx.headers.accept) ? { kind: 'page' } : undefined;
}

/** Returns whether a browser navigates to a page. A program that sends `Accept: *` gets the API's response. */
function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/html\b/i.test(accept);
}

/** Serves a part of the web UI, which contains no secrets. */
export function serveWeb(ctx: Context, match: WebMatch, basePath: string, issuerOrigins: readonly string[]): void {
  ctx.status = 200;
  if (match.kind === 'page') {
    const nonce = randomBytes(18).toString('base64url');
    ctx.set({
      'Content-Security-Policy': buildContentSecurityPolicy(nonce, issuerOrigins),
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = renderPage(basePath, nonce);
    return;
  }
  serveFile(ctx, match.name, match.file);
}

function serveFile(ctx: Context, name: string, file: WebFile): void {
  // The names of assets contain a digest of their content.
  ctx.set('Cache-Control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.type = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const encoding = chooseEncoding(ctx);
  const compressed = encoding === 'br' ? file.br : encoding === 'gzip' ? file.gzip : undefined;
  if (compressed !== undefined) ctx.set('Content-Encoding', encoding);
  ctx.body = compressed ?? file.content;
}

/** Returns the page with its base path and the nonce for added styles. */
function renderPage(basePath: string, nonce: string): string {
  return loadWebBundle()
    .page.replace('<base href="/" />', () => `<base href="${escapeHtml(basePath)}/" />`)
    .replace('name="csp-nonce" content=""', () => `name="csp-nonce" content="${nonce}"`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
