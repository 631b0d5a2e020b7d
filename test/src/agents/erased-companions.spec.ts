import { modelOpenaiPlugin } from '@countersign/model-openai';
import { OpenAiWire } from '@countersign/testing';
import { verifyEvidencePack } from '@countersign/model/evidence';
import { expect } from 'chai';
import pg from 'pg';
import { part, stream } from '../models/chat-stream.spec.support.js';
import { settled, startAgentHost, type AgentHost } from './agent-host.spec.support.js';

const KEY = 'sk-test-0123456789';
/** Stands in all that comes with a call and belongs to no output. */
const THOUGHT = 'Xanadu';

describe('what came with calls of tools', () => {
  let wire: OpenAiWire;
  let test: AgentHost;
  let sql: pg.Client;

  before(async () => {
    wire = new OpenAiWire(KEY);
    wire.script = [{ text: 'Done.' }];
    test = await startAgentHost({
      agents: {
        thinker: {
          definition: { model: { provider: 'openai', name: 'm', timeout: 'PT20S' }, tools: ['notes.read'] },
          script: { rules: [{ answer: { text: 'It is never asked.' } }] },
        },
      },
      plugins: [modelOpenaiPlugin],
      configuration: { Models: { OpenAI: { BaseUrl: `${await wire.listen()}/v1`, ApiKey: KEY, MaxRetries: 0 } } },
    });
    sql = new pg.Client({ connectionString: test.database.connectionString });
    await sql.connect();
  });

  after(async () => {
    await sql.end();
    await test.close();
    await wire.close();
  });

  /** Tables with a row in which the text stands. */
  async function placesOf(text: string): Promise<string[]> {
    const { rows } = await sql.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await sql.query(`SELECT FROM "${name}" AS t WHERE t::text LIKE $1`, [`%${text}%`]);
      if (rowCount !== 0) found.push(name);
    }
    return found;
  }

  it('should be kept with the turn, shown nowhere, and gone with an erasure', async () => {
    // given
    const call = { index: 0, id: 'c1', function: { name: 'notes_read', arguments: '{"note":"a"}' } };
    wire.next.push(
      stream(
        part({ reasoning_content: `${THOUGHT}, I think.` }),
        part({ reasoning_details: [{ type: 'reasoning.text', text: `${THOUGHT} again.`, index: 0 }] }),
        part({ tool_calls: [{ ...call, extra_content: { google: { thought_signature: `${THOUGHT}c2ln` } } }] }),
        part({}, 'tool_calls'),
      ),
    );
    const { runId } = await test.start({ workflowId: 'thinking', headers: { agent: 'thinker', prompt: 'Read it.' } });
    const run = await settled(test.operator, runId);
    expect(run).to.include({ outcome: 'completed' });
    expect(JSON.stringify(wire.received.at(-1)?.body.messages).split(THOUGHT)).to.have.lengthOf(4);
    expect(JSON.stringify(run)).to.not.include(THOUGHT);
    expect(await placesOf(THOUGHT)).to.deep.equal(['run_events']);

    // when
    const admin = await test.client('admin', 'root');
    await admin.erasePersonalData({ runId, body: { reason: 'Request 118' } });

    // then
    expect(await placesOf(THOUGHT)).to.deep.equal([]);
    expect(verifyEvidencePack(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
  });
});
