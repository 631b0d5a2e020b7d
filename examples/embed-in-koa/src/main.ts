import { once } from 'node:events';
import { createServer } from 'node:http';
import { createShop } from './create-shop.js';

const port = Number(process.env['PORT'] ?? 3000);

// Development tokens are only for trying the example. In production, set Auth__Issuer and Auth__Audience in the
// environment.
const isDevelopment = process.env['NODE_ENV'] !== 'production' && process.env['Auth__Issuer'] === undefined;
const shop = await createShop({
  configuration: { Data: { Directory: './data/shop' }, Auth: { DevToken: { Enabled: isDevelopment } } },
  environment: process.env,
});
const server = createServer(shop.app.callback()).listen(port, '127.0.0.1');
await once(server, 'listening');
console.log(`The shop runs on http://127.0.0.1:${port}, Countersign on http://127.0.0.1:${port}/countersign/api/docs`);

const GRACE_MS = 20_000;

async function stop(): Promise<void> {
  await shop.drain();
  const graceTimer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  const closed = once(server, 'close');
  server.close();
  await closed;
  clearTimeout(graceTimer);
  await shop.close();
}

// A second signal has no listener and therefore ends the process immediately.
let stopPromise: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void (stopPromise ??= stop()));
