// Publishes a clean clone to a registry on this machine, installs the server from there, and starts it
// (`npm run try-publish`). Pushes nothing, and writes only to a temporary directory.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The last version of Verdaccio that runs on Node.js 20. It is not a dependency of the project, because only this
 * script uses it.
 */
const VERDACCIO = '6.8.0';
/** Verdaccio depends on a dist-tag of node-fetch that some registries lack. */
const OVERRIDES = { 'node-fetch': '^2.7.0' };
const READY_MS = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const directory = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-publish-'));
const clone = join(directory, 'clone');
const installFolder = join(directory, 'empty');
const registryFolder = join(directory, 'tool');
const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const url = `http://127.0.0.1:${await findFreePort()}/`;
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
  // npm publishes only with a token. This registry accepts any token.
  writeFileSync(join(directory, 'npmrc'), `registry=${url}\n${url.slice('http:'.length)}:_authToken=anyone\n`);
  mkdirSync(registryFolder);
  writeFileSync(
    join(registryFolder, 'package.json'),
    JSON.stringify({ name: 'registry', private: true, overrides: OVERRIDES }),
  );
  run('npm', ['install', `verdaccio@${VERDACCIO}`, '--no-audit', '--no-fund'], registryFolder, {});
  start(
    join(registryFolder, 'node_modules/verdaccio/bin/verdaccio'),
    ['--config', join(directory, 'verdaccio.json'), '--listen', url],
    registryFolder,
  );
  await until('the registry responds', async () => (await fetch(`${url}-/ping`)).ok);

  printStep('Publishing a clean clone');
  run('git', ['clone', '--quiet', root, clone], directory);
  run('npm', ['ci', '--no-audit', '--no-fund'], clone, {});
  run('git', ['config', 'user.name', 'try-publish'], clone);
  run('git', ['config', 'user.email', 'try-publish@example.org'], clone);
  run('npx', ['lerna', 'publish', 'minor', '--yes', '--no-push', '--registry', url], clone);

  printStep('Installing the server in an empty folder');
  mkdirSync(installFolder);
  run('npm', ['init', '--yes'], installFolder);
  run('npm', ['install', '@countersign/server', '--no-audit', '--no-fund'], installFolder);
  const { version } = JSON.parse(
    execFileSync('npm', ['view', '@countersign/server', '--json', '--registry', url], { encoding: 'utf8' }),
  );

  printStep(`Starting version ${version}`);
  const port = await findFreePort();
  start(
    join(installFolder, 'node_modules/@countersign/server/bin/countersign.js'),
    ['start', '--development', '--port', String(port)],
    installFolder,
  );
  await until('the server is ready', async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).ok);
  printStep(`Version ${version} was published, installed and is ready.`);
} finally {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(directory, { recursive: true, force: true });
}

/** @param {string} step */
function printStep(step) {
  process.stdout.write(`== ${step}\n`);
}

/** @param {Record<string, string>} [npm] npm settings; by default those for the local registry */
function getEnvironment(npm = { npm_config_userconfig: join(directory, 'npmrc') }) {
  return { ...process.env, ...npm };
}

/** @param {string} command @param {string[]} options @param {string} cwd @param {Record<string, string>} [npm] */
function run(command, options, cwd, npm) {
  execFileSync(command, options, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: getEnvironment(npm) });
}

/**
 * Starts a program without npx, because a signal to npx may not reach the program.
 *
 * @param {string} program @param {string[]} options @param {string} cwd
 */
function start(program, options, cwd) {
  children.push(spawn(process.execPath, [program, ...options], { cwd, stdio: ['ignore', 'inherit', 'inherit'] }));
}

/** @param {string} condition description, for the error @param {() => Promise<boolean>} isMet */
async function until(condition, isMet) {
  const end = Date.now() + READY_MS;
  while (!(await isMet().catch(() => false))) {
    if (children.some(({ exitCode }) => exitCode !== null) || Date.now() > end)
      throw new Error(`Waited without success until ${condition}.`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** @returns {Promise<number>} */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
