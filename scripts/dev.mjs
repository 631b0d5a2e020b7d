// Runs the server and the web UI, and reloads each of them if its sources change. Passes its arguments to `countersign
// start`.
//
//   npm run dev
//   npm run dev -- --port 9090 --data ./data-2
//
// Vite serves the pages, replaces changed modules in place, and forwards API requests to the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));
const WEB_PORT = 5173;
const SERVER_PATHS = ['/api', '/openapi', '/webhooks', '/metrics'];

const children = [];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

const initialBuild = run('scripts/tsc.mjs', '-b');
const [code] = await once(initialBuild, 'exit');
if (code !== 0) process.exit(1);

// Started without scripts/tsc.mjs: the compiler would continue to run after a signal has ended that script.
const compiler = run('node_modules/typescript-7/bin/tsc', '-b', '--watch', '--preserveWatchOutput');
const server = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    'packages/server/bin/countersign.js',
    'start',
    '--development',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    // The compiler above builds. The defaults for the port and the data directory are those of `npm start`.
    env: { ...process.env, COUNTERSIGN_SKIP_BUILD: '1', FORCE_COLOR: '1', Log__Format: 'pretty' },
    stdio: ['inherit', 'pipe', 'inherit'],
  },
);
children.push(compiler, server);

const url = await new Promise((resolve, reject) => {
  server.once('exit', () => reject(new Error('The server did not start. See the output above.')));
  server.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    const [, address] = /runs on (http\S+)/.exec(String(chunk)) ?? [];
    if (address !== undefined) resolve(address);
  });
}).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  stop();
  process.exit(1);
});

const web = `${root}packages/web`;
// The server accepts requests for its own host name only, so `changeOrigin` replaces the host name of Vite.
const proxy = Object.fromEntries(SERVER_PATHS.map((path) => [path, { target: url, changeOrigin: true }]));
const webServer = await createServer({
  root: web,
  configFile: `${web}/vite.config.mjs`,
  server: { host: '127.0.0.1', port: WEB_PORT, proxy },
});
await webServer.listen();
process.stdout.write(
  `\nOpen ${webServer.resolvedUrls?.local[0] ?? `http://127.0.0.1:${WEB_PORT}/`} for the web UI with live reload.\n\n`,
);

await once(server, 'exit');
await webServer.close();
stop();

function run(script, ...args) {
  return spawn(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
}
