import { verifyEvidencePack } from '@countersign/model/evidence';
import { expect } from 'chai';
import { createChunk, streamChunks } from '../models/chat-stream.spec.support.js';
import { readTableTexts } from '../table-texts.spec.support.js';
import { waitUntilSettled } from './agent-host.spec.support.js';
import { startOpenAiAgents, type OpenAiAgents } from './openai-agents.spec.support.js';

/** Text that occurs in all provider data of a tool call and in no output of the agent. */
const REASONING_TEXT = 'Xanadu';

describe('provider data attached to tool calls', () => {
  let test: OpenAiAgents;

  before(async () => {
    test = await startOpenAiAgents({ definitions: { thinker: { tools: ['notes.read'] } } });
    test.wire.script = [{ text: 'Done.' }];
  });

  after(() => test.close());

  /** Returns the tables with a row that contains the text. */
  const findOccurrences = async (text: string): Promise<string[]> =>
    [...(await readTableTexts(test.database.connectionString))]
      .filter(([, rows]) => rows.includes(text))
      .map(([name]) => name);

  it('should be stored in the run events only, never returned with the run, and erased with personal data', async () => {
    // given
    const call = { index: 0, id: 'c1', function: { name: 'notes_read', arguments: '{"note":"a"}' } };
    test.wire.nextHandlers.push(
      streamChunks(
        createChunk({ reasoning_content: `${REASONING_TEXT}, I think.` }),
        createChunk({ reasoning_details: [{ type: 'reasoning.text', text: `${REASONING_TEXT} again.`, index: 0 }] }),
        createChunk({
          tool_calls: [{ ...call, extra_content: { google: { thought_signature: `${REASONING_TEXT}c2ln` } } }],
        }),
        createChunk({}, 'tool_calls'),
      ),
    );
    const { runId } = await test.start({ workflowId: 'thinking', headers: { agent: 'thinker', prompt: 'Read it.' } });
    const run = await waitUntilSettled(test.operator, runId);
    expect(run).to.include({ outcome: 'completed' });
    expect(JSON.stringify(test.wire.receivedRequests.at(-1)?.body.messages).split(REASONING_TEXT)).to.have.lengthOf(4);
    expect(JSON.stringify(run)).to.not.include(REASONING_TEXT);
    expect(await findOccurrences(REASONING_TEXT)).to.deep.equal(['public.run_events']);

    // when
    const admin = await test.client('admin', 'root');
    await admin.erasePersonalData({ runId, body: { reason: 'Request 118' } });

    // then
    expect(await findOccurrences(REASONING_TEXT)).to.deep.equal([]);
    expect(verifyEvidencePack(await admin.getEvidencePack({ runId })).problems).to.deep.equal([]);
  });
});
