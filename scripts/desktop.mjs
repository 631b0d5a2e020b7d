// Builds the desktop client and starts it. The server that runs on a data directory (`npm start`) is already in its
// list.
//
//   npm run desktop
//   npm run desktop -- --data ./data-2
//
// The client stores its data in the folder `desktop` of that directory, separate from an installed client.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({ options: { data: { type: 'string', default: join(root, 'data') } } });
const data = resolve(values.data);

const serverFile = join(data, 'server.json');
if (!existsSync(serverFile))
  fail(
    `No server runs on ${data}. Start one with npm start, or name its data directory: npm run desktop -- --data DIR`,
  );
const { url } = JSON.parse(readFileSync(serverFile, 'utf8'));

for (const script of [['scripts/tsc.mjs', '-b'], ['scripts/build-desktop.mjs']]) {
  if (spawnSync(process.execPath, script, { cwd: root, stdio: 'inherit' }).status !== 0)
    fail('The build failed. See the output above.');
}
const electronSearch = spawnSync(process.execPath, ['scripts/electron-for-tests.mjs', '--download'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (electronSearch.status !== 0) process.exit(1);
const electron = electronSearch.stdout.trim();

const userData = join(data, 'desktop');
mkdirSync(userData, { recursive: true, mode: 0o700 });
addServer(join(userData, 'servers.json'));

const isOldNode = Number.parseInt(readFileSync(join(electron, 'version'), 'utf8').replace(/^v/, ''), 10) < 25;
const args = [
  // Chromium has no sandbox if it runs as root, for example in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  `--user-data-dir=${userData}`,
  ...(isOldNode ? ['-r', join(root, 'scripts/electron-fall-back/old-node.cjs')] : []),
  join(root, 'packages/desktop'),
];
process.stdout.write(
  `To sign in, paste the output of this command:\n  npx countersign token --role approver --data ${data}\n`,
);
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

/** Adds the server to the list of the client, if it is missing, and makes it the active server. */
function addServer(path) {
  const servers = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).servers : [];
  const entry = servers.find((server) => server.url === url) ?? { serverId: randomUUID(), url, name: 'This checkout' };
  writeFileSync(
    path,
    JSON.stringify({
      servers: [entry, ...servers.filter((server) => server !== entry)],
      activeServerId: entry.serverId,
    }),
    { mode: 0o600 },
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
