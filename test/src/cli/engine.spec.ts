import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processModel } from '@countersign/testing';
import { run, startServer, type RunningServer } from './cli.spec.support.js';

const ASK = processModel(
  'ask',
  '<bpmn:startEvent id="start" /><bpmn:userTask id="review" /><bpmn:endEvent id="end" />',
  'start > review',
  'review > end',
);

describe('countersign engine', function () {
  this.timeout(120_000);

  let cwd: string;
  let server: RunningServer | undefined;

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-engine-'));
    await mkdir(join(cwd, 'flows'));
    await writeFile(join(cwd, 'flows', 'ask.bpmn'), ASK);
    await writeFile(join(cwd, 'countersign.config.yaml'), 'Workflows: { Directory: flows }\n');
    server = await startServer([], { cwd });
  });

  after(async () => {
    await server?.end('SIGKILL');
    await rm(cwd, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const runEngine = (...args: readonly string[]) => run(['engine', ...args], { cwd });

  it('should describe moves', async () => {
    expect(await runEngine('move', '--workflow', 'ask', '--to', 'embedded', '--dry-run')).to.include({
      code: 0,
      stdout: 'ask: new runs would start on embedded (before: the default engine).\n',
    });
    const listed = await runEngine('list');
    expect(listed.stdout).to.contain('ask: new runs start on the default engine; active runs: none');
    expect(await runEngine('move', '--all', '--to', 'embedded')).to.include({
      code: 0,
      stdout: 'ask: new runs start on embedded (before: the default engine).\n',
    });
    expect(await runEngine('list')).to.include({
      code: 0,
      stdout: 'Running servers: embedded 1\nask: new runs start on embedded; active runs: none\n',
    });
    expect(await runEngine('move', '--workflow', 'ask', '--to', 'default')).to.include({
      code: 0,
      stdout: 'ask: new runs start on the default engine (before: embedded).\n',
    });
  });

  it('should move nothing if one of the moves would be refused', async () => {
    const refused = await runEngine('move', '--workflow', 'ask', '--workflow', 'unknown', '--to', 'embedded');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('There is no workflow "unknown"');
    const unavailable = await runEngine('move', '--workflow', 'ask', '--to', 'temporal');
    expect(unavailable.code).to.equal(1);
    expect(unavailable.stderr).to.contain('No running server has the engine "temporal"').and.to.contain('embedded');
    expect((await runEngine('list')).stdout).to.contain('ask: new runs start on the default engine');
  });

  it('should require either workflows or --all', async () => {
    for (const args of [[], ['--workflow', 'ask', '--all']]) {
      const { code, stderr } = await runEngine('move', '--to', 'embedded', ...args);
      expect(code).to.equal(2);
      expect(stderr).to.contain('--workflow').and.to.contain('--all');
    }
  });
});
