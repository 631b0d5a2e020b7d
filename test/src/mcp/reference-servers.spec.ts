import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type JsonObject, SettingsTestContribution, ToolError } from '@countersign/core/plugin';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { startMcpHost, type McpHost } from './mcp.spec.support.js';
import { findFreePort } from '../free-port.spec.support.js';

const require = createRequire(import.meta.url);

/** The programs of the reference servers, as npm has installed them. */
const EVERYTHING_SERVER = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist',
  'index.js',
);
const FILESYSTEM_SERVER = join(
  dirname(require.resolve('@modelcontextprotocol/server-filesystem/package.json')),
  'dist',
  'index.js',
);
const ALLOWED_TOOLS = [
  'echo',
  'get-sum',
  'get-structured-content',
  'get-tiny-image',
  'get-resource-links',
  'get-resource-reference',
  'get-env',
  'trigger-long-running-operation',
].map((Name) => ({ Name, Effect: 'read' }));

describe('MCP reference servers', () => {
  let database: TestDatabase;
  let host: McpHost | undefined;

  before(async () => {
    database = await createMigratedTestDatabase();
  });

  afterEach(async () => {
    await host?.stop();
    host = undefined;
  });

  after(() => database.drop());

  const start = async (server: JsonObject): Promise<McpHost> => {
    host = await startMcpHost(database, [{ Name: 'reference', ...server }]);
    return host;
  };

  /** Defines the tests that apply to every transport. */
  const describeEverythingServer = (configuration: () => JsonObject): void => {
    it('should offer only the allowed tools', async () => {
      const { tools, readiness } = await start(configuration());

      expect(tools().map(({ name }) => name)).to.eql(ALLOWED_TOOLS.map(({ Name }) => `mcp.reference.${Name}`));
      expect(await readiness()).to.eql({
        status: 'ok',
        detail: 'MCP servers: 1, all responding; tools that agents may use: 8.',
      });
    });

    it('should return text, data, links and notes about omitted content from calls', async () => {
      const { call, callAndGetError, tool } = await start(configuration());

      expect(await call('mcp.reference.echo', { message: 'Hello' })).to.eql({
        content: 'Echo: Hello',
        taint: ['mcp:reference'],
      });
      expect((await call('mcp.reference.get-sum', { a: 2, b: 3 })).content).to.match(/\b5\b/);
      expect((await call('mcp.reference.get-structured-content', { location: 'New York' })).content)
        .to.have.property('data')
        .that.includes.keys('temperature', 'conditions');
      expect((await call('mcp.reference.get-tiny-image')).content)
        .to.have.property('leftOut')
        .that.has.length(1);
      expect((await call('mcp.reference.get-resource-links', { count: 2 })).content)
        .to.have.property('links')
        .that.has.length(2);
      expect(
        (await call('mcp.reference.get-resource-reference', { resourceType: 'Text', resourceId: 1 })).content,
      ).to.include('resource');
      expect(tool('mcp.reference.get-sum').parseArguments({ a: 2 })).to.have.property('problems');
      expect(
        await callAndGetError(
          'mcp.reference.get-structured-content',
          { location: 'New York' },
          { signal: AbortSignal.abort(new Error('cancelled')) },
        ),
      ).to.include({ message: 'cancelled' });
    });

    it('should complete a long-running call', async () => {
      const { call } = await start(configuration());

      expect(
        (await call('mcp.reference.trigger-long-running-operation', { duration: 1, steps: 2 })).content,
      ).to.include('completed');
    });

    it('should pass the settings test', async () => {
      const { host: started } = await start(configuration());
      const [check] =
        started
          .getAll(SettingsTestContribution)
          .find(({ target }) => target === 'mcp')
          ?.checks() ?? [];

      expect(check?.name).to.equal('reference');
      expect(await check?.run()).to.match(/^Tools that the MCP server offers: \d+\. Allowed: 8\.$/);
    });
  };

  describe('server-everything over stdio', () => {
    const configuration = (): JsonObject => ({
      Command: process.execPath,
      Args: [EVERYTHING_SERVER, 'stdio'],
      AllowedTools: ALLOWED_TOOLS,
    });

    describeEverythingServer(configuration);

    it('should not receive the environment of the Countersign server', async () => {
      const { call } = await start({ ...configuration(), PlainEnv: { ITS_OWN: '1' } });

      const environment = JSON.parse((await call('mcp.reference.get-env')).content as string) as Record<string, string>;

      expect(
        Object.keys(environment)
          .filter((name) => !name.startsWith('__'))
          .sort(),
      ).to.eql(['ITS_OWN', 'PATH']);
    });
  });

  describe('server-everything over streamable HTTP', () => {
    let server: ChildProcess;
    let port: number;

    before(async () => {
      port = await findFreePort();
      await startHttpServer();
    });

    after(() => stopServer());

    const startHttpServer = async (): Promise<void> => {
      server = spawn(process.execPath, [EVERYTHING_SERVER, 'streamableHttp'], {
        env: { ...process.env, PORT: String(port) },
        stdio: 'ignore',
      });
      await waitUntil('the server responds', () =>
        fetch(`http://127.0.0.1:${port}/mcp`, { method: 'GET' }).then(
          () => true,
          () => false,
        ),
      );
    };
    const stopServer = async (): Promise<void> => {
      const serverExit = once(server, 'exit');
      server.kill('SIGKILL');
      await serverExit;
    };
    const configuration = (): JsonObject => ({ Url: `http://127.0.0.1:${port}/mcp`, AllowedTools: ALLOWED_TOOLS });

    describeEverythingServer(configuration);

    it('should connect again after a restart that lost the session', async () => {
      // given
      const { call } = await start(configuration());
      await stopServer();
      await startHttpServer();

      // when
      const { content } = await call('mcp.reference.echo', { message: 'Hello' });

      // then
      expect(content).to.equal('Echo: Hello');
    });

    it('should be reported as not responding if the operator does not allow its network', async () => {
      host = await startMcpHost(database, [{ Name: 'reference', ...configuration() }], {
        Connectors: { AllowedNetworks: [] },
      });

      expect((await host.readiness()).detail).to.include('is not responding');
      expect(host.logged.join('\n')).to.include('has an address that is not public');
    });
  });

  describe('server-filesystem', () => {
    let directory: string;

    beforeEach(async () => {
      directory = await realpath(await mkdtemp(join(tmpdir(), 'countersign-files-')));
      await mkdir(join(directory, 'shared'));
      await writeFile(join(directory, 'shared', 'a.txt'), 'Grüße');
      await writeFile(join(directory, 'secret.txt'), 'not for agents');
    });

    afterEach(() => rm(directory, { recursive: true, force: true }));

    it('should read and write allowed files, and return an error for other files', async () => {
      const { call, callAndGetError, tools } = await start({
        Name: 'files',
        Command: process.execPath,
        Args: [FILESYSTEM_SERVER, join(directory, 'shared')],
        AllowedTools: [
          { Name: 'read_text_file', Effect: 'read' },
          { Name: 'write_file', Reversible: true },
        ],
      });

      expect(tools().map(({ name, effect }) => `${name}: ${effect}`)).to.eql([
        'mcp.files.read_text_file: read',
        'mcp.files.write_file: write',
      ]);
      expect(
        JSON.stringify((await call('mcp.files.read_text_file', { path: join(directory, 'shared', 'a.txt') })).content),
      ).to.include('Grüße');
      await call('mcp.files.write_file', { path: join(directory, 'shared', 'b.txt'), content: 'new' });
      expect(await readFile(join(directory, 'shared', 'b.txt'), 'utf8')).to.equal('new');
      expect(await callAndGetError('mcp.files.read_text_file', { path: join(directory, 'secret.txt') }))
        .to.be.instanceOf(ToolError)
        .and.include({ code: 'mcp_tool_failed' });
    });
  });
});
