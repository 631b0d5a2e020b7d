import type { QuestionFilter, RunRecord } from '@countersign/core/ports';
import type { QuestionChange, QuestionRecord } from '@countersign/model';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  deploy,
  createJobOffer,
  nextId,
  createRunEvent,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';
import { EDGE_CASE_STRINGS } from './edge-case-strings.js';
import { readAll } from './read-all.js';
import { currentTime } from '@countersign/model/testing';

function createQuestionRecord(run: RunRecord, overrides: Partial<QuestionRecord> = {}): QuestionRecord {
  return {
    questionId: nextId(),
    runId: run.runId,
    workflowId: run.workflowId,
    stepId: nextId(),
    elementId: 'triage',
    agentName: 'triager',
    purpose: 'ask',
    callId: nextId(),
    text: 'Which version is it?',
    options: ['1', '2'],
    answerSchema: null,
    askedAt: currentTime(),
    dueAt: null,
    onDue: { kind: 'continue', answer: null },
    status: 'pending',
    answer: null,
    answeredBy: null,
    closedAt: null,
    ...overrides,
  };
}

export function describeQuestions(getStorage: StorageGetter): void {
  describe('questions', () => {
    beforeEach(() => deploy(getStorage().storage));

    it('should be returned unchanged, before and after the answer', async () => {
      // given
      const { storage, other } = getStorage();
      const run = createRunRecord();
      const question = createQuestionRecord(run, {
        dueAt: 1_800_000_000_123,
        onDue: { kind: 'incident' },
        options: null,
        answerSchema: { type: 'object' },
        purpose: 'budget',
        callId: null,
      });

      // when
      await storage.commit([createRunWrite({ run, questionsOpened: [question] })]);

      // then
      expect(await other.findQuestion(question.questionId)).to.eql(question);
      expect([...(await other.findRunsOfQuestions([question.questionId, nextId()]))]).to.eql([
        [question.questionId, run.runId],
      ]);

      // when answered
      const change: QuestionChange = {
        questionId: question.questionId,
        status: 'answered',
        answer: { list: [1, 'two', null] },
        answeredBy: { type: 'user', id: 'ada', name: 'Ada' },
        closedAt: 1_700_000_000_456,
      };
      await other.commit([createRunWrite({ run, revision: 1, questionsChanged: [change] })]);

      // then
      expect(await storage.findQuestion(question.questionId)).to.eql({ ...question, ...change });
      expect(await storage.findQuestion(nextId())).to.equal(undefined);
    });

    it('should not be opened or closed by a write of an outdated revision', async () => {
      const { storage } = getStorage();
      const run = createRunRecord();
      const [openQuestion, conflictingQuestion] = [createQuestionRecord(run), createQuestionRecord(run)];
      await storage.commit([createRunWrite({ run, questionsOpened: [openQuestion] })]);
      const change = {
        questionId: openQuestion.questionId,
        status: 'withdrawn',
        answer: null,
        answeredBy: null,
        closedAt: 1,
      } as const;

      expect(
        await storage.commit([
          createRunWrite({ run, revision: 7, questionsOpened: [conflictingQuestion], questionsChanged: [change] }),
        ]),
      ).to.eql(['conflict']);

      expect(await storage.findQuestion(openQuestion.questionId)).to.eql(openQuestion);
      expect(await storage.findQuestion(conflictingQuestion.questionId)).to.equal(undefined);
    });

    it('should be listed oldest first for a run, and newest first without duplicates for an inbox', async () => {
      // given
      const { storage } = getStorage();
      await deploy(storage, { workflowId: 'other', digest: 'sha256:other' });
      const [firstRun, secondRun] = [createRunRecord(), createRunRecord({ workflowId: 'other' })];
      const [a, b, c, d] = [
        createQuestionRecord(firstRun, { text: 'a' }),
        createQuestionRecord(secondRun, { text: 'b' }),
        createQuestionRecord(firstRun, { text: 'c', status: 'expired', closedAt: 1 }),
        createQuestionRecord(secondRun, { text: 'd' }),
      ];
      await storage.commit([
        createRunWrite({ run: firstRun, questionsOpened: [c, a] }),
        createRunWrite({ run: secondRun, questionsOpened: [b, d] }),
      ]);
      const list = async (filter: QuestionFilter) =>
        (await readAll((page) => storage.listQuestions(filter, page), 1)).map(({ text }) => text).join('');

      // then
      expect(await storage.listRunQuestions(firstRun.runId)).to.eql([a, c]);
      expect(await storage.listRunQuestions(nextId())).to.eql([]);
      expect(await list({})).to.equal('dcba');
      expect(await list({ status: 'pending' })).to.equal('dba');
      expect(await list({ status: 'expired' })).to.equal('c');
      expect(await list({ status: 'pending', workflowId: 'other' })).to.equal('db');
      expect(await list({ workflowId: 'release' })).to.equal('ca');
      expect(await list({ runId: firstRun.runId })).to.equal('ca');
      expect(await list({ runId: firstRun.runId, status: 'pending' })).to.equal('a');
      expect(await list({ runId: firstRun.runId, workflowId: 'other' })).to.equal('');
    });

    it('should be listed by due date, those without one last, and then oldest first', async () => {
      // given
      const { storage } = getStorage();
      const run = createRunRecord();
      const questions = [
        createQuestionRecord(run, { text: 'a' }),
        createQuestionRecord(run, { text: 'b', dueAt: 2_000 }),
        createQuestionRecord(run, { text: 'c', dueAt: 1_000 }),
        createQuestionRecord(run, { text: 'd' }),
        createQuestionRecord(run, { text: 'e', dueAt: 2_000 }),
        createQuestionRecord(run, { text: 'f', dueAt: 1_500, status: 'expired', closedAt: 1_500 }),
      ];
      await storage.commit([createRunWrite({ run, questionsOpened: questions })]);

      // then
      for (const limit of [1, 2, 50]) {
        const list = async (filter: QuestionFilter) =>
          (await readAll((page) => storage.listQuestions({ sort: 'due', ...filter }, page), limit))
            .map(({ text }) => text)
            .join('');
        expect(await list({ status: 'pending' })).to.equal('cbead');
        expect(await list({})).to.equal('cfbead');
        expect(await list({ runId: run.runId })).to.equal('cfbead');
        expect(await list({ status: 'pending', dueBefore: 2_000 })).to.equal('c');
        expect(await list({ status: 'pending', dueBefore: 2_001, sort: 'newest' })).to.equal('ecb');
        expect(await list({ dueBefore: 2_000, runId: run.runId })).to.equal('cf');
      }
    });

    it('should be found by their texts and the business key of the run, whatever characters are searched for', async () => {
      // given
      const { storage } = getStorage();
      const [run, other] = [createRunRecord({ businessKey: 'PO-4711' }), createRunRecord()];
      const questions = [
        createQuestionRecord(run, { text: 'Is 100% of the budget_a right?' }),
        createQuestionRecord(other, { text: 'Který dodavatel?', agentName: 'buyer' }),
      ];
      await storage.commit([
        createRunWrite({ run, questionsOpened: questions.slice(0, 1) }),
        createRunWrite({ run: other, questionsOpened: questions.slice(1) }),
      ]);
      const find = async (q: string, filter: QuestionFilter = { status: 'pending' }) =>
        (await readAll((page) => storage.listQuestions({ ...filter, q }, page), 1)).map(({ text }) => text);
      const [budget, supplier] = questions.map(({ text }) => [text]);

      // then
      for (const filter of [{}, { status: 'pending', sort: 'due' }] satisfies QuestionFilter[]) {
        expect(await find('BUDGET', filter)).to.eql(budget);
        expect(await find('který', filter)).to.eql(supplier);
        expect(await find('Buyer', filter)).to.eql(supplier);
        expect(await find('po-47', filter)).to.eql(budget);
        expect(await find(run.workflowId, filter)).to.have.length(2);
        expect(await find(other.runId, filter)).to.eql(supplier);
        expect(await find(questions[0]?.questionId ?? '', filter)).to.eql(budget);
      }
      expect(await find('0%')).to.eql(budget);
      expect(await find('budget_a')).to.eql(budget);
      expect(await find('%u')).to.eql([]);
      expect(await find('budget%a')).to.eql([]);
      for (const q of ['\\', "'", '\u0000', '\ud800', '_?', '\\%']) expect(await find(q), q).to.eql([]);
    });

    it('should be returned unchanged with edge-case strings in their fields', async () => {
      const { storage } = getStorage();
      const createActor = (text: string) => ({ type: 'user', id: text, name: text }) as const;
      const questions = EDGE_CASE_STRINGS.map((text) => {
        const run = createRunRecord();
        const document = { [text]: text, list: [text, null] };
        return createQuestionRecord(run, {
          elementId: text,
          agentName: text,
          text,
          options: [text, text],
          answerSchema: document,
          onDue: { kind: 'continue', answer: text },
          status: 'answered',
          answer: text,
          answeredBy: createActor(text),
          closedAt: 5,
        });
      });
      await storage.commit(
        questions.map((question) =>
          createRunWrite({ run: createRunRecord({ runId: question.runId }), questionsOpened: [question] }),
        ),
      );
      for (const question of questions)
        expect(await storage.findQuestion(question.questionId), JSON.stringify(question.text)).to.eql(question);

      const changes = questions.map(({ questionId, runId, text }) => ({
        runId,
        change: {
          questionId,
          status: 'answered',
          answer: [text],
          answeredBy: createActor(`${text}!`),
          closedAt: 6,
        } satisfies QuestionChange,
      }));
      await storage.commit(
        changes.map(({ runId, change }) =>
          createRunWrite({ run: createRunRecord({ runId }), revision: 1, questionsChanged: [change] }),
        ),
      );
      for (const { change } of changes)
        expect(await storage.findQuestion(change.questionId))
          .to.include({ closedAt: 6 })
          .and.deep.include({ answer: change.answer, answeredBy: change.answeredBy });
    });

    it('should not be found by an invalid id', async () => {
      const { storage } = getStorage();
      for (const id of ['', 'x', '\0', `${nextId()}x`]) {
        expect(await storage.findQuestion(id)).to.equal(undefined);
        expect(await storage.listRunQuestions(id)).to.eql([]);
        expect((await storage.listQuestions({ runId: id }, { limit: 5 })).items).to.eql([]);
        expect((await storage.listQuestions({ workflowId: id }, { limit: 5 })).items).to.eql([]);
        expect(await storage.listAgentEvents(id, nextId())).to.eql([]);
        expect(await storage.listAgentEvents(nextId(), id)).to.eql([]);
      }
    });

    it('should be included in the agent events of their step, without other events', async () => {
      // given
      const { storage } = getStorage();
      const [run, another] = [createRunRecord(), createRunRecord()];
      const [stepId, otherStepId] = [nextId(), nextId()];
      const types = [
        'run.started',
        'step.started',
        'agent.turn',
        'agent.call.requested',
        'question.asked',
        'step.retried',
        'question.answered',
        'agent.turn',
      ] as const;
      const events = types.map((type, index) =>
        createRunEvent(index + 1, { type, stepId, private: { text: `${index}` }, salt: 'ab', commitment: 'cd' }),
      );
      await storage.commit([
        createRunWrite({ run, events: [...events, createRunEvent(9, { type: 'agent.turn', stepId: otherStepId })] }),
        createRunWrite({ run: another, events: [createRunEvent(1, { type: 'agent.turn', stepId: nextId() })] }),
      ]);

      // then
      const agentEvents = events.filter(({ type }) => /^(agent|question)\./.test(type));
      expect(await storage.listAgentEvents(run.runId, stepId)).to.eql(agentEvents);
      expect(await storage.listAgentEvents(run.runId, stepId, ['agent.turn', 'step.started'])).to.eql(
        agentEvents.filter(({ type }) => type === 'agent.turn'),
      );
      expect(await storage.listAgentEvents(run.runId, stepId, [])).to.eql([]);
      expect(await storage.listAgentEvents(another.runId, stepId)).to.eql([]);
      expect(await storage.listAgentEvents(another.runId, nextId())).to.eql([]);
    });

    it('should include the call id in a claimed job only if the job executes a tool call', async () => {
      const { storage } = getStorage();
      const jobs = [createJobOffer({ callId: nextId() }), createJobOffer()];
      await storage.commit([createRunWrite({ jobsOffered: jobs })]);

      const claimed = await storage.claimJobs({ owner: 'a', jobTypes: ['connector'], limit: 5, leaseMs: 1_000 });

      expect(new Map(claimed.map((job) => [job.jobId, job.callId]))).to.eql(
        new Map(jobs.map((job) => [job.jobId, job.callId])),
      );
      expect(claimed.filter((job) => 'callId' in job)).to.have.length(1);
    });
  });
}
