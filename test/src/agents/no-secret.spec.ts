import { ToolError } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { expect } from 'chai';
import { disguises } from '../security/canaries.spec.support.js';
import { tableTexts } from '../table-texts.spec.support.js';
import { pendingOf, settled, startAgentHost, type AgentHost } from './agent-host.spec.support.js';

const OLD = 'old-canary-Zk81+/?=&';
const NEW = 'new-canary-"Qx93 %';
const SAVED = 'Connectors:Secrets:TOKEN:Value';

/** A language model that repeats all of its input: in a call of a writing tool, and in its output. */
const PARROT = {
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
      agents: { parrot: PARROT },
      plugins: [outboundHttpPlugin],
      configuration: { Connectors: { Secrets: { TOKEN: { Value: OLD } } } },
    });
  });

  afterEach(() => test.close());

  it('should be redacted for language models, tools and the database, even after a rotation', async () => {
    // given
    const formsOf = (secret: string) => [
      ...disguises(secret),
      JSON.stringify({ secret }),
      Buffer.from(`user:${secret}`).toString('base64'),
    ];
    let leaked = formsOf(OLD);
    test.notes.act = (tool) =>
      tool === 'notes.read'
        ? Promise.resolve({ content: leaked })
        : Promise.reject(new ToolError('refused', leaked.join(' ')));
    const admin = await test.client('admin');
    const before = await settled(
      test.operator,
      (await test.start({ workflowId: 'leaked', headers: { agent: 'parrot', prompt: 'Go.' } })).runId,
    );
    expect(before.waitingFor).to.have.length(1);
    await admin.updateSettings({ body: { secrets: { [SAVED]: NEW } } });

    leaked = [OLD, NEW].flatMap(formsOf);

    // when
    const run = await settled(
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
    await test.approver.decideApproval({ approvalId: pendingOf(run, 'approval'), body: { decision: 'approve' } });
    const ended = await settled(test.operator, run.runId);

    // then
    const { text } = ended.variables['said'] as { text: string };
    expect(text.split('[secret]').length).to.be.greaterThan(leaked.length * 2);
    const rows = [...(await tableTexts(test.database.connectionString)).values()].join('\n');
    expect(rows).to.contain('[secret]');
    for (const form of leaked) expect(rows.includes(form), form).to.equal(false);
    expect(JSON.stringify(test.notes.calls)).not.to.contain('canary');
  });
});
