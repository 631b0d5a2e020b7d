import { expect } from 'chai';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, startServer, type RunningServer } from './cli.spec.support.js';

const WORKFLOW = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="urn:test">
  <bpmn:process id="ask" isExecutable="true">
    <bpmn:startEvent id="start" /><bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="review" />
    <bpmn:userTask id="review" name="Review" /><bpmn:sequenceFlow id="f2" sourceRef="review" targetRef="end" />
    <bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>`;

describe('the countersign command', function () {
  this.timeout(120_000);

  let cwd: string;
  let server: RunningServer | undefined;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "countersign it's a "));
    await mkdir(join(cwd, 'flows'));
    await writeFile(join(cwd, 'flows', 'ask.bpmn'), WORKFLOW);
    await writeFile(join(cwd, 'countersign.config.yaml'), 'Workflows: { Directory: flows }\n');
  });

  afterEach(async () => {
    await server?.end('SIGKILL');
    server = undefined;
    await rm(cwd, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const call = async (path: string, token: string, body?: object) => {
    const response = await fetch(`${server?.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const tokenFor = async (role: string) => (await run(['token', '--role', role], { cwd })).stdout.trim();
  const postmasterPid = async () =>
    Number((await readFile(join(cwd, 'data', 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);

  it('should start, issue tokens, stop with its database, and restart on the same data', async () => {
    // given
    server = await startServer([], { cwd });
    expect(server.output()).to.contain('ask v1 (new)').and.contain('npx countersign token --role approver)\n');

    // when a user starts a run and the server stops
    const viewer = await run(['token', '--role', 'viewer'], { cwd });
    expect(viewer).to.deep.include({ code: 0, stderr: '' });
    expect(viewer.stdout).to.match(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const startResponse = await call('/api/runs', viewer.stdout.trim(), { workflowId: 'ask' });
    expect(startResponse.status, JSON.stringify(startResponse.body)).to.equal(201);
    const databasePid = await postmasterPid();
    expect(await server.end('SIGINT')).to.deep.equal({ code: 0, signal: null });

    // then PostgreSQL has stopped, and no tokens are issued
    expect(() => process.kill(databasePid, 0)).to.throw('ESRCH');
    const tokenResult = await run(['token', '--role', 'viewer'], { cwd });
    expect(tokenResult).to.include({ code: 1, stdout: '' });
    expect(tokenResult.stderr).to.match(/^error server_not_running: .*\nStart it with npm start/);

    // and the run still exists after the next start
    server = await startServer([], { cwd });
    expect(server.output()).to.contain('ask v1\n');
    const runResponse = await call(`/api/runs/${String(startResponse.body['runId'])}`, await tokenFor('viewer'));
    expect(runResponse.body).to.include({ status: 'blocked' });
    expect(await server.end('SIGTERM')).to.deep.equal({ code: 0, signal: null });
  });

  it('should stop when npm, which started the server through a shell, receives SIGTERM', async () => {
    server = await startServer([], { cwd, viaNpm: true });
    const databasePid = await postmasterPid();

    await server.end('SIGTERM'); // the signal ends the shell; the output ends when the server exits

    expect(server.output()).to.contain('Stopping:');
    expect(() => process.kill(databasePid, 0)).to.throw('ESRCH');
  });

  it('should keep its runs and tokens when the server restarts after SIGKILL', async () => {
    server = await startServer([], { cwd });
    const token = await tokenFor('viewer');
    const startResponse = await call('/api/runs', token, { workflowId: 'ask' });
    await server.end('SIGKILL');

    server = await startServer([], { cwd });

    expect((await call(`/api/runs/${String(startResponse.body['runId'])}`, token)).body).to.include({
      status: 'blocked',
    });
  });

  it('should name the key and the allowed values when a setting names an unknown implementation', async () => {
    const { code, stderr } = await run(
      ['start', '--port', '0', '--set', 'Engine:Adapter=zeebe', '--set', 'Artifacts:Store=s3'],
      { cwd },
    );

    expect(code).to.equal(1);
    expect(stderr)
      .to.contain('Engine:Adapter is "zeebe", which no plugin provides. Set it to "embedded" or "temporal"')
      .and.to.contain('Artifacts:Store is "s3", which no plugin provides. Set it to "filesystem"');
  });

  for (const level of ['warn', 'silent']) {
    it(`should print the selected port even if Log:Level is ${level}`, async () => {
      const server = await startServer(['--set', `Log:Level=${level}`, '--set', 'Log:Format=json'], { cwd });

      expect((await fetch(`${server.url}/api/health/live`)).status).to.equal(200);
      await server.end('SIGTERM');
    });
  }

  it('should report a port in use and suggest another port before PostgreSQL starts', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as AddressInfo;

    const result = await run(['start', '--port', String(port)], { cwd });
    otherServer.close();

    expect(result.code).to.equal(1);
    expect(result.stderr).to.match(
      new RegExp(`^error port_in_use: Port ${port} on 127.0.0.1 is in use.*\\n.*--port ${port + 1}`),
    );
    expect(await readFile(join(cwd, 'data', 'postgres', 'cluster', 'PG_VERSION')).catch(() => 'nothing')).to.equal(
      'nothing',
    );
  });

  it('should refuse to start with a workflow that is not executable, print the reasons and leave no database running', async () => {
    await writeFile(
      join(cwd, 'flows', 'bad.bpmn'),
      WORKFLOW.replaceAll('bpmn:userTask', 'bpmn:callActivity').replace('"ask"', '"bad"'),
    );

    const result = await run(['start', '--port', '0'], { cwd });

    expect(result.code).to.equal(1);
    expect(result.stderr).to.match(/^error model_refused: [\s\S]*bad\.bpmn\n {2}- "review": /m);
    expect(result.stderr).not.to.contain('    at ');
    await postmasterPid().then(
      () => expect.fail('PostgreSQL still runs'),
      (error: unknown) => expect(error).to.have.property('code', 'ENOENT'),
    );
  });

  it('should refuse development tokens in production and report invalid configuration keys and values', async () => {
    const result = await run(['start', '--set', 'Auth:DevToken:Enabled=true', '--set', 'Server:Prot=1'], {
      cwd,
      env: { NODE_ENV: 'production', Log__Level: 'loud' },
    });

    expect(result.code).to.equal(1);
    expect(result.stderr).to.match(/^error host_start_failed: /);
    expect(result.stderr).to.contain('Server:Prot').and.contain('Did you mean "Port"?').and.contain('Log:Level');

    const devTokenResult = await run(['start', '--set', 'Auth:DevToken:Enabled=true'], {
      cwd,
      env: { NODE_ENV: 'production' },
    });
    expect(devTokenResult.stderr).to.match(/^error auth_configuration: /);
  });

  it('should refuse to issue development tokens when they are disabled', async () => {
    server = await startServer(['--set', 'Auth:DevToken:Enabled=false'], { cwd });

    const result = await run(['token', '--role', 'viewer'], { cwd });

    expect(result).to.include({ code: 1, stdout: '' });
    expect(result.stderr).to.match(/^error dev_token_disabled: /);
    await server.end('SIGTERM');
  });

  it('should migrate the database and exit, also when it is migrated already', async () => {
    expect(await run(['migrate'], { cwd })).to.include({ code: 0 });
    expect(await run(['migrate'], { cwd }), 'a second time').to.include({ code: 0 });
  });

  it('should print the OpenAPI document', async () => {
    const { code, stdout } = await run(['openapi'], { cwd });

    expect(code).to.equal(0);
    expect(JSON.parse(stdout))
      .to.have.property('openapi')
      .that.matches(/^3\.1\./);
  });

  it('should exit with code 2 if a command, an option or a value is invalid', async () => {
    for (const args of [
      ['strat'],
      ['token'],
      ['token', '--role', 'king'],
      ['start', '--prot', '1'],
      ['start', '--set', 'nonsense'],
    ]) {
      const { code, stderr } = await run(args, { cwd });
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr, args.join(' ')).to.match(/^error: /);
    }
    expect(await run(['--help'], { cwd })).to.include({ code: 0 });
  });
});
