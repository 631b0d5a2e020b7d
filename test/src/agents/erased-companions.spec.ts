import { verifyEvidencePack } from '@countersign/model/evidence';
import { expect } from 'chai';
import { part, stream } from '../models/chat-stream.spec.support.js';
import { tableTexts } from '../table-texts.spec.support.js';
import { settled } from './agent-host.spec.support.js';
import { startOpenAiAgents, type OpenAiAgents } from './openai-agents.spec.support.js';

/** Occurs in all additional data of a call and in no output. */
const THOUGHT = 'Xanadu';

describe('provider data attached to tool calls', () => {
  let test: OpenAiAgents;

  before(async () => {
    test = await startOpenAiAgents({ definitions: { thinker: { tools: ['notes.read'] } } });
    test.wire.script = [{ text: 'Done.' }];
  });

  after(() => test.close());

  /** Returns the tables with a row that contains the text. */
  const placesOf = async (text: string): Promise<string[]> =>
    [...(await tableTexts(test.database.connectionString))]
      .filter(([, rows]) => rows.includes(text))
      .map(([name]) => name);

  it('should be stored in the run events only, never returned with the run, and erased with personal data', async () => {
    // given
    const call = { index: 0, id: 'c1', function: { name: 'notes_read', arguments: '{"note":"a"}' } };
    test.wire.next.push(
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
    expect(JSON.stringify(test.wire.received.at(-1)?.body.messages).split(THOUGHT)).to.have.lengthOf(4);
    expect(JSON.stringify(run)).to.not.include(THOUGHT);
    expect(await placesOf(THOUGHT)).to.deep.equal(['public.run_events']);

    // when
    const admin = await test.client('admin', 'root');
    await admin.erasePersonalData({ runId, body: { reason: 'Request 118' } });

    // then
    expect(await placesOf(THOUGHT)).to.deep.equal([]);
    expect(verifyEvidencePack(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
  });
});
