import type { Client, Question } from '@countersign/contract';
import type { Json, JsonObject } from '@countersign/core/plugin';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents, type ScriptedCall } from './scripted-agents.spec.support.js';
import { findPackErrors } from './check-pack.spec.support.js';
import { expectProblem } from './http.spec.support.js';
import { StreamReader } from './stream-reader.spec.support.js';

const TEAM_SCHEMA: JsonObject = {
  type: 'object',
  required: ['team'],
  additionalProperties: false,
  properties: { team: { enum: ['a', 'b'] } },
};

describe('API: the conversation of a run', () => {
  const agents = new ScriptedAgents({
    asker: (turn) => (turn === 1 ? questionTurn({}) : { output: { done: true } }),
    chooser: (turn) => (turn === 1 ? questionTurn({ text: 'Which?', options: ['left', 'right'] }) : { output: {} }),
    former: (turn) => (turn === 1 ? questionTurn({ text: 'Which team?', answerSchema: TEAM_SCHEMA }) : { output: {} }),
    pair: (turn) =>
      turn === 1 ? { calls: [questionCall({ text: 'One?' }), questionCall({ text: 'Two?' })] } : { output: {} },
    closely: (turn) =>
      turn === 1
        ? questionTurn({ text: 'Now?', dueInMs: 100, onDue: { kind: 'continue', answer: 'no' } })
        : { output: {} },
    late: (turn) =>
      turn === 1
        ? questionTurn({ text: 'Soon?', dueInMs: 1, onDue: { kind: 'continue', answer: 'no' } })
        : { output: {} },
  });
  let countersign: TestHost;
  let viewer: Client;
  let operator: Client;

  before(async () => {
    countersign = await createTestHost({ plugins: [agents.plugin()] });
    [viewer, operator] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('operator', 'otto'),
    ]);
    for (const name of ['asker', 'chooser', 'former', 'pair', 'closely', 'late'])
      await countersign.deploy(agentModel(name, name));
  });

  after(() => countersign.close());

  function questionCall(question: ScriptedCall['question'] & object): ScriptedCall {
    return { tool: 'human.ask', question };
  }

  function questionTurn(question: ScriptedCall['question'] & object): { calls: ScriptedCall[] } {
    return { calls: [questionCall(question)] };
  }

  async function startConversation(
    workflowId: string,
    questionCount = 1,
  ): Promise<{ runId: string; openQuestions: Question[] }> {
    const { runId } = await viewer.startRun({ body: { workflowId } });
    let count = 0;
    for await (const event of viewer.streamRunEvents({ runId })) {
      if (event.type === 'question.asked' && (count += 1) === questionCount) break;
    }
    return { runId, openQuestions: (await viewer.listQuestions({ runId })).items };
  }

  async function waitForFinalEvent(runId: string): Promise<string | undefined> {
    let last: string | undefined;
    for await (const event of viewer.streamRunEvents({ runId })) last = event.type;
    return last;
  }

  it('should show a question in the run, its conversation and the inbox, and accept the answer of an operator', async () => {
    // given
    const { runId, openQuestions } = await startConversation('asker');
    const [question] = openQuestions;
    expect(question).to.deep.include({
      runId,
      workflowId: 'asker',
      elementId: 'work',
      agentName: 'asker',
      purpose: 'ask',
      text: 'What now?',
      options: null,
      answerSchema: null,
      status: 'pending',
      dueAt: null,
      onDue: { kind: 'continue', answer: null },
      answer: null,
      answeredBy: null,
      closedAt: null,
    });
    const questionId = question?.questionId ?? '';
    const waitingRun = await viewer.getRun({ runId });
    expect(waitingRun).to.include({ status: 'blocked', pendingQuestions: 1, pendingApprovals: 0, currentStep: 'work' });
    expect(waitingRun.waitingFor.map(({ kind, elementId }) => [kind, elementId])).to.deep.equal([['question', 'work']]);
    expect(waitingRun.waitingFor[0]).to.include({ questionId, dueAt: null });
    expect(waitingRun.steps.find(({ elementId }) => elementId === 'work')).to.include({
      status: 'waiting',
      agentName: 'asker',
    });
    expect((await viewer.listRuns({ waitingFor: 'question' })).items.map((run) => run.runId)).to.include(runId);
    expect((await viewer.listRuns({ waitingFor: 'approval' })).items.map((run) => run.runId)).to.not.include(runId);

    // when
    const answeredQuestion = await operator.answerQuestion({
      runId: runId.toUpperCase(),
      questionId: questionId.toUpperCase(),
      body: { answer: 'Go on.' },
    });

    // then
    expect(answeredQuestion).to.deep.include({
      questionId,
      status: 'answered',
      answer: 'Go on.',
      answeredBy: 'otto',
      answeredByName: null,
    });
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
    expect(await viewer.getQuestion({ questionId })).to.deep.equal(answeredQuestion);
    const { items, nextCursor } = await viewer.listConversation({ runId });
    expect(nextCursor).to.equal(null);
    expect(items).to.deep.equal([
      {
        messageId: questionId,
        at: question?.askedAt,
        author: { kind: 'agent', name: 'asker' },
        stepId: question?.stepId,
        text: 'What now?',
        questionId,
        options: null,
        answerSchema: null,
        status: 'answered',
        answer: null,
      },
      {
        messageId: items[1]?.messageId,
        at: answeredQuestion.closedAt,
        author: { kind: 'human', name: 'otto' },
        stepId: question?.stepId,
        text: 'Go on.',
        questionId,
        options: null,
        answerSchema: null,
        status: null,
        answer: 'Go on.',
      },
    ]);
    expect((await viewer.listQuestions({ runId })).items).to.deep.equal([]);
    expect((await viewer.listQuestions({ runId, status: 'all', workflowId: 'asker' })).items).to.deep.equal([
      answeredQuestion,
    ]);
  });

  it('should search pending questions by text and due date, in the order in which they are due', async () => {
    const { runId, openQuestions } = await startConversation('pair', 2);
    const [newest, oldest] = openQuestions;
    const list = async (query: Parameters<Client['listQuestions']>[0]) =>
      (await viewer.listQuestions({ ...query, runId })).items;
    expect(await list({})).to.deep.equal([newest, oldest]);
    expect(await list({ sort: 'due' })).to.deep.equal([oldest, newest]);
    expect(await list({ q: 'two' })).to.deep.equal([newest]);
    expect(await list({ q: '%', sort: 'due' })).to.deep.equal([]);
    expect(await list({ dueBefore: '2999-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(await expectProblem(list({ dueBefore: 'soon' }))).to.include({ status: 400, code: 'invalid_parameter' });
  });

  it('should return the conversation in pages, oldest message first', async () => {
    const { runId } = await startConversation('pair', 2);
    const first = await viewer.listConversation({ runId, limit: 1 });
    const second = await viewer.listConversation({ runId, limit: 1, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ text }) => text)).to.deep.equal(['One?', 'Two?']);
    expect(second.nextCursor).to.equal(null);
    expect(await expectProblem(viewer.listConversation({ runId, cursor: 'bm8' }))).to.include({
      status: 400,
      code: 'invalid_cursor',
    });
  });

  it('should keep the run blocked until all of its questions are answered', async () => {
    // given
    const { runId, openQuestions } = await startConversation('pair', 2);
    const [later, earlier] = openQuestions.map(({ questionId }) => questionId);

    // when
    await operator.answerQuestion({ runId, questionId: later ?? '', body: { answer: 'Second.' } });

    // then
    expect(await viewer.getRun({ runId })).to.include({ status: 'blocked', pendingQuestions: 1 });
    await operator.answerQuestion({ runId, questionId: earlier ?? '', body: { answer: 'First.' } });
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
    expect((await viewer.listConversation({ runId })).items.map(({ text }) => text)).to.deep.equal([
      'One?',
      'Two?',
      'Second.',
      'First.',
    ]);
  });

  it('should accept one of several concurrent answers and name the answerer to the others', async () => {
    // given
    const { runId, openQuestions } = await startConversation('asker');
    const questionId = openQuestions[0]?.questionId ?? '';
    const people = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => countersign.client('operator', name)));

    // when
    const results = await Promise.allSettled(
      people.map((client, index) => client.answerQuestion({ runId, questionId, body: { answer: `Answer ${index}.` } })),
    );

    // then
    const [winner] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const losers = await Promise.all(
      results.flatMap((result) =>
        result.status === 'rejected' ? [expectProblem(Promise.reject(result.reason as Error))] : [],
      ),
    );
    expect(losers).to.have.length(4);
    for (const loser of losers)
      expect(loser).to.include({
        status: 409,
        code: 'question_already_answered',
        questionStatus: 'answered',
        answeredBy: winner?.answeredBy,
        closedAt: winner?.closedAt,
      });
    expect(await viewer.getQuestion({ questionId })).to.deep.equal(winner);
  });

  it('should return the same response for a repeated request and refuse another answer under its idempotency key', async () => {
    const { runId, openQuestions } = await startConversation('asker');
    const questionId = openQuestions[0]?.questionId ?? '';
    const answer = (text: string): Promise<Question> =>
      operator.answerQuestion(
        { runId, questionId, body: { answer: text } },
        { idempotencyKey: `answer-${questionId}` },
      );
    const first = await answer('Once.');
    expect(await answer('Once.')).to.deep.equal(first);
    expect(await expectProblem(answer('Twice.'))).to.include({ status: 422, code: 'idempotency_key_reused' });
  });

  it('should refuse answers that do not match the options, the schema or the length limit, and point to the error', async () => {
    const answerAndGetProblems = async (workflowId: string, answers: Json[]): Promise<unknown[]> => {
      const { runId, openQuestions } = await startConversation(workflowId);
      const questionId = openQuestions[0]?.questionId ?? '';
      const problems = [];
      for (const answer of answers)
        problems.push(await expectProblem(operator.answerQuestion({ runId, questionId, body: { answer } })));
      expect(await viewer.getQuestion({ questionId })).to.include({ status: 'pending' });
      return problems.map(({ status, code, errors }) => [status, code, errors?.map(({ pointer }) => pointer)]);
    };
    expect(await answerAndGetProblems('chooser', ['up', null, { 0: 'left' }])).to.deep.equal(
      Array.from({ length: 3 }, () => [422, 'invalid_answer', ['/answer']]),
    );
    expect(await answerAndGetProblems('former', [{ team: 'c' }, { team: 'a', more: 1 }])).to.deep.equal([
      [422, 'invalid_answer', ['/answer/team']],
      [422, 'invalid_answer', ['/answer', '/answer/more']],
    ]);
    expect(await answerAndGetProblems('asker', ['', 'x'.repeat(10_001), ['x']])).to.deep.equal(
      Array.from({ length: 3 }, () => [422, 'invalid_answer', ['/answer']]),
    );
  });

  it('should accept answers that match the options or the schema', async () => {
    for (const [workflowId, answer, text] of [
      ['chooser', 'right', 'right'],
      ['former', { team: 'b' }, '{"team":"b"}'],
    ] as const) {
      const { runId, openQuestions } = await startConversation(workflowId);
      const answeredQuestion = await operator.answerQuestion({
        runId,
        questionId: openQuestions[0]?.questionId ?? '',
        body: { answer },
      });
      expect(answeredQuestion.answer).to.deep.equal(answer);
      expect((await viewer.listConversation({ runId })).items.at(-1)).to.deep.include({ text, answer });
    }
  });

  it('should refuse malicious, deeply nested and oversized answers', async () => {
    const { runId, openQuestions } = await startConversation('former');
    const url = `${countersign.url}/api/runs/${runId}/conversation/${openQuestions[0]?.questionId ?? ''}/answer`;
    const headers = {
      'authorization': `Bearer ${await countersign.token('operator')}`,
      'content-type': 'application/json',
    };
    const post = async (body: string): Promise<unknown[]> => {
      const response = await fetch(url, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await post('{"answer":{"__proto__":{"team":"a"}}}')).to.deep.equal([422, 'polluting_key']);
    expect(await post('{"answer":{"constructor":1}}')).to.deep.equal([422, 'polluting_key']);
    expect(await post(`{"answer":${'['.repeat(100)}${']'.repeat(100)}}`)).to.deep.equal([422, 'validation_failed']);
    expect(await post('{"answer":"a","by":"root"}')).to.deep.equal([422, 'validation_failed']);
    expect(await post('{}')).to.deep.equal([422, 'validation_failed']);
    expect(await post(`{"answer":{"team":"${'a'.repeat(60_000)}"}}`)).to.deep.equal([422, 'invalid_answer']);
    expect(await viewer.getQuestion({ questionId: openQuestions[0]?.questionId ?? '' })).to.include({
      status: 'pending',
    });
  });

  it('should respond with 404 for a question of another run and for unknown questions and runs', async () => {
    const [conversation, otherConversation] = [await startConversation('asker'), await startConversation('asker')];
    const questionId = conversation.openQuestions[0]?.questionId ?? '';
    const answer = (runId: string, id: string): Promise<unknown> =>
      expectProblem(operator.answerQuestion({ runId, questionId: id, body: { answer: 'x' } }));
    expect(await answer(otherConversation.runId, questionId)).to.include({ status: 404, code: 'question_not_found' });
    expect(await answer(conversation.runId, conversation.runId)).to.include({
      status: 404,
      code: 'question_not_found',
    });
    expect(await expectProblem(viewer.getQuestion({ questionId: conversation.runId }))).to.include({
      status: 404,
      code: 'question_not_found',
    });
    expect(await expectProblem(viewer.listConversation({ runId: questionId }))).to.include({
      status: 404,
      code: 'run_not_found',
    });
  });

  it('should refuse and audit answers from viewers and services', async () => {
    // given
    const { runId, openQuestions } = await startConversation('asker');
    const questionId = openQuestions[0]?.questionId ?? '';
    const service = await countersign.token('admin', { subject: 'robot', kind: 'service' });

    // when
    const byViewer = await expectProblem(viewer.answerQuestion({ runId, questionId, body: { answer: 'x' } }));
    const response = await fetch(`${countersign.url}/api/runs/${runId}/conversation/${questionId}/answer`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${service}`, 'content-type': 'application/json' },
      body: '{"answer":"x"}',
    });

    // then
    expect(byViewer).to.include({ status: 403, code: 'forbidden' });
    expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
      403,
      'service_cannot_answer',
    ]);
    expect(await viewer.getQuestion({ questionId })).to.include({ status: 'pending' });
    const audit = (await operator.listAuditEvents({ runId })).items;
    const refused = audit
      .filter(({ result }) => result === 'refused')
      .map(({ actor, action, target, data }) => [actor, action, target?.type, target?.id, data['code']]);
    expect(refused).to.have.deep.members([
      ['vera', 'question.answer', 'question', questionId, 'forbidden'],
      ['robot', 'question.answer', 'question', questionId, 'service_cannot_answer'],
    ]);
  });

  it('should audit who answered a question, without the answer', async () => {
    const { runId, openQuestions } = await startConversation('asker');
    const questionId = openQuestions[0]?.questionId ?? '';
    await operator.answerQuestion({ runId, questionId, body: { answer: 'Private words.' } });
    const answers = (await operator.listAuditEvents({ runId })).items.filter(
      ({ action }) => action === 'question.answer',
    );
    expect(answers).to.have.length(1);
    expect(answers[0]).to.deep.include({ actor: 'otto', result: 'ok', target: { type: 'question', id: questionId } });
    expect(JSON.stringify(answers)).to.not.include('Private words.');
  });

  it('should continue with the default answer when a question expires, and refuse later answers', async () => {
    const { runId } = await startConversation('late');
    expect(await waitForFinalEvent(runId)).to.equal('run.completed');
    const { items } = await viewer.listConversation({ runId });
    expect(items.map(({ author, text, status }) => [author.kind, text, status])).to.deep.equal([
      ['agent', 'Soon?', 'expired'],
      ['system', 'No one answered in time. The agent continues with: no', null],
    ]);
    const questionId = items[0]?.questionId ?? '';
    const late = await expectProblem(operator.answerQuestion({ runId, questionId, body: { answer: 'yes' } }));
    expect(late).to.include({
      status: 409,
      code: 'question_already_answered',
      questionStatus: 'expired',
      answeredBy: null,
    });
  });

  it('should record either the answer or the expiry, never both, when they are concurrent', async () => {
    // given: questions that become due while they are answered
    const startedConversations = await Promise.all(Array.from({ length: 8 }, () => startConversation('closely')));

    // when
    const answers = await Promise.all(
      startedConversations.map(async ({ runId }) => {
        const [question] = (await viewer.listConversation({ runId })).items;
        const questionId = question?.questionId ?? '';
        const accepted = await operator.answerQuestion({ runId, questionId, body: { answer: 'yes' } }).then(
          () => true,
          async (error: Error) =>
            expect(await expectProblem(Promise.reject(error))).to.include({
              code: 'question_already_answered',
              questionStatus: 'expired',
            }) && false,
        );
        return { runId, questionId, taken: accepted };
      }),
    );

    // then
    for (const { runId, questionId, taken: accepted } of answers) {
      expect(await waitForFinalEvent(runId)).to.equal('run.completed');
      const question = await viewer.getQuestion({ questionId });
      expect([question.status, question.answer]).to.deep.equal(accepted ? ['answered', 'yes'] : ['expired', 'no']);
      expect((await viewer.listConversation({ runId })).items).to.have.length(2);
      const endEvents = (await viewer.listRunEvents({ runId, limit: 200 })).items.filter(
        ({ type }) => type === 'question.answered' || type === 'question.expired',
      );
      expect(endEvents).to.have.length(1);
    }
  });

  it('should list the open questions in the plan of a cancellation and withdraw them when the run is cancelled', async () => {
    // given
    const { runId, openQuestions } = await startConversation('pair', 2);

    // when
    const plan = await operator.cancelRun({ runId, dryRun: true, body: { reason: 'no' } });

    // then
    const plannedIds = plan.void.map((wait) => (wait.kind === 'question' ? wait.questionId : wait.kind));
    expect(plannedIds).to.have.members(openQuestions.map(({ questionId }) => questionId));
    expect(await viewer.getRun({ runId })).to.include({ pendingQuestions: 2 });
    await operator.cancelRun({ runId, body: { reason: 'no' } });
    expect((await viewer.listQuestions({ runId, status: 'withdrawn' })).items).to.have.length(2);
    expect(
      (await viewer.listConversation({ runId })).items.map(({ author, text }) => [author.kind, text]),
    ).to.deep.equal([
      ['agent', 'One?'],
      ['agent', 'Two?'],
      ['system', 'The question was withdrawn.'],
      ['system', 'The question was withdrawn.'],
    ]);
    const withdrawnProblem = await expectProblem(
      operator.answerQuestion({ runId, questionId: openQuestions[0]?.questionId ?? '', body: { answer: 'x' } }),
    );
    expect(withdrawnProblem).to.include({
      status: 409,
      code: 'question_already_answered',
      questionStatus: 'withdrawn',
    });
  });

  it('should detect changed questions and answers in the evidence pack', async () => {
    // given
    const { runId, openQuestions } = await startConversation('pair', 2);
    await operator.answerQuestion({
      runId,
      questionId: openQuestions[0]?.questionId ?? '',
      body: { answer: 'Proven.' },
    });
    await operator.cancelRun({ runId, body: { reason: 'no' } });

    // when
    const pack = await viewer.getEvidencePack({ runId });

    // then
    expect(findPackErrors(pack)).to.deep.equal([]);
    expect(pack.questions.map(({ text, status, answer }) => [text, status, answer])).to.deep.equal([
      ['One?', 'withdrawn', null],
      ['Two?', 'answered', 'Proven.'],
    ]);
    expect(pack.agentWork[0]?.turns[0]?.calls.map(({ status }) => status)).to.deep.equal(['cancelled', 'completed']);
    const forgeries: ((question: Question) => void)[] = [
      (question) => void (question.answer = 'Other.'),
      (question) => void (question.answeredBy = 'vera'),
      (question) => void (question.text = 'Other?'),
      (question) => void (question.status = 'withdrawn'),
    ];
    for (const forge of forgeries) {
      const copy = structuredClone(pack);
      forge(copy.questions[1]!);
      expect(findPackErrors(copy)).to.not.be.empty;
    }
  });

  it('should publish question events in the change feed without the texts of the question and the answer', async () => {
    // given
    const feed = await StreamReader.open(`${countersign.url}/api/events`, await countersign.token('viewer'), (line) =>
      line.includes('"question.'),
    );
    const { runId, openQuestions } = await startConversation('asker');

    // when
    await operator.answerQuestion({
      runId,
      questionId: openQuestions[0]?.questionId ?? '',
      body: { answer: 'Go on.' },
    });
    await waitForFinalEvent(runId);

    // then
    const questionEvents = (await viewer.listRunEvents({ runId, limit: 200 })).items.filter(({ type }) =>
      type.startsWith('question.'),
    );
    expect(questionEvents.map(({ type }) => type)).to.deep.equal(['question.asked', 'question.answered']);
    expect(questionEvents.map(({ data }) => data['text'] ?? data['answer'])).to.deep.equal(['What now?', 'Go on.']);
    await feed.readUntilSeq(questionEvents[1]?.seq ?? 0);
    feed.close();
    expect(feed.seqs).to.deep.equal(questionEvents.map(({ seq }) => seq));
    expect(feed.lines.join()).to.not.match(/What now|Go on/);
  });
});
