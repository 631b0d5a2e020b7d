import { ToolError } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { expect } from 'chai';
import { listEncodings } from '../security/canaries.spec.support.js';
import { readTableTexts } from '../table-texts.spec.support.js';
import { requirePendingId, waitUntilSettled, startAgentHost, type AgentHost } from './agent-host.spec.support.js';

const OLD_SECRET = 'old-canary-Zk81+/?=&';
const NEW_SECRET = 'new-canary-"Qx93 %';
const SECRET_SETTING_KEY = 'Connectors:Secrets:TOKEN:Value';

/** A language model that repeats all of its input: in a call of a writing tool, and in its output. */
const ECHOING_AGENT = {
  script: {
    rules: [
      { when: { turn: 1 }, answer: { calls: [{ tool: 'notes.read', arguments: { note: 'a' } }] } },
      {
        when: { turn: 2 },
        answer: { text: { $from: 'shown' }, calls: [{ tool: 'notes.write', arguments: { note: { $from: 'shown' } } }] },
      },
      { answer: { text: { $from: 'shown' } } },
    ],
  },
};

describe('configured secrets leaked by a tool', function () {
  this.timeout(60_000);

  let test: AgentHost;

  beforeEach(async () => {
    test = await startAgentHost({
      agents: { parrot: ECHOING_AGENT },
      plugins: [outboundHttpPlugin],
      configuration: { Connectors: { Secrets: { TOKEN: { Value: OLD_SECRET } } } },
    });
  });

  afterEach(() => test.close());

  it('should be redacted for language models, tools and the database, even after a rotation', async () => {
    // given
    const listLeakedForms = (secret: string) => [
      ...listEncodings(secret),
      JSON.stringify({ secret }),
      Buffer.from(`user:${secret}`).toString('base64'),
    ];
    let leakedForms = listLeakedForms(OLD_SECRET);
    test.notes.onCall = (tool) =>
      tool === 'notes.read'
        ? Promise.resolve({ content: leakedForms })
        : Promise.reject(new ToolError('refused', leakedForms.join(' ')));
    const admin = await test.client('admin');
    const runBeforeRotation = await waitUntilSettled(
      test.operator,
      (await test.start({ workflowId: 'leaked', headers: { agent: 'parrot', prompt: 'Go.' } })).runId,
    );
    expect(runBeforeRotation.waitingFor).to.have.length(1);
    await admin.updateSettings({ body: { secrets: { [SECRET_SETTING_KEY]: NEW_SECRET } } });

    leakedForms = [OLD_SECRET, NEW_SECRET].flatMap(listLeakedForms);

    // when
    const run = await waitUntilSettled(
      test.operator,
      (
        await test.start({
          workflowId: 'leaks',
          headers: { agent: 'parrot', prompt: 'Go.', resultVariable: 'said' },
          mappings: { page: '=page' },
          inputs: { page: 'nothing yet' },
        })
      ).runId,
    );
    await test.approver.decideApproval({
      approvalId: requirePendingId(run, 'approval'),
      body: { decision: 'approve' },
    });
    const endedRun = await waitUntilSettled(test.operator, run.runId);

    // then
    const { text } = endedRun.variables['said'] as { text: string };
    expect(text.split('[secret]').length).to.be.greaterThan(leakedForms.length * 2);
    const rows = [...(await readTableTexts(test.database.connectionString)).values()].join('\n');
    expect(rows).to.contain('[secret]');
    for (const form of leakedForms) expect(rows.includes(form), form).to.equal(false);
    expect(JSON.stringify(test.notes.calls)).not.to.contain('canary');
  });
});
