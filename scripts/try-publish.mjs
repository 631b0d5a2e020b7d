// Publishes a clean clone to a registry on this machine, installs the server from there, and starts it: npm run try-publish
// Nothing is pushed, and nothing but a temporary directory is written to.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The last Verdaccio that runs on Node.js 20. It is not a dependency of the project: only this script starts it. */
const VERDACCIO = '6.8.0';
/** It asks for a tag of node-fetch that not every registry has. */
const OVERRIDES = { 'node-fetch': '^2.7.0' };
const READY_MS = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-publish-'));
const clone = join(directory, 'clone');
const empty = join(directory, 'empty');
const tool = join(directory, 'tool');
const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const url = `http://127.0.0.1:${await freePort()}/`;
const children = [];

try {
  writeFileSync(
    join(directory, 'verdaccio.json'),
    JSON.stringify({
      storage: join(directory, 'registry'),
      uplinks: { upstream: { url: upstream } },
      packages: {
        '@countersign/*': { access: '$all', publish: '$all' },
        '**': { access: '$all', proxy: 'upstream' },
      },
      max_body_size: '100mb',
      log: { type: 'stdout', format: 'pretty', level: 'warn' },
    }),
  );
  // npm publishes with a token only; this registry takes any.
  writeFileSync(join(directory, 'npmrc'), `registry=${url}\n${url.slice('http:'.length)}:_authToken=anyone\n`);
  mkdirSync(tool);
  writeFileSync(join(tool, 'package.json'), JSON.stringify({ name: 'registry', private: true, overrides: OVERRIDES }));
  run('npm', ['install', `verdaccio@${VERDACCIO}`, '--no-audit', '--no-fund'], tool, {});
  start(
    join(tool, 'node_modules/verdaccio/bin/verdaccio'),
    ['--config', join(directory, 'verdaccio.json'), '--listen', url],
    tool,
  );
  await until('the registry answers', async () => (await fetch(`${url}-/ping`)).ok);

  say('Publishing a clean clone');
  run('git', ['clone', '--quiet', root, clone], directory);
  run('npm', ['ci', '--no-audit', '--no-fund'], clone, {});
  run('git', ['config', 'user.name', 'try-publish'], clone);
  run('git', ['config', 'user.email', 'try-publish@example.org'], clone);
  run('npx', ['lerna', 'publish', 'minor', '--yes', '--no-push', '--registry', url], clone);

  say('Installing the server in an empty folder');
  mkdirSync(empty);
  run('npm', ['init', '--yes'], empty);
  run('npm', ['install', '@countersign/server', '--no-audit', '--no-fund'], empty);
  const { version } = JSON.parse(
    execFileSync('npm', ['view', '@countersign/server', '--json', '--registry', url], { encoding: 'utf8' }),
  );

  say(`Starting version ${version}`);
  const port = await freePort();
  start(
    join(empty, 'node_modules/@countersign/server/bin/countersign.js'),
    ['start', '--development', '--port', String(port)],
    empty,
  );
  await until('the server is ready', async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).ok);
  say(`Version ${version} was published, installed and is ready.`);
} finally {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(directory, { recursive: true, force: true });
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`== ${text}\n`);
}

/** @param {Record<string, string>} [npm] settings of npm; those of the registry of this script by default */
function environment(npm = { npm_config_userconfig: join(directory, 'npmrc') }) {
  return { ...process.env, ...npm };
}

/** @param {string} command @param {string[]} options @param {string} cwd @param {Record<string, string>} [npm] */
function run(command, options, cwd, npm) {
  execFileSync(command, options, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: environment(npm) });
}

/** Without npx between, which would outlive a signal. @param {string} program @param {string[]} options @param {string} cwd */
function start(program, options, cwd) {
  children.push(spawn(process.execPath, [program, ...options], { cwd, stdio: ['ignore', 'inherit', 'inherit'] }));
}

/** @param {string} what @param {() => Promise<boolean>} holds */
async function until(what, holds) {
  const end = Date.now() + READY_MS;
  while (!(await holds().catch(() => false))) {
    if (children.some(({ exitCode }) => exitCode !== null) || Date.now() > end) throw new Error(`Not so: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
