import type { AgentWork, Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, createDigest, toResult, ScriptedAgents } from './scripted-agents.spec.support.js';
import { expectProblem } from './http.spec.support.js';

describe('API: agents, tools and agent work', () => {
  const agents = new ScriptedAgents({
    reader: (turn) =>
      turn <= 3
        ? {
            text: `Turn ${turn}.`,
            calls: [
              { tool: 'look', arguments: { at: turn } },
              { tool: 'nothing', problem: { code: 'unknown_tool', message: 'There is no such tool.' } },
            ],
          }
        : { output: { done: true } },
    long: (turn) => (turn <= 3 ? { calls: [{ tool: 'look', arguments: { long: true } }] } : { output: {} }),
  });
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ plugins: [agents.plugin()] });
    [viewer, operator, admin] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
      countersign.client('admin', 'root'),
    ]);
    agents.results.set('look', ({ call }) =>
      call.arguments['long'] === true
        ? toResult('x'.repeat(900_000))
        : toResult({ seen: call.arguments['at'] ?? null }),
    );
    await countersign.deploy(agentModel('read', 'reader'));
    await countersign.deploy(agentModel('long', 'long'));
  });

  after(() => countersign.close());

  async function runToEnd(workflowId: string): Promise<{ runId: string; stepId: string }> {
    const { runId } = await viewer.startRun({ body: { workflowId } });
    for await (const event of viewer.streamRunEvents({ runId })) void event;
    const { steps, outcome } = await viewer.getRun({ runId });
    expect(outcome).to.equal('completed');
    return { runId, stepId: steps.find(({ elementId }) => elementId === 'work')?.stepId ?? '' };
  }

  it('should return the turns of a step with their calls', async () => {
    // when
    const { runId, stepId } = await runToEnd('read');
    const work = await viewer.getAgentWork({ runId, stepId });

    // then
    expect(work).to.deep.include({
      agent: 'reader',
      definitionDigest: createDigest('d'),
      provider: 'scripted',
      model: 'reader',
      budget: null,
      nextCursor: null,
    });
    expect(work.usage).to.deep.equal({
      turns: 4,
      toolCalls: 6,
      discardedResponses: 0,
      inputTokens: 28,
      outputTokens: 12,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      estimated: false,
      costMicros: 8,
    });
    expect(work.turns.map(({ turn, text, calls }) => [turn, text, calls.length])).to.deep.equal([
      [1, 'Turn 1.', 2],
      [2, 'Turn 2.', 2],
      [3, 'Turn 3.', 2],
      [4, null, 0],
    ]);
    const [lookCall, callWithoutResult] = work.turns[0]?.calls ?? [];
    expect(lookCall).to.deep.include({
      tool: 'look',
      arguments: { at: 1 },
      effect: 'read',
      status: 'completed',
      result: { seen: 1 },
      isError: false,
      approvalId: null,
      editedBy: null,
    });
    expect(lookCall?.policyDecision).to.include({ decision: 'allow' });
    expect(callWithoutResult).to.deep.include({
      tool: 'nothing',
      status: 'refused',
      policyDecision: null,
      isError: true,
    });
    const step = (await viewer.getRun({ runId })).steps.find((each) => each.stepId === stepId);
    expect(step).to.deep.include({ agentName: 'reader', output: { done: true }, status: 'completed' });
  });

  it('should return turns in pages and limit the size of a page', async () => {
    // given
    const [read, long] = [await runToEnd('read'), await runToEnd('long')];
    const listTurnPages = async (stepIds: { runId: string; stepId: string }, limit: number): Promise<number[][]> => {
      const pages: number[][] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: AgentWork = await viewer.getAgentWork({
          ...stepIds,
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        pages.push(page.turns.map(({ turn }) => turn));
        cursor = page.nextCursor;
      }
      return pages;
    };

    // then
    expect(await listTurnPages(read, 3)).to.deep.equal([[1, 2, 3], [4]]);
    expect(await listTurnPages(read, 4)).to.deep.equal([[1, 2, 3, 4]]);
    expect(await listTurnPages(long, 200)).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
    expect(await expectProblem(viewer.getAgentWork({ ...read, cursor: 'bm8' }))).to.include({
      status: 400,
      code: 'invalid_cursor',
    });
  });

  it('should respond with 404 for a step or run without agent work', async () => {
    const { runId } = await runToEnd('read');
    const startStepId = (await viewer.getRun({ runId })).steps[0]?.stepId ?? '';
    expect(await expectProblem(viewer.getAgentWork({ runId, stepId: startStepId }))).to.include({
      status: 404,
      code: 'step_not_found',
    });
    expect(await expectProblem(viewer.getAgentWork({ runId, stepId: runId }))).to.include({
      status: 404,
      code: 'step_not_found',
    });
    expect(await expectProblem(viewer.getAgentWork({ runId: startStepId, stepId: startStepId }))).to.include({
      status: 404,
      code: 'run_not_found',
    });
  });

  it('should list the current agents without their prompts', async () => {
    const { items } = await viewer.listAgents();
    expect(items.map(({ name }) => name)).to.deep.equal(['long', 'reader']);
    expect(items[1]).to.deep.equal({
      name: 'reader',
      description: null,
      model: { provider: 'scripted', name: 'reader' },
      tools: ['note', 'look', 'human.ask'],
      outputSchema: null,
      budget: agents.budget,
      digest: createDigest('d'),
    });
  });

  it('should list tools for operators, with the reason for each stopped or unavailable tool', async () => {
    agents.pins.length = 0;
    agents.pins.push({
      name: 'files.read',
      source: 'files',
      accepted: { digest: createDigest('1'), at: 0, by: 'root' },
      offered: {
        description: 'Read a file.',
        inputSchema: {},
        effect: 'read',
        reversible: true,
        digest: createDigest('2'),
      },
      stopped: { code: 'tool_changed', message: 'The tool was changed.', since: 1_000 },
    });
    const { items } = await operator.listTools();
    expect(items.map(({ name, source, stopped }) => [name, source, stopped?.code ?? null])).to.deep.equal([
      ['files.read', 'files', 'tool_changed'],
      ['human.ask', 'builtin', null],
      ['look', 'builtin', null],
      ['note', 'builtin', null],
    ]);
    agents.pins[0] = {
      ...agents.pins[0]!,
      name: 'look',
      offered: null,
      stopped: null,
      unavailable: 'The server is unavailable.',
    };
    const listedTools = (await operator.listTools()).items;
    expect(listedTools.map(({ name }) => name)).to.deep.equal(['human.ask', 'look', 'note']);
    expect(listedTools[1]).to.include({
      source: 'files',
      description: 'Description of look.',
      effect: 'read',
      digest: null,
      stopped: null,
      unavailable: 'The server is unavailable.',
    });
    expect(items[0]).to.deep.include({
      digest: createDigest('2'),
      accepted: { digest: createDigest('1'), at: '1970-01-01T00:00:00.000Z', by: 'root' },
      stopped: { code: 'tool_changed', message: 'The tool was changed.', since: '1970-01-01T00:00:01.000Z' },
      unavailable: null,
    });
    expect(await expectProblem(viewer.listTools())).to.include({ status: 403, code: 'forbidden' });
  });

  it('should let an admin accept a tool only with its current digest, and audit refused attempts', async () => {
    // given
    agents.pins.length = 0;
    agents.pins.push({
      name: 'files.read',
      source: 'files',
      accepted: null,
      offered: {
        description: 'Read a file.',
        inputSchema: {},
        effect: 'read',
        reversible: true,
        digest: createDigest('2'),
      },
      stopped: { code: 'tool_not_accepted', message: 'The tool has not been accepted.', since: 0 },
    });
    const acceptTool = (client: Client, toolName: string, digestLetter: string): Promise<unknown> =>
      client.acceptTool({ toolName, body: { digest: createDigest(digestLetter) } });

    // then
    expect(await expectProblem(acceptTool(operator, 'files.read', '2'))).to.include({ status: 403, code: 'forbidden' });
    expect(await expectProblem(acceptTool(admin, 'files.write', '2'))).to.include({
      status: 404,
      code: 'tool_not_found',
    });
    expect(await expectProblem(acceptTool(admin, 'files.read', '3'))).to.include({ status: 409, code: 'stale_digest' });
    expect(await acceptTool(admin, 'files.read', '2')).to.deep.include({
      name: 'files.read',
      accepted: { digest: createDigest('2'), at: '1970-01-01T00:00:00.000Z', by: 'root' },
      stopped: null,
    });
    const audit = (await admin.listAuditEvents()).items.filter(({ action }) => action === 'tool.accept').reverse();
    expect(
      audit.map(({ actor, target, result: auditResult, data }) => [actor, target?.id, auditResult, data['code']]),
    ).to.deep.equal([
      ['otto', 'files.read', 'refused', 'forbidden'],
      ['root', 'files.write', 'refused', 'tool_not_found'],
      ['root', 'files.read', 'refused', 'stale_digest'],
    ]);
  });
});
