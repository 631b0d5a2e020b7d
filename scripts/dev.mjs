// Runs the server and the web UI, and reloads either when its sources change. Arguments go to `countersign start`.
//
//   npm run dev
//   npm run dev -- --port 9090 --data ./data-2
//
// The page is served by Vite, which replaces changed modules in place; it passes requests of the API on to the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../', import.meta.url));
const WEB_PORT = 5173;
const OF_THE_SERVER = ['/api', '/openapi', '/webhooks', '/metrics'];

const children = [];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

const build = run('scripts/tsc.mjs', '-b');
const [code] = await once(build, 'exit');
if (code !== 0) process.exit(1);

// Without the script around it, whose end it would outlive.
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
    // The compiler above builds; a port and a data directory that are not given are those of `npm start`.
    env: { ...process.env, COUNTERSIGN_SKIP_BUILD: '1', FORCE_COLOR: '1', Log__Format: 'pretty' },
    stdio: ['inherit', 'pipe', 'inherit'],
  },
);
children.push(compiler, server);

const url = await new Promise((resolve, reject) => {
  server.once('exit', () => reject(new Error('The server did not start, see above.')));
  server.stdout.on('data', (chunk) => {
    process.stdout.write(chunk);
    const [, found] = /runs on (http\S+)/.exec(String(chunk)) ?? [];
    if (found !== undefined) resolve(found);
  });
}).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  stop();
  process.exit(1);
});

const web = `${root}packages/web`;
// The server accepts requests under its own name only, so the name of this one is replaced.
const proxy = Object.fromEntries(OF_THE_SERVER.map((path) => [path, { target: url, changeOrigin: true }]));
const pages = await createServer({
  root: web,
  configFile: `${web}/vite.config.mjs`,
  server: { host: '127.0.0.1', port: WEB_PORT, proxy },
});
await pages.listen();
process.stdout.write(
  `\nOpen ${pages.resolvedUrls?.local[0] ?? `http://127.0.0.1:${WEB_PORT}/`} for the web UI with reload.\n\n`,
);

await once(server, 'exit');
await pages.close();
stop();

function run(script, ...args) {
  return spawn(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
}
