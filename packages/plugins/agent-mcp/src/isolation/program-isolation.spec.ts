import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreConfiguration, SecretPlaces } from '@countersign/core/plugin';
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
  let key: string;

  beforeEach(async function () {
    if (process.platform !== 'linux') this.skip();
    directory = await realpath(await mkdtemp(join(tmpdir(), 'countersign-isolation-')));
    await chmod(directory, 0o755);
    await mkdir(join(directory, 'data'));
    key = join(directory, 'data', 'settings.key');
    await writeFile(key, 'secret', { mode: 0o600 });
  });

  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(directory, { recursive: true, force: true });
  });

  /** Hides bubblewrap, which is searched for in PATH. */
  const withoutBubblewrap = (): void => void (process.env['PATH'] = directory);

  async function prepared(
    mcp: object,
    server: object = {},
    more: { readonly development?: boolean; readonly places?: Partial<SecretPlaces> } = {},
  ) {
    const logged: string[] = [];
    const note = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
    const configuration = McpConfigurationSchema.parse({
      Agents: { Mcp: { Servers: [{ Name: 'files', Command: '/bin/cat', Args: ['a file'], ...server }], ...mcp } },
    }).Agents.Mcp;
    const places = {
      directories: [join(directory, 'data')],
      files: [],
      isOnCommandLine: false,
      isInEnvironment: false,
      ...more.places,
    };
    const core = { Auth: { DevToken: { Enabled: more.development === true } } } as CoreConfiguration;
    const isolation = new ProgramIsolation(configuration, places, core, {
      debug: note,
      info: note,
      warn: note,
      error: note,
    });
    const outcome = await isolation.prepare().then(
      () => undefined,
      (error: Error & { code: string }) => error,
    );
    return { logged, refusal: outcome, start: () => isolation.startOf(configuration.Servers[0]!) };
  }

  describe('without any available isolation', () => {
    beforeEach(withoutBubblewrap);

    it('should refuse to start, and name the setting, the reasons and the alternatives', async () => {
      const { refusal, start } = await prepared({});

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

    it('should refuse in development mode if the server process was given a secret', async () => {
      for (const places of [{ isInEnvironment: true }, { isOnCommandLine: true }, { files: [key] }]) {
        const { refusal, start } = await prepared({}, {}, { development: true, places });
        expect(refusal?.code, Object.keys(places).join()).to.equal('mcp_isolation_unavailable');
        expect(start).to.throw();
      }
    });

    it('should start the program with a warning in development mode', async () => {
      const { refusal, logged, start } = await prepared({}, {}, { development: true });

      expect(refusal).to.equal(undefined);
      expect(logged.join()).to.include('can read the keys of this server');
      expect(start()).to.include({ command: '/bin/cat' });
    });

    for (const mode of ['namespace', 'user']) {
      it(`should refuse in development mode if Isolation is ${mode}`, async () => {
        const { refusal } = await prepared({ Isolation: mode }, {}, { development: true });

        expect(refusal?.message).to.include(`Agents:Mcp:Isolation is "${mode}"`);
      });
    }

    it('should warn if Isolation is none, for all servers or for one', async () => {
      for (const [mcp, server] of [
        [{ Isolation: 'none' }, {}],
        [{}, { Isolation: 'none' }],
      ] as const) {
        const { refusal, logged } = await prepared(mcp, server);

        expect(refusal).to.equal(undefined);
        expect(logged.join()).to.include('is not isolated');
      }
    });

    it('should accept servers without a program', async () => {
      expect(await prepared({}, { Command: undefined, Args: [], Url: 'https://mcp.example/' })).to.include({
        refusal: undefined,
      });
    });
  });

  describe(`as another user${isRoot ? '' : ' (skipped: only root can start programs as another user)'}`, () => {
    beforeEach(function () {
      if (!isRoot) this.skip();
      withoutBubblewrap();
    });

    it('should start the program as the configured user if namespaces are not available', async () => {
      const { refusal, start } = await prepared({ User: NOBODY });

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
      const referenced = join(directory, 'password');
      await writeFile(referenced, 'secret', { mode: 0o644 });
      await chmod(key, 0o644);

      // when
      const { refusal } = await prepared({ Isolation: 'user', User: NOBODY }, {}, { places: { files: [referenced] } });

      // then
      expect(refusal?.message).to.include(`a program could still read ${referenced}, ${key}`).and.include('chmod');
    });

    it('should refuse if that user owns a file in the data directory', async () => {
      // given
      const cluster = join(directory, 'data', 'postgres');
      await mkdir(cluster, { mode: 0o700 });
      await chown(cluster, NOBODY.Uid, NOBODY.Gid);

      // when
      const { refusal } = await prepared({ Isolation: 'user', User: NOBODY });

      // then
      expect(refusal?.message).to.include(`the user ${NOBODY.Uid} owns ${cluster}`);
    });

    it('should refuse if the command line contains a secret', async () => {
      const { refusal } = await prepared(
        { Isolation: 'user', User: NOBODY },
        {},
        { places: { isOnCommandLine: true } },
      );

      expect(refusal?.message).to.include('a secret is on the command line');
    });
  });

  describe(`in namespaces${hasNamespaces ? '' : ' (skipped: bubblewrap is missing, or namespaces are not allowed)'}`, () => {
    beforeEach(function () {
      if (!hasNamespaces) this.skip();
    });

    it('should start the program with bubblewrap, as user 65534 if the server runs as root', async () => {
      const { refusal, start, logged } = await prepared({});

      expect(refusal).to.equal(undefined);
      expect(start().command).to.match(/\/bwrap$/);
      expect(start().args.slice(-3)).to.eql(['--', '/bin/cat', 'a file']);
      expect(start().user).to.deep.equal(isRoot ? { uid: 65_534, gid: 65_534 } : undefined);
      expect(logged.join()).to.include('cannot read the secrets');
    });

    it('should warn of a path argument that the program cannot see', async () => {
      const Args = ['--from', directory, '/usr/bin', '/nowhere'];

      const warnings = (await prepared({}, { Args })).logged.filter((line) => line.includes('cannot see'));
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(`"path":"${directory}"`);
      expect(
        (await prepared({}, { Args, ReadPaths: [directory] })).logged.filter((line) => line.includes('cannot see')),
      ).to.eql([]);
    });

    it('should hide secret files below a path in ReadPaths, also if the path is a symbolic link', async () => {
      // given
      await symlink(directory, `${directory}-link`);
      await chmod(key, 0o644);
      const configured = join(directory, 'configuration');
      await writeFile(configured, 'secret', { mode: 0o644 });
      try {
        for (const path of [directory, `${directory}-link`, join(directory, 'data')]) {
          // when
          const { refusal, start } = await prepared(
            {},
            {
              Command: '/bin/cat',
              Args: [join(path, path.endsWith('data') ? '' : 'data', 'settings.key')],
              ReadPaths: [path],
            },
            { places: { files: [configured] } },
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
      await chmod(key, 0o644);

      const { refusal } = await prepared({ Isolation: 'namespace' }, { ReadPaths: [key] });

      expect(refusal?.message).to.include(`a program could still read ${key}`);
    });

    it('should refuse if a path in ReadPaths does not exist', async () => {
      const { refusal } = await prepared({ Isolation: 'namespace' }, { ReadPaths: [join(directory, 'nothing')] });

      expect(refusal?.message).to.include('nothing');
    });
  });
});
