import { EnginePort, type RequestContext, StoragePort } from '@countersign/core';
import { RetryableFailure } from '@countersign/core/plugin';
import type { AuditRecord, RunEvent } from '@countersign/model';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadVerifiedAudit, loadVerifiedEvents } from '../recovery/check-history.spec.support.js';
import { createImpatientEngine } from '../recovery/impatient-engine.js';
import { createQuestionCall, ManualAgents, createWriteCall } from './manual-agents.spec.support.js';
import { writePermissivePolicies } from './permissive-policies.spec.support.js';

const MODEL = processModel(
  'triage',
  `<bpmn:startEvent id="start" /><bpmn:serviceTask id="agent"><bpmn:extensionElements><zeebe:taskDefinition type="agent" /><zeebe:ioMapping><zeebe:input source="=issue" target="issue" /></zeebe:ioMapping></bpmn:extensionElements></bpmn:serviceTask><bpmn:endEvent id="end" />`,
  'start > agent',
  'agent > end',
);

const ottoContext = (key?: string, requestDigest = 'd'): RequestContext => ({
  actor: { type: 'user', id: 'otto', name: 'Otto' },
  from: '127.0.0.1',
  traceId: null,
  ...(key === undefined ? {} : { idempotency: { scope: 'otto answer', key, requestDigest } }),
});

