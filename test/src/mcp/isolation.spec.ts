import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { waitUntil } from '@countersign/testing';
import type { JsonObject } from '@countersign/core';
import { expect } from 'chai';
import { run, startServer, type RunningServer } from '../cli/cli.spec.support.js';
import type { ProbeTargets, Findings } from './prying-program.js';

const ENVIRONMENT_CANARY = 'canary-of-the-environment-5b1e';
const CONFIGURATION_CANARY = 'canary-of-the-configuration-77aa';
const SECRET_FILE_CANARY = 'canary-of-a-secret-file-c40d';
const NOBODY_UID = 65_534;

/** Whether namespaces can isolate programs here; in CI they must. */
const hasNamespaces =
  process.env['CI'] === 'true' ||
  spawnSync('bwrap', ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true']).status === 0;
const isRoot = process.geteuid?.() === 0;

describe('isolation of MCP server programs', function () {
  // Each test starts a server, which takes long on a busy machine.
  this.timeout(120_000);

  let database: TestDatabase;
  let directory: string;
  let databaseSocket: Server;
  let server: RunningServer | undefined;

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    database = await createMigratedTestDatabase();
  });

  after(() => database?.drop());

  beforeEach(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'countersign-isolation-')));
    await chmod(directory, 0o755);
    await mkdir(join(directory, 'shared'));
    await chmod(join(directory, 'shared'), 0o777);
    // A copy, because the user of the program may be unable to read this repository.
    await copyFile(
      fileURLToPath(new URL('prying-program.js', import.meta.url)),
      join(directory, 'shared', 'prying.mjs'),
    );
    await mkdir(join(directory, 'data'), { mode: 0o700 });
    await writeFile(join(directory, 'data', 'settings.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, {
      mode: 0o600,
    });
    await writeFile(join(directory, 'webhook-secret'), SECRET_FILE_CANARY, { mode: 0o600 });
    databaseSocket = createServer((socket) => socket.end()).listen(join(directory, 'database.sock'));
    await once(databaseSocket, 'listening');
  });

  afterEach(async () => {
    await server?.end('SIGTERM');
    server = undefined;
    databaseSocket?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const databasePort = (): number => Number(new URL(database.connectionString).port);
  const secretFiles = (): string[] =>
    ['countersign.config.yaml', 'webhook-secret', 'data/settings.key', 'data/keys/dev-token.json'].map((name) =>
      join(directory, name),
    );
  const buildProbeTargets = (): ProbeTargets => ({
    directory: join(directory, 'shared'),
    files: [...secretFiles(), '/etc/shadow', `/root/.bashrc`],
    writes: ['/', '/usr/bin', '/etc/passwd', '/proc/sys/kernel/core_pattern'],
    traces: [join(directory, 'trace'), join(directory, 'data', 'trace')],
    sockets: [join(directory, 'database.sock'), databasePort()],
  });
  const buildEnvironment = () => ({
    Storage__Postgres__ConnectionString: database.connectionString,
    Integrations__EventIngress__Sources__0__Id: 'ci',
    Integrations__EventIngress__Sources__0__Secret: ENVIRONMENT_CANARY,
    Integrations__CodeHost__Secret_FILE: join(directory, 'webhook-secret'),
  });

  async function writeConfiguration(mcp: JsonObject, extraConfiguration: JsonObject = {}): Promise<void> {
    const program = {
      Name: 'prying',
      Command: process.execPath,
      Args: [join(directory, 'shared', 'prying.mjs'), JSON.stringify(buildProbeTargets())],
      ...extraConfiguration,
    };
    const content = {
      Data: { Directory: join(directory, 'data') },
      Models: { OpenAI: { ApiKey: CONFIGURATION_CANARY } },
      Agents: { Mcp: { Servers: [program], ...mcp } },
    };
    await writeFile(join(directory, 'countersign.config.yaml'), JSON.stringify(content), { mode: 0o600 });
  }

  async function runAndReadFindings(): Promise<Findings> {
    server = await startServer([], { cwd: directory, env: buildEnvironment() });
    const file = join(directory, 'shared', 'findings.json');
    const findingsWritten = waitUntil('the program has written its findings', () =>
      readFile(file).then(
        () => true,
        () => false,
      ),
    );
    await findingsWritten.catch(() =>
      expect.fail(`The program has written no findings. Output of the server:\n${server?.output()}`),
    );
    expect(server.output().includes('cannot read the secrets'), server.output()).to.equal(true);
    return JSON.parse(await readFile(file, 'utf8')) as Findings;
  }

  /** Checks the isolation, regardless of its method. */
  function expectIsolated(findings: Findings): void {
    const {
      environment: programEnvironment,
      descriptors,
      environments,
      memories,
      files: fileResults,
      writes,
    } = findings;
    const searchedText =
      JSON.stringify(findings.files) +
      JSON.stringify(environments) +
      JSON.stringify(findings.commandLines) +
      JSON.stringify(programEnvironment);
    for (const secret of [
      ENVIRONMENT_CANARY,
      CONFIGURATION_CANARY,
      SECRET_FILE_CANARY,
      database.connectionString,
      new URL(database.connectionString).password,
    ])
      expect(searchedText).not.to.include(secret);
    // bubblewrap sets PWD.
    expect(Object.keys(programEnvironment).filter((name) => name !== 'PWD')).to.eql(['PATH']);
    // In a namespace, the first process is bubblewrap, which received everything that the program received.
    const bubblewrapPids = hasOwnProcesses(findings) ? ['1'] : [];
    expect(Object.keys(memories).filter((pid) => memories[pid] === 'true' && !bubblewrapPids.includes(pid))).to.eql([]);
    expect(Object.keys(fileResults)).to.include.members(secretFiles());
    for (const [file, result] of Object.entries(fileResults))
      expect(result, file).to.be.oneOf(['ENOENT', 'EACCES', '']);
    expect(new Set(Object.values(writes)).has('writable'), JSON.stringify(writes)).to.equal(false);
    expect(
      descriptors.filter(
        (descriptor) => descriptor.startsWith('/') && !descriptor.startsWith('/proc/') && descriptor !== '/dev/null',
      ),
    ).to.eql([]);
    expect(buildProbeTargets().traces.filter((trace) => existsSync(trace))).to.eql([]);
    expect(findings.uid).not.to.equal(0);
  }

  const hasOwnProcesses = ({ environments }: Findings): boolean => Object.keys(environments).join() === '1';

  describe(`in separate namespaces${hasNamespaces ? '' : ' (skipped: bubblewrap is missing, or namespaces are not allowed)'}`, () => {
    before(function () {
      if (!hasNamespaces) this.skip();
    });

    it('should hide secrets, other processes and sockets of the file system', async () => {
      // given
      await writeConfiguration({}, { WritePaths: [join(directory, 'shared')] });

      // when
      const findings = await runAndReadFindings();

      // then
      expectIsolated(findings);
      expect(Object.keys(findings.environments)).to.eql(['1']);
      expect(findings.commandLines['1']).to.match(/bwrap/);
      expect(findings.sockets[join(directory, 'database.sock')]).to.equal('ENOENT');
    });

    it('should hide keys and the configuration even below a readable path', async () => {
      await writeConfiguration({}, { ReadPaths: [directory], WritePaths: [join(directory, 'shared')] });

      const findings = await runAndReadFindings();

      expectIsolated(findings);
      expect(findings.sockets[join(directory, 'database.sock')], 'socket below a readable path').to.be.oneOf([
        'connected',
        'EACCES',
      ]);
    });

    it('should block the network if Network is false', async () => {
      await writeConfiguration({}, { Network: false, WritePaths: [join(directory, 'shared')] });

      const findings = await runAndReadFindings();

      expect(findings.sockets[String(databasePort())]).to.equal('ECONNREFUSED');
    });
  });

  describe(`as another user${isRoot ? '' : ' (skipped: only root can start programs as another user)'}`, () => {
    before(function () {
      if (!isRoot) this.skip();
    });
    const nobodyIsolation = { Isolation: 'user', User: { Uid: NOBODY_UID, Gid: NOBODY_UID } };

    it('should hide secrets', async () => {
      await writeConfiguration(nobodyIsolation);

      const findings = await runAndReadFindings();

      expectIsolated(findings);
      expect(findings.uid).to.equal(NOBODY_UID);
      expect(Object.keys(findings.environments).length).to.be.greaterThan(1);
    });
  });

  describe('without available isolation', () => {
    it('should prevent the server from starting, with an error that names the setting and its choices', async () => {
      // given: the server searches for bubblewrap in PATH
      await writeConfiguration({});

      const { code, stderr } = await run(['start', '--port', '0'], {
        cwd: directory,
        env: { ...buildEnvironment(), PATH: join(directory, 'shared') },
      });

      expect(code).to.equal(1);
      expect(stderr)
        .to.include('Agents:Mcp:Isolation is "auto"')
        .and.include('bubblewrap (bwrap) is not installed')
        .and.include('Agents:Mcp:User is not set')
        .and.include('"none"');
    });
  });
});
