import { expect } from 'chai';
import { z } from 'zod';
import { RetryableFailure, isRetryableFailure } from '../../contributions/job-handler.js';
import { ToolError, type ToolCall, type ToolContribution, type UnknownOutcome } from '../../contributions/tool.js';
import { type AgentCall, ApiError } from '@countersign/model';
import type { CallOutcome } from '../../ports/agent-runtime.js';
import {
  createAgentRuntime,
  createCallJob,
  createToolCallCompletion,
  createTurnJob,
  type AgentRuntimeOptions,
} from './agents.spec.support.js';

/** A tool that records its calls. */
class NotesTool implements ToolContribution {
  readonly name = 'notes.write';
  readonly description = 'writes';
  readonly input = z.strictObject({ note: z.string(), to: z.string().default('me') });
  readonly output: z.ZodType = z.json();
  readonly reversible = false;
  readonly recordedCalls: { input: object; call: ToolCall }[] = [];
  respond: (call: ToolCall) => Promise<{ content: unknown; taint?: string[] }> = () =>
    Promise.resolve({ content: { ok: true } });
  respondToLookup: ToolContribution['lookUp'] & object = () => Promise.resolve({ executed: false });

  constructor(
    readonly effect: 'read' | 'write' = 'write',
    readonly unknownOutcome: UnknownOutcome = 'park',
  ) {}

  hosts({ to }: { to: string }) {
    return [to];
  }

  call(input: object, call: ToolCall) {
    this.recordedCalls.push({ input, call });
    return this.respond(call) as ReturnType<ToolContribution['call']>;
  }

  lookUp(...lookupArguments: Parameters<NonNullable<ToolContribution['lookUp']>>) {
    return this.respondToLookup(...lookupArguments);
  }
}

async function setUpCall(tool: NotesTool, options: AgentRuntimeOptions = {}) {
  const setup = await createAgentRuntime({ ...options, tools: [tool] });
  setup.model.respond = () => createToolCallCompletion({ name: 'notes_write', arguments: { note: 'x' } });
  const [proposed] = (await setup.runtime.runTurn(createTurnJob())).calls;
  const call = {
    ...proposed,
    callId: 'call-1',
    taint: [],
    round: 1,
    pinned: [],
    status: 'job',
  } as unknown as AgentCall;
  return { ...setup, call };
}

const settleOutcome = (pendingOutcome: Promise<CallOutcome>): Promise<unknown> =>
  pendingOutcome.catch((error: unknown) =>
    isRetryableFailure(error)
      ? { retryCode: error.code, message: error.message, retryAfterMs: error.retryAfterMs }
      : error,
  );

