import { expect } from 'chai';
import { TerminalFailure } from '../../contributions/job-handler.js';
import type { AgentTool } from '../../contributions/tool-source.js';
import type { TranscriptEntry } from '../../ports/agent-runtime.js';
import { buildHistory } from './agents.spec.support.js';
import { MAX_TRANSCRIPT_BYTES, buildModelMessages } from './model-messages.js';
import { ModelPropertyNames } from './model-property-names.js';
import { buildTranscript } from './build-transcript.js';

const turnEntry = (...ids: string[]): TranscriptEntry => ({
  kind: 'turn',
  text: null,
  calls: ids.map((id) => ({ callId: id, toolCallId: `t-${id}`, tool: 'notes.read', arguments: {} })),
  opaque: null,
});
const resultEntry = (id: string, content: string): TranscriptEntry => ({
  kind: 'result',
  callId: id,
  toolCallId: `t-${id}`,
  content,
  isError: false,
  source: 'notes.read',
});
const totalBytes = (messages: ReturnType<typeof buildModelMessages>) =>
  messages.reduce(
    (sum, message) =>
      sum +
      Buffer.byteLength(
        message.role === 'tool' ? message.results.map(({ content }) => content).join('') : (message.text ?? ''),
      ),
    0,
  );
const resultContents = (messages: ReturnType<typeof buildModelMessages>) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ content }) => content) : []));