describe('agent steps on the embedded engine', () => {
  let directory: string;
  let host: TestHost;
  let agents: ManualAgents;
  let engine: EnginePort;
  let storage: StoragePort;

  before(async () => {
    agents = new ManualAgents();
    directory = await mkdtemp(join(tmpdir(), 'countersign-agents-'));
    host = await createTestHost({
      configuration: await writePermissivePolicies(directory),
      plugins: [agents.plugin()],
      engine: { plugin: createImpatientEngine({ settings: { retryBackoffMs: 10 } }) },
    });
    engine = host.host.get(EnginePort);
    storage = host.host.get(StoragePort);
    await host.deploy(MODEL);
  });

  after(async () => {
    await host.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function start(): Promise<string> {
    return (
      await (
        await host.client('viewer', 'vera')
      ).startRun({ body: { workflowId: 'triage', inputs: { issue: { title: 'It breaks' } } } })
    ).runId;
  }

  const waitUntilEnded = (runId: string) =>
    waitUntil('the run ends', async () => (await storage.findRun(runId))?.run.outcome ?? false);
  const waitForQuestion = (runId: string) =>
    waitUntil('a question is pending', async () =>
      (await storage.listRunQuestions(runId)).find(({ status }) => status === 'pending'),
    );
  const answer = (questionId: string, answerText: string, context = ottoContext()) =>
    engine.answerQuestion({
      questionId,
      answer: answerText,
      context,
      respond: ({ question }) => ({ status: question?.status ?? '' }),
    });
  const agentEventTypes = (events: readonly RunEvent[]) =>
    events.filter(({ type }) => /^(agent|question)/.test(type)).map(({ type }) => type);
  const summarizeAudit = (records: readonly AuditRecord[]) =>
    records.map(
      ({ actor, action, data }) => `${actor?.id ?? ''} ${action}${'tool' in data ? ` ${String(data['tool'])}` : ''}`,
    );
  const captureRejection = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error as { code: string; message: string; details: object },
    );

  it('should run the calls of one turn concurrently and record and audit each turn and call under the agent', async () => {
    // given
    const runId = await start();
    const first = await agents.nextTurn();
    expect(first.job.state).to.equal(null);
    expect(first.job).to.deep.include({
      variables: { issue: { title: 'It breaks' } },
      inputs: { issue: { title: 'It breaks' } },
      attempt: 1,
    });
    expect(await first.job.loadHistory()).to.deep.equal([]);

    // when
    first.respond([createWriteCall('label', { name: 'bug' }), createWriteCall('comment', { text: 'Thanks.' })]);
    const [one, two] = [await agents.nextCall(), await agents.nextCall()];
    expect(
      [one, two].map(({ job: { call, isRedelivered, attempt } }) => [
        call.tool,
        call.arguments,
        isRedelivered,
        attempt,
      ]),
    ).to.deep.equal([
      ['label', { name: 'bug' }, false, 1],
      ['comment', { text: 'Thanks.' }, false, 1],
    ]);
    await two.job.artifacts.put('notes.txt', 'By the agent', 'text/plain');
    two.succeed({ id: 7 });
    one.succeed('labelled');
    const second = await agents.nextTurn();

    // then
    const eventSummaries = (await second.job.loadHistory())
      .filter(({ type }) => type === 'agent.call.completed')
      .map((event) => event.private?.['content']);
    expect(eventSummaries).to.have.deep.members([{ id: 7 }, 'labelled']);
    expect(second.job.state).to.deep.include({ turns: 1, toolCalls: 2 });
    expect((await second.job.artifacts.list()).map(({ name }) => name)).to.deep.equal(['notes.txt']);
    second.respond({ label: 'bug' });
    expect(await waitUntilEnded(runId)).to.equal('completed');
    const events = await loadVerifiedEvents(storage, runId);
    expect(agentEventTypes(events)).to.deep.equal([
      'agent.turn',
      'agent.call.requested',
      'agent.call.dispatched',
      'agent.call.requested',
      'agent.call.dispatched',
      'agent.call.completed',
      'agent.call.completed',
      'agent.turn',
    ]);
    expect(
      events.find(({ type, elementId }) => type === 'step.completed' && elementId === 'agent')?.private,
    ).to.deep.include({ output: { label: 'bug' } });
    const audit = await loadVerifiedAudit(storage, runId);
    expect(summarizeAudit(audit).slice(1)).to.deep.equal([
      'agent:triager agent.turn',
      'agent:triager artifact.upload comment',
      'agent:triager agent.call comment',
      'agent:triager agent.call label',
      'agent:triager agent.turn',
    ]);
    expect(audit.find(({ action }) => action === 'agent.call')?.data).to.deep.include({
      callId: two.job.call.callId,
      effect: 'write',
      isError: false,
    });
    expect(audit.every(({ actor }) => actor?.type !== 'user' || actor.id === 'vera')).to.equal(true);
  });

  it('should wait for an answer without a job or worker, and refuse a second answer with the name of the person who answered', async () => {
    // given
    const runId = await start();
    (await agents.nextTurn()).respond([createQuestionCall('Which version?', ['1', '2'])]);
    const { questionId } = await waitForQuestion(runId);

    // then
    expect((await storage.findRun(runId))?.run)
      .to.deep.include({ status: 'blocked', pendingQuestions: 1 })
      .and.have.nested.property('waitingFor[0].questionId', questionId);
    expect(await storage.nextJobDelay(['agent', 'agent.call'])).to.equal(null);
    expect((await engine.status()).workers.reduce((sum, { active }) => sum + active, 0)).to.equal(0);
    expect(
      (await storage.listQuestions({ status: 'pending' }, { limit: 5 })).items.map((question) => question.questionId),
    ).to.deep.equal([questionId]);

    // when
    expect(await captureRejection(answer(questionId, '3'))).to.include({ code: 'invalid_answer' });
    expect(await answer(questionId, '2', ottoContext('k'))).to.deep.include({
      response: { status: 'answered' },
      replayed: false,
    });
    const next = await agents.nextTurn();

    // then
    expect((await next.job.loadHistory()).find(({ type }) => type === 'agent.call.completed')?.private).to.deep.include(
      {
        content: { answered: true, answer: '2' },
      },
    );
    expect(await answer(questionId, '2', ottoContext('k'))).to.deep.include({
      response: { status: 'answered' },
      replayed: true,
    });
    expect(await captureRejection(answer(questionId, '2', ottoContext('k', 'other')))).to.include({
      code: 'idempotency_key_reused',
    });
    const lateAnswerError = await captureRejection(answer(questionId, '1'));
    expect(lateAnswerError)
      .to.include({ code: 'question_already_answered' })
      .and.have.deep.nested.include({ 'details.answeredBy': 'otto', 'details.status': 'answered' });
    expect(lateAnswerError?.message).to.include('Otto');
    for (const unknown of ['nonsense', runId])
      expect(await captureRejection(answer(unknown, '1'))).to.include({ code: 'question_not_found' });
    next.respond({});
    await waitUntilEnded(runId);
    expect(await storage.findQuestion(questionId)).to.deep.include({
      status: 'answered',
      answer: '2',
      answeredBy: { type: 'user', id: 'otto', name: 'Otto' },
    });
    expect(summarizeAudit(await loadVerifiedAudit(storage, runId))).to.include('otto question.answer');
    expect(
      (await storage.listAudit({ runId, actor: 'otto' }, 20))
        .filter(({ result }) => result === 'refused')
        .map(({ target, data }) => [target['type'], target['id'], data['code']]),
    ).to.deep.include(['question', questionId, 'question_already_answered']);
  });

  it('should ask a person about calls with an unknown outcome and repeat only the calls answered as not done', async () => {
    // given
    const runId = await start();
    (await agents.nextTurn()).respond([createWriteCall('label'), createWriteCall('comment')]);
    const calls = [await agents.nextCall(), await agents.nextCall()];

    // when
    for (const { finish } of calls) finish({ kind: 'unknown', message: 'The connection was lost.' });
    const questions = await waitUntil('both questions are pending', async () => {
      const pending = (await storage.listRunQuestions(runId)).filter(({ status }) => status === 'pending');
      return pending.length === 2 && pending;
    });
    const questionOfTool = (tool: string) =>
      questions.find(({ callId }) => callId === calls.find(({ job }) => job.call.tool === tool)?.job.call.callId)
        ?.questionId ?? '';
    await answer(questionOfTool('label'), 'done');
    await answer(questionOfTool('comment'), 'not_done');

    // then
    const repeatedCall = await agents.nextCall();
    expect(repeatedCall.job)
      .to.deep.include({ isRedelivered: false, attempt: 1 })
      .and.have.nested.property('call.tool', 'comment');
    repeatedCall.succeed('commented');
    (await agents.nextTurn()).respond({});
    expect(await waitUntilEnded(runId)).to.equal('completed');
    expect(
      summarizeAudit(await loadVerifiedAudit(storage, runId)).filter((line) => line.includes('agent.lose')),
    ).to.have.length(2);
  });

  it('should mark the next attempt of a call as redelivered when the previous attempt left its outcome open', async () => {
    // given
    const runId = await start();
    (await agents.nextTurn()).respond([createWriteCall('label')]);
    const attempts: (readonly [number, boolean])[] = [];
    const attempt = async () => {
      const pendingCall = await agents.nextCall();
      attempts.push([pendingCall.job.attempt, pendingCall.job.isRedelivered]);
      return pendingCall;
    };

    // when
    (await attempt()).fail(new RetryableFailure('busy', 'Later.'));
    (await attempt()).finish({ kind: 'open', code: 'tool_lookup_failed', message: 'Offline.' });
    (await attempt()).fail(new RetryableFailure('busy', 'Later.'));

    // then
    expect(attempts).to.deep.equal([
      [1, false],
      [2, false],
      [3, true],
    ]);
    const { questionId, purpose } = await waitForQuestion(runId);
    expect(purpose).to.equal('outcome');
    await answer(questionId, 'not_done');
    (await attempt()).succeed();
    expect(attempts.at(-1)).to.deep.equal([1, false]);
    (await agents.nextTurn()).respond({});
    expect(await waitUntilEnded(runId)).to.equal('completed');
  });

  it('should abort the running call and withdraw the questions of an agent step as soon as its run is cancelled', async () => {
    // given
    const runId = await start();
    (await agents.nextTurn()).respond([createWriteCall('label'), createQuestionCall('Which version?')]);
    const { job, succeed } = await agents.nextCall();
    const { questionId } = await waitForQuestion(runId);
    const aborted = new Promise((resolve) => job.signal.addEventListener('abort', resolve, { once: true }));

    // when
    await (await host.client('operator', 'otto')).cancelRun({ runId, body: { reason: 'not wanted' } });

    // then
    await aborted;
    succeed('too late');
    expect(await waitUntilEnded(runId)).to.equal('cancelled');
    expect(await storage.findQuestion(questionId)).to.include({ status: 'withdrawn' });
    expect(await captureRejection(answer(questionId, 'x'))).to.include({
      code: 'question_already_answered',
      message: 'This question is withdrawn.',
    });
    expect(agentEventTypes(await loadVerifiedEvents(storage, runId))).not.to.include('agent.call.completed');
    expect(await storage.nextJobDelay(['agent', 'agent.call'])).to.equal(null);
  });

  it('should execute a tainted write with the arguments that a person edited and audit the edit', async () => {
    // given
    const runId = await start();
    (await agents.nextTurn()).respond([createWriteCall('comment', { text: 'Buy now!' })], { taint: ['webhook'] });
    const waiting = await waitUntil(
      'an approval is pending',
      async () => (await storage.listApprovals({ runId }, { limit: 5 })).items[0],
    );
    expect(waiting.subject).to.deep.include({
      kind: 'tool_call',
      tool: 'comment',
      inputs: { text: 'Buy now!' },
      taint: ['webhook'],
    });

    // when
    const { approvalId } = waiting;
    const edited = createWriteCall('comment', { text: 'Thanks.' });
    await engine.decideApproval({
      approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
      edited,
      context: ottoContext(),
      respond: () => ({}),
    });
    const [secondApproval] = (await storage.listApprovals({ runId, status: 'pending' }, { limit: 5 })).items;
    const olga = { ...ottoContext(), actor: { type: 'user', id: 'olga', name: null } } as const;
    await engine.decideApproval({
      approvalId: secondApproval?.approvalId ?? '',
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
      context: olga,
      respond: () => ({}),
    });

    // then
    const { job, succeed } = await agents.nextCall();
    expect(job.call).to.deep.include({ arguments: { text: 'Thanks.' }, editedBy: 'otto' });
    succeed();
    (await agents.nextTurn()).respond({});
    expect(await waitUntilEnded(runId)).to.equal('completed');
    const vote = (await loadVerifiedAudit(storage, runId)).find(({ action }) => action === 'approval.vote');
    expect(vote?.actor).to.include({ id: 'otto' });
    expect(vote?.data).to.deep.include({ edited: true, tool: 'comment' });
  });

  it('should expire a question at its due date and continue the agent without an answer', async () => {
    const runId = await start();
    const { question: draft, ...call } = createQuestionCall('Which version?');
    if (draft === null) throw new Error('The call has no question.');
    (await agents.nextTurn()).respond([
      { ...call, question: { ...draft, dueInMs: 20, onDue: { kind: 'continue', answer: null } } },
    ]);

    const next = await agents.nextTurn();

    expect((await next.job.loadHistory()).find(({ type }) => type === 'agent.call.completed')?.private).to.deep.include(
      {
        content: { answered: false, answer: null },
      },
    );
    next.respond({});
    await waitUntilEnded(runId);
    expect((await storage.listRunQuestions(runId)).map(({ status }) => status)).to.deep.equal(['expired']);
  });
});