describe('execution of a tool call', () => {
  it('should pass the arguments and the call id to the tool and taint the result with the tool name', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);

    // when
    const callOutcome = await runtime.executeCall(createCallJob(call));

    // then
    expect(callOutcome).to.deep.equal({
      kind: 'result',
      result: { content: { ok: true }, isError: false, taint: ['tool:notes.write'] },
    });
    expect(tool.recordedCalls[0]?.input).to.deep.equal({ note: 'x', to: 'me' });
    expect(tool.recordedCalls[0]?.call).to.deep.include({
      idempotencyKey: 'call-1',
      agentName: 'triage',
      runId: 'run-1',
      attempt: 1,
    });
  });

  it('should keep the taint that the tool reports', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);
    tool.respond = () => Promise.resolve({ content: 'own', taint: [] });

    // when
    const callOutcome = await runtime.executeCall(createCallJob(call));

    // then
    expect(callOutcome).to.deep.equal({ kind: 'result', result: { content: 'own', isError: false, taint: [] } });
  });

  it('should not execute a call when its tool, hosts or ports changed or the tool no longer exists', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);

    // when
    const changedTool = await runtime.executeCall(createCallJob({ ...call, toolDigest: 'sha256:other' }));
    const changedHosts = await runtime.executeCall(createCallJob({ ...call, hosts: ['elsewhere'] }));
    const changedPorts = await runtime.executeCall(createCallJob({ ...call, ports: [443] }));
    const missingTool = await runtime.executeCall(createCallJob({ ...call, tool: 'notes.gone' }));

    // then
    expect(changedTool).to.deep.include({ kind: 'changed' });
    expect(changedTool).to.have.nested.property('call.toolDigest', call.toolDigest);
    expect(changedHosts).to.deep.include({ kind: 'changed' });
    expect(changedPorts).to.deep.include({ kind: 'changed' });
    expect(missingTool).to.have.nested.property('call.problem.code', 'unknown_tool');
    expect(tool.recordedCalls).to.have.length(0);
  });

  it('should execute a call without recorded ports that was proposed before ADR 140', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);
    const { ports: _ports, ...callWithoutPorts } = call;

    // when
    const callOutcome = await runtime.executeCall(createCallJob(callWithoutPorts));

    // then
    expect(callOutcome.kind).to.equal('result');
    expect(tool.recordedCalls).to.have.length(1);
  });

  it('should repeat, look up or park a redelivered call as its tool declares', async () => {
    // given
    const repeatTool = new NotesTool('write', 'repeat');
    const executedTool = new NotesTool('write', 'lookup');
    executedTool.respondToLookup = () => Promise.resolve({ executed: true, output: { content: 'found' } });
    const notExecutedTool = new NotesTool('write', 'lookup');
    const unknownTool = new NotesTool('write', 'lookup');
    unknownTool.respondToLookup = () => Promise.resolve({ executed: 'unknown' });
    const unreachableTool = new NotesTool('write', 'lookup');
    unreachableTool.respondToLookup = () => Promise.reject(new Error('offline'));
    const parkTool = new NotesTool('write', 'park');
    const outcomes: unknown[] = [];

    // when
    for (const tool of [repeatTool, executedTool, notExecutedTool, unknownTool, unreachableTool, parkTool]) {
      const { runtime, call } = await setUpCall(tool);
      outcomes.push(await settleOutcome(runtime.executeCall(createCallJob(call, { isRedelivered: true }))));
    }

    // then
    const result = (content: unknown) => ({
      kind: 'result',
      result: { content, isError: false, taint: ['tool:notes.write'] },
    });
    expect(outcomes.slice(0, 3)).to.deep.equal([result({ ok: true }), result('found'), result({ ok: true })]);
    expect(outcomes[3]).to.deep.include({ kind: 'unknown' });
    expect(outcomes[4]).to.deep.equal({ kind: 'open', code: 'tool_lookup_failed', message: 'offline' });
    expect(outcomes[5]).to.deep.include({ kind: 'unknown' });
    expect(
      [repeatTool, executedTool, notExecutedTool, unknownTool, unreachableTool, parkTool].map(
        ({ recordedCalls }) => recordedCalls.length,
      ),
    ).to.deep.equal([1, 0, 1, 0, 0, 0]);
  });

  it('should treat an exception of a write as a call with an unknown outcome', async () => {
    // given
    const outcomes: unknown[] = [];
    const executedTool = new NotesTool('write', 'lookup');
    executedTool.respondToLookup = () => Promise.resolve({ executed: true, output: { content: 'found' } });

    // when
    for (const tool of [
      new NotesTool('write', 'repeat'),
      executedTool,
      new NotesTool('write', 'lookup'),
      new NotesTool('write', 'park'),
    ]) {
      tool.respond = () => Promise.reject(new Error('socket hang up'));
      const { runtime, call } = await setUpCall(tool);
      outcomes.push(await settleOutcome(runtime.executeCall(createCallJob(call))));
    }

    // then
    expect(outcomes[0]).to.deep.include({ retryCode: 'tool_failed' });
    expect(outcomes[1]).to.deep.include({ kind: 'result' });
    expect(outcomes[2]).to.deep.include({ retryCode: 'tool_failed' });
    expect(outcomes[3]).to.deep.equal({
      kind: 'unknown',
      message: 'It is unknown whether notes.write was called. socket hang up',
    });
  });

  it('should return the error of a failed read to the language model after three attempts', async () => {
    // given
    const tool = new NotesTool('read', 'repeat');
    tool.respond = () => Promise.reject(new Error('offline'));
    const { runtime, call } = await setUpCall(tool);

    // when
    const second = await settleOutcome(runtime.executeCall(createCallJob(call, { attempt: 2 })));
    const third = await settleOutcome(runtime.executeCall(createCallJob(call, { attempt: 3 })));

    // then
    expect(second).to.deep.include({ retryCode: 'tool_failed' });
    expect(third).to.deep.equal({
      kind: 'result',
      result: { content: { error: 'tool_failed', message: 'offline' }, isError: true, taint: ['tool:notes.write'] },
    });
  });

  it('should pass on the error and the retry delay that the tool reports', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);

    // when
    tool.respond = () => Promise.reject(new ToolError('not_found', 'There is no such note.'));
    const reportedError = await settleOutcome(runtime.executeCall(createCallJob(call)));
    tool.respond = () => Promise.reject(new RetryableFailure('busy', 'Later.', 700));
    const reportedRetry = await settleOutcome(runtime.executeCall(createCallJob(call)));

    // then
    expect(reportedError).to.deep.include({
      result: {
        content: { error: 'not_found', message: 'There is no such note.' },
        isError: true,
        taint: ['tool:notes.write'],
      },
    });
    expect(reportedRetry).to.deep.equal({ retryCode: 'busy', message: 'Later.', retryAfterMs: 700 });
  });

  it('should end a call when it times out or the step ends, even if the tool ignores the signal', async () => {
    // given
    const tool = new NotesTool();
    tool.respond = () => new Promise<never>(() => undefined);
    const { runtime, call } = await setUpCall(tool, { toolTimeoutMs: 20 });
    const abortController = new AbortController();

    // when
    const timedOut = await runtime.executeCall(createCallJob(call));
    tool.respond = () => {
      abortController.abort(new Error('the step has ended'));
      return new Promise<never>(() => undefined);
    };
    const cancelled = await settleOutcome(runtime.executeCall(createCallJob(call, { signal: abortController.signal })));

    // then
    expect(timedOut).to.deep.equal({
      kind: 'unknown',
      message: 'It is unknown whether notes.write was called. The time limit of 20 ms was exceeded.',
    });
    expect(cancelled).to.be.an('error').with.property('message', 'the step has ended');
    expect(tool.recordedCalls[1]?.call.signal.aborted).to.equal(true);
  });

  it('should cut long strings in a result with a note, and replace any other oversized result with an error', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);
    const sizes: number[] = [];
    const contents: unknown[] = [];

    // when
    for (const content of [
      'ä'.repeat(400_000),
      { name: 'a', text: '"'.repeat(400_000) },
      Array.from({ length: 100_000 }, () => 'row'),
      'x'.repeat(255_000),
    ]) {
      tool.respond = () => Promise.resolve({ content });
      const callOutcome = await runtime.executeCall(createCallJob(call));
      if (callOutcome.kind !== 'result') throw new Error(callOutcome.kind);
      sizes.push(Buffer.byteLength(JSON.stringify(callOutcome.result.content)));
      contents.push(callOutcome.result.content);
    }

    // then
    for (const size of sizes) expect(size).to.be.at.most(256_000);
    expect(contents[0]).to.match(/^ä+\n\[truncated: 400000 characters in total\]$/);
    expect(contents[1])
      .to.have.property('text')
      .that.matches(/\[truncated: 400000 characters in total\]$/);
    expect(contents[2]).to.have.property('error', 'tool_output_too_large');
    expect(contents[3]).to.equal('x'.repeat(255_000));
  });

  it('should refuse an output that violates its schema and replace characters that cannot be stored', async () => {
    // given
    const tool = new NotesTool();
    Object.assign(tool, { output: z.strictObject({ text: z.string() }) });
    const { runtime, call } = await setUpCall(tool);

    // when
    const invalidOutput = await runtime.executeCall(createCallJob(call));
    tool.respond = () => Promise.resolve({ content: { text: 'a\0b\uD800' } });
    const sanitized = await runtime.executeCall(createCallJob(call));

    // then
    expect(invalidOutput).to.have.nested.property('result.content.error', 'tool_output_invalid');
    expect(sanitized).to.have.nested.property('result.content.text', 'a\uFFFDb\uFFFD');
  });

  it('should redact secrets in the results and the errors of a tool', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool, { secrets: { current: ['hunter2-hunter2'] } });
    const outcomes: unknown[] = [];

    // when
    for (const respond of [
      () => Promise.resolve({ content: { 'hunter2-hunter2': ['it is hunter2-hunter2'] } }),
      () => Promise.reject(new ToolError('bad', 'hunter2-hunter2 is wrong')),
      () => Promise.reject(new RetryableFailure('bad', 'hunter2-hunter2 is late')),
      () => Promise.reject(new Error('hunter2-hunter2')),
    ]) {
      tool.respond = respond;
      outcomes.push(await settleOutcome(runtime.executeCall(createCallJob(call))));
    }

    // then
    expect(JSON.stringify(outcomes)).not.to.contain('hunter2');
    expect(outcomes.map((each) => JSON.stringify(each).split('[secret]').length - 1)).to.deep.equal([2, 1, 1, 1]);
  });

  it('should validate arguments that a person edited', async () => {
    // given
    const tool = new NotesTool();
    const { runtime, call } = await setUpCall(tool);

    // when
    const edited = await runtime.proposeCall(call, { note: 'y', to: 'you' });
    const invalid = await runtime.proposeCall(call, { note: 'y', too: 'you' }).catch((error: unknown) => error);

    // then
    expect(edited).to.deep.include({
      toolCallId: 't1',
      arguments: { note: 'y', to: 'you' },
      hosts: ['you'],
      ports: [80, 443],
      problem: null,
    });
    expect(invalid).to.be.instanceOf(ApiError).with.property('code', 'validation_failed');
    expect(invalid).to.have.property('message').that.matches(/too/);
  });
});