describe('conversation sent to the language model', () => {
  it('should give each call its result, in the order of the calls, and list the problems to fix', () => {
    // when
    const messages = buildModelMessages('Do.', {}, [
      turnEntry('a', 'b', 'c'),
      resultEntry('c', 'C'),
      resultEntry('a', 'A'),
      { kind: 'turn', text: 'bad', calls: [], opaque: null },
      { kind: 'repair', problems: ['It is bad.'] },
    ]);

    // then
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(resultContents(messages).map((text) => text.split('\n')[1])).to.deep.equal(['A', 'No result.', 'C']);
    expect(messages.at(-1)).to.have.property('text').that.contains('- It is bad.');
  });

  it('should use the argument names of the language model in tool errors and in arguments that a person edited', () => {
    // given
    const inputSchema = { type: 'object', properties: { 'filter[name]': { type: 'string' } } };
    const tool = { name: 'notes.read', inputSchema } as unknown as AgentTool;
    const name = new ModelPropertyNames().add('filter[name]');
    const errorContent = {
      error: 'invalid_arguments',
      message: 'At /filter[name]: Expected a text. At /: There is no "filter[name]".',
    };
    const edited = { arguments: { 'filter[name]': 'x' }, comment: null };

    // when
    const [first = '', second = ''] = resultContents(
      buildModelMessages(
        'Do.',
        {},
        [
          turnEntry('a', 'b'),
          { ...resultEntry('a', ''), content: errorContent, isError: true } as TranscriptEntry,
          { ...resultEntry('b', 'Found filter[name].'), edited } as TranscriptEntry,
        ],
        [tool],
      ),
    );

    // then
    expect(first).to.include(`At /${name}: Expected a text. At /: There is no \\"${name}\\".`);
    expect(second).to.include(`{"${name}":"x"}`).and.to.include('Found filter[name].');
  });

  it('should alternate between user and assistant messages, even after a response without text', () => {
    for (const text of [null, '', ' \n']) {
      // given: a turn with calls, and an empty turn that needs a repair
      const { calls } = turnEntry('a') as Extract<TranscriptEntry, { kind: 'turn' }>;
      const opaque = { blocks: [{ kept: { type: 'thinking' } }] };
      const repair = { kind: 'repair', problems: ['It is empty.'] } as const;
      const emptyTurn = { kind: 'turn', text, calls: [], opaque } as const;

      // when
      const messages = buildModelMessages('Do.', {}, [
        { kind: 'turn', text, calls, opaque },
        resultEntry('a', 'A'),
        emptyTurn,
        repair,
        emptyTurn,
        repair,
      ]);

      // then
      expect(messages.map(({ role }) => role)).to.deep.equal([
        ...['user', 'assistant', 'tool'],
        ...['assistant', 'user', 'assistant', 'user'],
      ]);
      expect(messages[1]).to.include({ text: null, opaque });
      for (const index of [3, 5])
        expect(messages[index]).to.deep.include({ text: '(no answer)', calls: [], opaque: null });
    }
  });

  it('should remove the oldest results when the conversation is too long, and keep the newest', () => {
    // given
    const longContent = 'x'.repeat(MAX_TRANSCRIPT_BYTES / 3);
    const transcript = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [
      turnEntry(id),
      resultEntry(id, `${id}${longContent}`),
    ]);

    // when
    const messages = buildModelMessages('Do.', {}, transcript);

    // then
    expect(resultContents(messages).map((text) => /removed to save space/.test(text))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(totalBytes(messages)).to.be.at.most(MAX_TRANSCRIPT_BYTES);
    expect(buildModelMessages('Do.', {}, transcript)).to.deep.equal(messages);
  });

  it('should drop the opaque provider data of older turns when the conversation is too long', () => {
    // given
    const opaque = { reasoning: 'x'.repeat(MAX_TRANSCRIPT_BYTES / 3) };
    const transcript = ['a', 'b', 'c', 'd'].flatMap((id) => [{ ...turnEntry(id), opaque }, resultEntry(id, id)]);

    // when
    const messages = buildModelMessages('Do.', {}, transcript);

    // then
    expect(
      messages.flatMap((message) => (message.role === 'assistant' ? [message.opaque !== null] : [])),
    ).to.deep.equal([false, false, true, true]);
    expect(resultContents(messages).map((text) => text.split('\n')[1])).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('should keep the minimum of opaque data that the provider requires for older turns', () => {
    // given
    const opaque = { reasoning: 'x'.repeat(MAX_TRANSCRIPT_BYTES / 3), signature: 'c2ln' };
    const transcript = ['a', 'b', 'c', 'd'].flatMap((id) => [{ ...turnEntry(id), opaque }, resultEntry(id, id)]);

    // when
    const messages = buildModelMessages('Do.', {}, transcript, [], () => ({ signature: 'c2ln' }));

    // then
    expect(messages.flatMap((message) => (message.role === 'assistant' ? [message.opaque] : []))).to.deep.equal([
      { signature: 'c2ln' },
      { signature: 'c2ln' },
      opaque,
      opaque,
    ]);
  });

  it('should remove even the newest result if it does not fit, and suggest a smaller call', () => {
    // when
    const messages = buildModelMessages('Do.', { text: 'x'.repeat(MAX_TRANSCRIPT_BYTES / 2) }, [
      turnEntry('a'),
      resultEntry('a', 'x'.repeat(MAX_TRANSCRIPT_BYTES * 0.6)),
    ]);

    // then
    expect(resultContents(messages)[0]).to.match(
      /^This result \(\d+ bytes\) was removed to save space\. If you need it, call the tool again and request less data at a time\.$/,
    );
  });

  it('should fail when the conversation is too long even without results', () => {
    // given
    const buildWithLargeInputs = () => buildModelMessages('Do.', { text: 'ä'.repeat(MAX_TRANSCRIPT_BYTES / 2) }, []);

    // then
    expect(buildWithLargeInputs).to.throw(TerminalFailure).with.property('code', 'agent_transcript_too_large');
  });

  it('should contain every call and its result after the texts of the run were erased', () => {
    // given
    const events = buildHistory(
      { type: 'agent.turn', data: { calls: [{ callId: 'c1', tool: 'notes.read' }] }, private: null },
      { type: 'agent.call.completed', data: { callId: 'c1', tool: 'notes.read', isError: false }, private: null },
    );

    // when
    const messages = buildModelMessages('Do.', {}, buildTranscript(events));

    // then
    expect(messages.slice(1)).to.deep.equal([
      { role: 'assistant', text: null, calls: [{ id: 'c1', name: 'notes_read', arguments: {} }], opaque: null },
      {
        role: 'tool',
        results: [{ callId: 'c1', content: '<data source="notes.read">\nnull\n</data>', isError: false }],
      },
    ]);
  });

  it('should include the edited arguments and the comment of a person, even after further requests', () => {
    // given
    const requestedCall = (callId: string, edited: boolean, privateData: object | null) => ({
      type: 'agent.call.requested' as const,
      data: { callId, tool: 'notes.write', edited },
      private: privateData,
    });
    const endedCall = (type: 'agent.call.completed' | 'agent.call.refused', callId: string) => ({
      type,
      data: { callId, tool: 'notes.write', isError: false },
      private: { toolCallId: callId, content: 'so' },
    });
    const calls = ['a', 'b', 'c', 'd', 'e'].map((callId) => ({
      callId,
      toolCallId: callId,
      tool: 'notes.write',
      arguments: { text: 'mine' },
    }));
    const events = buildHistory(
      { type: 'agent.turn', data: { calls }, private: { text: null, calls, opaque: null } },
      requestedCall('a', false, { arguments: { text: 'mine' } }),
      requestedCall('b', false, { arguments: { text: 'mine' } }),
      requestedCall('b', true, { arguments: { text: 'theirs' }, comment: 'Politely, </data>.' }),
      requestedCall('b', true, { arguments: { text: 'theirs' } }),
      requestedCall('c', true, { arguments: { text: 'theirs' } }),
      requestedCall('d', true, { arguments: { text: 'first' }, comment: 'One.' }),
      requestedCall('d', true, { arguments: { text: 'second' }, comment: 'Two.' }),
      requestedCall('e', true, { arguments: { text: 'theirs' }, comment: 'Erased.' }),
      requestedCall('e', true, null),
      ...(['a', 'b', 'c', 'e'] as const).map((id) => endedCall('agent.call.completed', id)),
      endedCall('agent.call.refused', 'd'),
    );

    // when
    const [a, b, c, d, e] = resultContents(buildModelMessages('Do.', {}, buildTranscript(events)));

    // then
    const result = '<data source="notes.write">\nso\n</data>';
    const changedNote = 'A person changed the arguments of this call.';
    const editedArgumentsText = (text: string) =>
      `These arguments replace yours:\n<data source="edit">\n{"text":"${text}"}\n</data>`;
    const comment = (text: string) => `The comment of the person:\n<data source="comment">\n${text}\n</data>`;
    const outcomeHeading = 'The result of the call:';
    expect(a).to.equal(result);
    expect(b).to.equal(
      [changedNote, editedArgumentsText('theirs'), comment('Politely, &lt;/data>.'), outcomeHeading, result].join('\n'),
    );
    expect(c).to.equal([changedNote, editedArgumentsText('theirs'), outcomeHeading, result].join('\n'));
    expect(d).to.equal(
      [
        changedNote,
        editedArgumentsText('second'),
        comment('Two.'),
        outcomeHeading,
        result.replace('notes', 'refusal of notes'),
      ].join('\n'),
    );
    expect(e).to.equal([changedNote, outcomeHeading, result].join('\n'));
  });
});
