import { createClient, type Client } from '@countersign/contract';
import { mintDevToken } from '@countersign/server';
import { approvalModel, createTestDatabase, TEST_POSTGRES_VARIABLE, type TestDatabase } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, startServer, type RunningServer } from '../cli/cli.spec.support.js';
import { readTableTexts } from '../table-texts.spec.support.js';
import {
  loadAllPlugins,
  toEnvironment,
  toConfigurationFile,
  createCanaries,
  ITEM_NAME,
  findLeaks,
  type Canary,
} from './canaries.spec.support.js';
import { doorPlugin } from './door-plugin.js';

const DOOR_PLUGIN = fileURLToPath(new URL('./door-plugin.js', import.meta.url));
const CONNECTION_STRING = 'Storage:Postgres:ConnectionString';
/** Variables of this process that must not reach the server under test. */
const STRIPPED_ENVIRONMENT = { [TEST_POSTGRES_VARIABLE]: undefined };

/** A text and its location. */
interface CollectedText {
  readonly where: string;
  readonly text: string | Buffer;
}

describe('canary values in every secret setting', function () {
  this.timeout(180_000);

  let canaries: Canary[];
  let directory: string;
  let collectedTexts: CollectedText[];
  let server: RunningServer | undefined;
  let token: string;

  before(async () => {
    canaries = createCanaries([...(await loadAllPlugins()), doorPlugin]);
  });

  beforeEach(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-canary-'));
    collectedTexts = [];
    server = undefined;
  });

  afterEach(async () => {
    await server?.end('SIGTERM');
    await rm(directory, { recursive: true, force: true });
  });

  const canaryKey = ({ path }: Canary) => path.map((part) => (typeof part === 'string' ? part : ITEM_NAME)).join(':');
  const withConnectionString = (connectionString: string) =>
    canaries.map((canary) =>
      canaryKey(canary) === CONNECTION_STRING ? { ...canary, settingValue: connectionString } : canary,
    );
  const findLeakedCanaries = (all: readonly Canary[]) =>
    collectedTexts
      .map(({ where, text }) => ({ where, keys: findLeaks(all, text) }))
      .filter(({ keys }) => keys.length > 0);

  it('should be detected by this test in plain, environment and Base64 form', async () => {
    expect(canaries.map(canaryKey)).to.include.members([
      CONNECTION_STRING,
      'Settings:EncryptionKey',
      `Door:Vault:${ITEM_NAME}`,
      'Door:Token',
    ]);
    expect(findLeaks(canaries, JSON.stringify(toConfigurationFile(canaries)))).to.have.length(canaries.length);
    expect(findLeaks(canaries, Buffer.from(JSON.stringify(toEnvironment(canaries))))).to.have.length(canaries.length);
    expect(findLeaks(canaries, Buffer.from(canaries[0]?.value ?? '').toString('base64'))).to.have.length(1);
  });

  it('should not leak when set in the configuration file, with an external database', async () => {
    // given
    const database = await createTestDatabase();
    try {
      // the password is the canary of the connection string
      const password = new URL(database.connectionString).password;
      const all = canaries.map((canary) =>
        canaryKey(canary) === CONNECTION_STRING ? { ...canary, value: password } : canary,
      );
      const file = {
        ...toConfigurationFile(withConnectionString(database.connectionString)),
        Plugins: [DOOR_PLUGIN],
        Log: { Level: 'debug', Format: 'json' },
      };
      await writeFile(join(directory, 'countersign.config.yaml'), JSON.stringify(file));

      // when
      const client = await start({});
      await expectEverySecretSet(client, all);
      await useServer(client, all);
      await explainAndFail(STRIPPED_ENVIRONMENT, all, {
        ...file,
        Door: { ...(file as { Door?: object }).Door, Tokn: all.at(-1)?.value, Size: all.at(-1)?.value },
      });
      await collectDatabase(database);
      await collectProcesses({ environment: true });
      await stop();

      // then
      expect(findLeakedCanaries(all)).to.deep.equal([]);
    } finally {
      await server?.end('SIGTERM');
      server = undefined;
      await database.drop();
    }
  });

  it('should not leak when set in the environment or by an admin, not even to the embedded database', async () => {
    // given
    const configuredCanaries = canaries.filter((canary) => canaryKey(canary) !== CONNECTION_STRING);
    const savedCanaries = createCanaries([...(await loadAllPlugins()), doorPlugin]);
    const all = [...configuredCanaries, ...savedCanaries];
    const environment = {
      ...STRIPPED_ENVIRONMENT,
      ...toEnvironment(configuredCanaries),
      Plugins__0: DOOR_PLUGIN,
      Log__Level: 'debug',
      Log__Format: 'json',
    };

    // when
    const client = await start(environment);
    await expectEverySecretSet(client, configuredCanaries);
    const items = (await client.getSettings()).items.filter(({ isSecret, editable }) => isSecret && editable);
    const secrets = Object.fromEntries(
      savedCanaries.flatMap(({ settingKey, settingValue: value }) =>
        items.some(({ key }) => key === settingKey) ? [[settingKey, value]] : [],
      ),
    );
    expect(Object.keys(secrets))
      .to.have.members(items.map(({ key }) => key))
      .and.to.include('Door:Token');
    collect('PATCH', await client.updateSettings({ body: { secrets } }));
    await useServer(client, all);
    await explainAndFail(environment, all);
    await collectProcesses({ environment: false });
    await collectFiles();
    await stop();
    await collectFiles();

    // then
    expect(findLeakedCanaries(all)).to.deep.equal([]);
  });

  function collect(where: string, content: unknown): void {
    collectedTexts.push({
      where,
      text: typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    });
  }

  async function start(environment: Record<string, string | undefined>): Promise<Client> {
    server = await startServer(['--data', 'data'], {
      cwd: directory,
      env: { ...STRIPPED_ENVIRONMENT, ...environment },
    });
    token = (await mintDevToken({ dataDirectory: join(directory, 'data'), subject: 'root', role: 'admin' })).token;
    return createClient({ baseUrl: server.url, token });
  }

  async function stop(): Promise<void> {
    await server?.end('SIGTERM');
    collect('log', server?.output() ?? '');
    expect(server?.output()).to.contain('"level":"debug"');
    server = undefined;
  }

  /** Checks that the running server lists every canary as a secret setting and that each is set. */
  async function expectEverySecretSet(client: Client, all: readonly Canary[]): Promise<void> {
    const { items } = await client.getSettings();
    const secrets = items.filter(({ isSecret }) => isSecret);
    expect(
      secrets
        .filter(({ key, isSet }) => !isSet && all.some(({ settingKey }) => settingKey === key))
        .map(({ key }) => key),
    ).to.deep.equal([]);
    expect(secrets.map(({ key }) => key)).to.include.members(all.flatMap(({ settingKey }) => settingKey ?? []));
    collect('GET /api/settings', items);
  }

  /** Sends valid requests, invalid requests, and requests with secrets in the wrong places. */
  async function useServer(client: Client, all: readonly Canary[]): Promise<void> {
    await client.deployWorkflow({ body: approvalModel('canary') });
    const { runId } = await client.startRun({ body: { workflowId: 'canary' } });
    for (const path of [
      '/api/health/ready',
      '/api/health/runtime',
      '/api/health/engine',
      '/api/auth/config',
      '/openapi/v1.json',
      '/api/docs',
      '/metrics',
      '/api/settings',
      '/api/workflows/canary',
      '/api/runs',
      `/api/runs/${runId}`,
      `/api/runs/${runId}/events`,
      `/api/runs/${runId}/evidence-pack`,
      '/api/approvals',
      '/api/audit-events',
      '/api/audit-events?limit=200',
      '/api/inbound-events',
      '/nowhere',
    ]) {
      await sendAndCollect('GET', path);
    }
    for (const target of (await client.getSettings()).targets)
      await sendAndCollect('POST', `/api/settings/tests/${target}`);
    await sendAndCollect('PATCH', '/api/settings', '{"secrets": {"Door:Token": nonsense}}');
    await sendAndCollect(
      'PATCH',
      '/api/settings',
      JSON.stringify({ values: { 'Door:Even': 3, 'Log:Level': 'loud', 'Settings:EncryptionKey': null } }),
    );
    for (const path of ['/webhooks/events', '/webhooks/codehost']) {
      await sendAndCollect('POST', path, '{}', {
        'x-service-source': ITEM_NAME,
        'x-service-signature-256': `sha256=${'0'.repeat(64)}`,
        'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
        'x-github-event': 'ping',
      });
    }
    // If a secret is in the wrong place, the response names its location, not its value.
    for (const { value, settingKey } of all) {
      const wrongBodies = [
        { values: { [settingKey ?? 'Door:Token']: value } },
        { values: { 'Door:Sources': [{ Id: 'x', Secret: value }] } },
        { secrets: { 'No:Such:Key': value, 'Door:Size': value } },
        { values: { 'Log:Level': value, 'Runs:StuckAfter': value, 'Door:Size': value } },
      ];
      for (const body of wrongBodies) await sendAndCollect('PATCH', '/api/settings', JSON.stringify(body));
      await sendAndCollect('PATCH', '/api/settings', `{"secrets": {"Door:Token": ${value}`);
    }
  }

  async function sendAndCollect(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const response = await fetch(`${server?.url ?? ''}${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    });
    collect(`${method} ${path}`, `${JSON.stringify([...response.headers])} ${await response.text()}`);
  }

  /** Runs `config explain`, and other commands that fail with the secrets loaded. */
  async function explainAndFail(
    environment: Record<string, string | undefined>,
    all: readonly Canary[],
    brokenConfiguration: object = { Door: { Size: all[0]?.value } },
  ): Promise<void> {
    const options = { cwd: directory, env: environment };
    const explained = await run(['config', 'explain', '--data', 'data'], options);
    expect(explained.stdout).to.contain('Door:Token = [secret]');
    await writeFile(join(directory, 'broken.json'), JSON.stringify(brokenConfiguration));
    for (const args of [
      ['config', 'explain', '--config', 'broken.json'],
      ['start', '--port', '0', '--data', 'other', '--config', 'broken.json', '--verbose'],
      ['migrate', '--config', 'broken.json', '--verbose'],
    ]) {
      const { code, stdout, stderr } = await run(args, options);
      expect(code, args.join(' ')).to.equal(1);
      collect(args.join(' '), stdout + stderr);
    }
    await rm(join(directory, 'broken.json'));
    collect('config explain', explained.stdout + explained.stderr);
  }

  async function collectDatabase({ connectionString }: TestDatabase): Promise<void> {
    const tables = await readTableTexts(connectionString);
    expect(tables.size).to.be.greaterThan(10);
    for (const [name, text] of tables) collect(`table ${name}`, text);
  }

  /**
   * Collects the command lines of all processes, which every user can read, and the environments of the processes that
   * the server started. `environment` includes the environment of the server.
   */
  async function collectProcesses({ environment }: { environment: boolean }): Promise<void> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) collect(`command line of ${pid}`, await readFile(`/proc/${pid}/cmdline`).catch(() => ''));
    const parents = new Map(
      await Promise.all(
        pids.map(
          async (pid) =>
            [pid, /^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1]] as const,
        ),
      ),
    );
    const serverPid = String(server?.pid);
    const isDescendant = (pid: string | undefined): boolean =>
      pid !== undefined && (parents.get(pid) === serverPid || (parents.has(pid) && isDescendant(parents.get(pid))));
    for (const pid of pids)
      if (isDescendant(pid) || (environment && pid === serverPid))
        collect(`environment of ${pid}`, await readFile(`/proc/${pid}/environ`).catch(() => ''));
  }

  async function collectFiles(): Promise<void> {
    for (const entry of await readdir(join(directory, 'data'), { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        collect(`file ${entry.name}`, await readFile(join(entry.parentPath, entry.name)).catch(() => ''));
    }
  }
});
