// Builds the desktop client and starts it, with the server that runs on a data directory (`npm start`) already added.
//
//   npm run desktop
//   npm run desktop -- --data ./data-2
//
// The client keeps what belongs to it in `desktop` within that directory, apart from an installed client.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({ options: { data: { type: 'string', default: join(root, 'data') } } });
const data = resolve(values.data);

const server = join(data, 'server.json');
if (!existsSync(server))
  fail(
    `No server runs on ${data}. Start one with npm start, or name its data directory: npm run desktop -- --data DIR`,
  );
const { url } = JSON.parse(readFileSync(server, 'utf8'));

for (const script of [['scripts/tsc.mjs', '-b'], ['scripts/build-desktop.mjs']]) {
  if (spawnSync(process.execPath, script, { cwd: root, stdio: 'inherit' }).status !== 0)
    fail('The build failed, see above.');
}
const found = spawnSync(process.execPath, ['scripts/electron-for-tests.mjs', '--download'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (found.status !== 0) process.exit(1);
const electron = found.stdout.trim();

const userData = join(data, 'desktop');
mkdirSync(userData, { recursive: true, mode: 0o700 });
addServer(join(userData, 'servers.json'));

const old = Number.parseInt(readFileSync(join(electron, 'version'), 'utf8').replace(/^v/, ''), 10) < 25;
const args = [
  // Root has no sandbox to give, as in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  `--user-data-dir=${userData}`,
  ...(old ? ['-r', join(root, 'scripts/electron-fall-back/old-node.cjs')] : []),
  join(root, 'packages/desktop'),
];
process.stdout.write(`To sign in, paste what this prints:\n  npx countersign token --role approver --data ${data}\n`);
const client = spawn(
  join(
    electron,
    process.platform === 'win32'
      ? 'electron.exe'
      : process.platform === 'darwin'
        ? 'Electron.app/Contents/MacOS/Electron'
        : 'electron',
  ),
  args,
  { stdio: 'inherit' },
);
client.once('exit', (code) => process.exit(code ?? 1));

/** Adds the server to those that the client knows, and shows it. */
function addServer(path) {
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).servers : [];
  const listed = known.find((each) => each.url === url) ?? { serverId: randomUUID(), url, name: 'This checkout' };
  writeFileSync(
    path,
    JSON.stringify({ servers: [listed, ...known.filter((each) => each !== listed)], activeServerId: listed.serverId }),
    { mode: 0o600 },
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
