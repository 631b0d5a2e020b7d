import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreConfiguration, SecretLocations } from '@countersign/core/plugin';
import { expect } from 'chai';
import { McpConfigurationSchema } from '../configuration.js';
import { ProgramIsolation } from './program-isolation.js';

const hasNamespaces =
  process.env['CI'] === 'true' ||
  spawnSync('bwrap', ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true']).status === 0;
const isRoot = process.geteuid?.() === 0;
const NOBODY = { Uid: 65_534, Gid: 65_534 };

describe('ProgramIsolation', () => {
  const { PATH } = process.env;
  let directory: string;
  let keyFile: string;

  beforeEach(async function () {
    if (process.platform !== 'linux') this.skip();
    directory = await realpath(await mkdtemp(join(tmpdir(), 'countersign-isolation-')));
    await chmod(directory, 0o755);
    await mkdir(join(directory, 'data'));
    keyFile = join(directory, 'data', 'settings.key');
    await writeFile(keyFile, 'secret', { mode: 0o600 });
  });

  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(directory, { recursive: true, force: true });
  });

  /** Hides bubblewrap, which is searched for in PATH. */
  const hideBubblewrap = (): void => void (process.env['PATH'] = directory);

  async function prepareIsolation(
    mcp: object,
    server: object = {},
    options: { readonly development?: boolean; readonly secretLocations?: Partial<SecretLocations> } = {},
  ) {
    const logged: string[] = [];
    const log = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
    const configuration = McpConfigurationSchema.parse({
      Agents: { Mcp: { Servers: [{ Name: 'files', Command: '/bin/cat', Args: ['a file'], ...server }], ...mcp } },
    }).Agents.Mcp;
    const secretLocations = {
      directories: [join(directory, 'data')],
      files: [],
      isOnCommandLine: false,
      isInEnvironment: false,
      ...options.secretLocations,
    };
    const core = { Auth: { DevToken: { Enabled: options.development === true } } } as CoreConfiguration;
    const isolation = new ProgramIsolation(configuration, secretLocations, core, {
      debug: log,
      info: log,
      warn: log,
      error: log,
    });
    const refusal = await isolation.prepare().then(
      () => undefined,
      (error: Error & { code: string }) => error,
    );
    return { logged, refusal, start: () => isolation.getProgramStart(configuration.Servers[0]!) };
  }

  describe('without any available isolation', () => {
    beforeEach(hideBubblewrap);

    it('should refuse to start, and name the setting, the reasons and the alternatives', async () => {
      const { refusal, start } = await prepareIsolation({});

      expect(refusal?.code).to.equal('mcp_isolation_unavailable');
      for (const text of [
        '"files"',
        'Agents:Mcp:Isolation is "auto"',
        'bubblewrap (bwrap) is not installed',
        'Agents:Mcp:User is not set',
        '"none"',
        'Url',
      ])
        expect(refusal?.message).to.include(text);
      expect(start).to.throw();
    });

    it('should refuse in development mode if a secret is in the environment, on the command line or in a file', async () => {
      for (const secretLocations of [{ isInEnvironment: true }, { isOnCommandLine: true }, { files: [keyFile] }]) {
        const { refusal, start } = await prepareIsolation({}, {}, { development: true, secretLocations });
        expect(refusal?.code, Object.keys(secretLocations).join()).to.equal('mcp_isolation_unavailable');
        expect(start).to.throw();
      }
    });

    it('should start the program with a warning in development mode', async () => {
      const { refusal, logged, start } = await prepareIsolation({}, {}, { development: true });

      expect(refusal).to.equal(undefined);
      expect(logged.join()).to.include('can read the keys of this server');
      expect(start()).to.include({ command: '/bin/cat' });
    });

    for (const mode of ['namespace', 'user']) {
      it(`should refuse in development mode if Isolation is ${mode}`, async () => {
        const { refusal } = await prepareIsolation({ Isolation: mode }, {}, { development: true });

        expect(refusal?.message).to.include(`Agents:Mcp:Isolation is "${mode}"`);
      });
    }

    it('should warn if Isolation is none, for all servers or for one', async () => {
      for (const [mcp, server] of [
        [{ Isolation: 'none' }, {}],
        [{}, { Isolation: 'none' }],
      ] as const) {
        const { refusal, logged } = await prepareIsolation(mcp, server);

        expect(refusal).to.equal(undefined);
        expect(logged.join()).to.include('is not isolated');
      }
    });

    it('should accept servers without a program', async () => {
      expect(await prepareIsolation({}, { Command: undefined, Args: [], Url: 'https://mcp.example/' })).to.include({
        refusal: undefined,
      });
    });
  });

  describe(`as another user${isRoot ? '' : ' (skipped: only root can start programs as another user)'}`, () => {
    beforeEach(function () {
      if (!isRoot) this.skip();
      hideBubblewrap();
    });

    it('should start the program as the configured user if namespaces are not available', async () => {
      const { refusal, start } = await prepareIsolation({ User: NOBODY });

      expect(refusal).to.equal(undefined);
      expect(start()).to.deep.equal({
        command: '/bin/cat',
        args: ['a file'],
        env: { PATH: directory },
        cwd: undefined,
        user: { uid: 65_534, gid: 65_534 },
      });
    });

    it('should refuse if that user can read a key or a file with secrets', async () => {
      // given
      const passwordFile = join(directory, 'password');
      await writeFile(passwordFile, 'secret', { mode: 0o644 });
      await chmod(keyFile, 0o644);

      // when
      const { refusal } = await prepareIsolation(
        { Isolation: 'user', User: NOBODY },
        {},
        { secretLocations: { files: [passwordFile] } },
      );

      // then
      expect(refusal?.message)
        .to.include(`a program could still read ${passwordFile}, ${keyFile}`)
        .and.include('chmod');
    });

    it('should refuse if that user owns a file in the data directory', async () => {
      // given
      const cluster = join(directory, 'data', 'postgres');
      await mkdir(cluster, { mode: 0o700 });
      await chown(cluster, NOBODY.Uid, NOBODY.Gid);

      // when
      const { refusal } = await prepareIsolation({ Isolation: 'user', User: NOBODY });

      // then
      expect(refusal?.message).to.include(`the user ${NOBODY.Uid} owns ${cluster}`);
    });

    it('should refuse if the command line contains a secret', async () => {
      const { refusal } = await prepareIsolation(
        { Isolation: 'user', User: NOBODY },
        {},
        { secretLocations: { isOnCommandLine: true } },
      );

      expect(refusal?.message).to.include('a secret is on the command line');
    });
  });

  describe(`in namespaces${hasNamespaces ? '' : ' (skipped: bubblewrap is missing, or namespaces are not allowed)'}`, () => {
    beforeEach(function () {
      if (!hasNamespaces) this.skip();
    });

    it('should start the program with bubblewrap, as user 65534 if the server runs as root', async () => {
      const { refusal, start, logged } = await prepareIsolation({});

      expect(refusal).to.equal(undefined);
      expect(start().command).to.match(/\/bwrap$/);
      expect(start().args.slice(-3)).to.eql(['--', '/bin/cat', 'a file']);
      expect(start().user).to.deep.equal(isRoot ? { uid: 65_534, gid: 65_534 } : undefined);
      expect(logged.join()).to.include('cannot read the secrets');
    });

    it('should warn of a path argument that the program cannot see', async () => {
      const Args = ['--from', directory, '/usr/bin', '/nowhere'];

      const warnings = (await prepareIsolation({}, { Args })).logged.filter((line) => line.includes('cannot see'));
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(`"path":"${directory}"`);
      expect(
        (await prepareIsolation({}, { Args, ReadPaths: [directory] })).logged.filter((line) =>
          line.includes('cannot see'),
        ),
      ).to.eql([]);
    });

    it('should hide secret files below a path in ReadPaths, even if the path is a symbolic link', async () => {
      // given
      await symlink(directory, `${directory}-link`);
      await chmod(keyFile, 0o644);
      const configurationFile = join(directory, 'configuration');
      await writeFile(configurationFile, 'secret', { mode: 0o644 });
      try {
        for (const path of [directory, `${directory}-link`, join(directory, 'data')]) {
          // when
          const { refusal, start } = await prepareIsolation(
            {},
            {
              Command: '/bin/cat',
              Args: [join(path, path.endsWith('data') ? '' : 'data', 'settings.key')],
              ReadPaths: [path],
            },
            { secretLocations: { files: [configurationFile] } },
          );

          // then
          expect(refusal, path).to.equal(undefined);
          const { command, args, user } = start();
          const { stdout, status } = spawnSync(command, [...args], { ...user, encoding: 'utf8' });
          expect([stdout, status], path).to.deep.equal(['', 1]);
        }
      } finally {
        await rm(`${directory}-link`);
      }
    });

    it('should refuse if a path in ReadPaths is a secret file', async () => {
      await chmod(keyFile, 0o644);

      const { refusal } = await prepareIsolation({ Isolation: 'namespace' }, { ReadPaths: [keyFile] });

      expect(refusal?.message).to.include(`a program could still read ${keyFile}`);
    });

    it('should refuse if a path in ReadPaths does not exist', async () => {
      const { refusal } = await prepareIsolation(
        { Isolation: 'namespace' },
        { ReadPaths: [join(directory, 'missing')] },
      );

      expect(refusal?.message).to.include('missing');
    });
  });
});
