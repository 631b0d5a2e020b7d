import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Context } from 'koa';
import { clientHasVersion } from '../middleware/if-none-match.js';

/**
 * Content security policy: scripts and styles only from this server, no inline scripts, no other origins. Swagger UI
 * sets style attributes.
 */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const START_SCRIPT = `window.addEventListener('load', () => {
  const { docs } = document.body.dataset;
  window.SwaggerUIBundle({ url: docs, dom_id: '#api', deepLinking: true, validatorUrl: null, persistAuthorization: false, tryItOutEnabled: true });
});
`;

/** Created by scripts/copy-api-docs.mjs. */
const ASSETS_DIRECTORY = new URL('../../api-docs/', import.meta.url);

const NOTICE_TYPE = 'text/plain; charset=utf-8';
const ASSET_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
  'LICENSE': NOTICE_TYPE,
  'NOTICE': NOTICE_TYPE,
  'swagger-ui-bundle.js.LICENSE.txt': NOTICE_TYPE,
};

/** Returns the API documentation page; its assets are served below its own address. */
export function renderDocsPage(basePath: string): string {
  const docsUrl = escapeHtml(`${basePath}/api/docs`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign API</title>
<link rel="stylesheet" href="${docsUrl}/swagger-ui.css">
<link rel="icon" type="image/png" href="${docsUrl}/favicon-32x32.png">
</head>
<body data-docs="${escapeHtml(`${basePath}/openapi/v1.json`)}">
<div id="api"></div>
<script src="${docsUrl}/swagger-ui-bundle.js"></script>
<script src="${docsUrl}/start.js"></script>
</body>
</html>
`;
}

/**
 * Serves an asset of the page.
 *
 * @returns whether the asset exists
 */
export async function serveDocsAsset(ctx: Context, name: string): Promise<boolean> {
  ctx.set({ 'Cache-Control': 'public, max-age=3600', 'Content-Security-Policy': DOCS_POLICY });
  if (name === 'start.js') {
    ctx.status = 200;
    ctx.type = 'text/javascript';
    ctx.body = START_SCRIPT;
    return true;
  }
  const type = Object.hasOwn(ASSET_TYPES, name) ? ASSET_TYPES[name] : undefined;
  if (type === undefined) return false;
  const file = fileURLToPath(new URL(name, ASSETS_DIRECTORY));
  const { size, mtimeMs } = await stat(file);
  ctx.status = 200;
  const etag = `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
  ctx.set('ETag', etag);
  ctx.type = type;
  if (clientHasVersion(ctx, etag)) {
    ctx.status = 304;
    return true;
  }
  // Sent as a whole, because a body stream raises an error in the host application if its client disconnects.
  ctx.body = await readFile(file);
  return true;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
